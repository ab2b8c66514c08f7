/**
 * Parts of Node that are costly to import. An `import` reads each export of a built-in module: with
 * `node:http` this loads Node's own undici, 20 ms at every start; with `node:util` it takes 2 ms.
 */
export const {
  createServer,
  METHODS,
  ServerResponse: HttpResponse,
  STATUS_CODES,
} = process.getBuiltinModule('node:http');
export const { inspect } = process.getBuiltinModule('node:util');
