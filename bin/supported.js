// Refuses a Node that is too old. Each entry of the package loads this file before anything that an old
// Node cannot run.
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  const isCheckout = existsSync(new URL('./lockstep.ts', import.meta.url));
  const remedy = isCheckout
    ? 'In a checkout, "npm ci" installs one: use "npm start" or node_modules/.bin/node.'
    : '"npm install --save-dev node@24" installs one for your project: npx and npm scripts then use it.';
  const message = `lockstep needs Node 22.22 or later; this is Node ${process.versions.node}. ${remedy}`;
  // The message is also printed, because Vitest's own report of an error fails on an old Node.
  console.error(message);
  throw new Error(message);
}
