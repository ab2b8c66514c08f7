/**
 * The upper limit for the mock: bare node:http that answers the bytes of a file, and parses the
 * request body.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
createServer((request, response) => {
  const send = () => response.writeHead(status, headers).end(body);
  if (request.headers['content-length'] === undefined) return send();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => send(JSON.parse(Buffer.concat(chunks).toString())));
}).listen(Number(process.argv[3]), '127.0.0.1');
