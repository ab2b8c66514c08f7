#!/usr/bin/env node
// Looks at the version of Node before anything newer is parsed, then runs the program: from source
// in a checkout, compiled in an installed package.
import { existsSync } from 'node:fs';
import module from 'node:module';

await import('./supported.js').catch((error) => {
  // Errors of Node have a code, such as that of a missing file. For errors without one, the file has printed the reason.
  if (error.code !== undefined) throw error;
  process.exit(2);
});
module.enableCompileCache();
// A reader such as `head` may leave early. The command still goes on: a run has to put back what it changed.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
const source = new URL('./lockstep.ts', import.meta.url);
await import(
  existsSync(source) ? source.href : new URL('../dist/bin/lockstep.js', import.meta.url).href
);
