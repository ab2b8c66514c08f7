/**
 * Parts of Node that are costly to import. An `import` reads each export of a built-in module: one of
 * `node:http` loads the undici that Node has inside, which takes 20 ms at every start; `node:util` takes 2.
 */
export const {
  createServer,
  METHODS,
  ServerResponse: HttpResponse,
  STATUS_CODES,
} = process.getBuiltinModule('node:http');
export const { inspect } = process.getBuiltinModule('node:util');
