#!/usr/bin/env node
// The entry point of the container. Its arguments are options of `lockstep mock`, which listens on every
// address here: the container's owner decides which ports to publish. Another command, such as certify,
// runs as it is.
const [, , first = 'mock', ...rest] = process.argv;
if (first === 'mock' || first.startsWith('-')) {
  const options = first === 'mock' ? rest : [first, ...rest];
  const guard =
    process.env.LOCKSTEP_ADMIN_TOKEN === undefined
      ? []
      : ['--admin-token-env', 'LOCKSTEP_ADMIN_TOKEN'];
  process.argv.splice(2, Infinity, 'mock', '--host', '0.0.0.0', ...guard, ...options);
}
await import('./lockstep.js');
