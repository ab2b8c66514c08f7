#!/usr/bin/env node
// The entry point of the container. Its arguments are options of `lockstep mock`, which listens on every
// address here, as `proxy` does: the container's owner decides which ports to publish. Another command, such as
// certify, runs as it is.
const [, , first = 'mock', ...rest] = process.argv;
const listens = first === 'mock' || first === 'proxy';
if (listens || first.startsWith('-')) {
  const [command, options] = listens ? [first, rest] : ['mock', [first, ...rest]];
  const guard =
    process.env.LOCKSTEP_ADMIN_TOKEN === undefined
      ? []
      : ['--admin-token-env', 'LOCKSTEP_ADMIN_TOKEN'];
  process.argv.splice(2, Infinity, command, '--host', '0.0.0.0', ...guard, ...options);
}
await import('./lockstep.js');
