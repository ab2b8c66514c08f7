#!/usr/bin/env node
// Looks at the version of Node before anything newer is parsed, then runs the program: from source
// in a checkout, compiled in an installed package.
import { existsSync } from 'node:fs';
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  console.error(
    `lockstep needs Node 22.22 or later; this is Node ${process.versions.node}. In a checkout, "npm ci" installs one: use "npm start" or node_modules/.bin/node.`,
  );
  process.exit(2);
}
module.enableCompileCache();
const source = new URL('./lockstep.ts', import.meta.url);
await import(
  existsSync(source) ? source.href : new URL('../dist/bin/lockstep.js', import.meta.url).href
);
