/**
 * The upper limit for the proxy: plain node:http that forwards each request, and judges nothing.
 */
import { Agent, createServer, request } from 'node:http';

const { hostname, port: to } = new URL(process.argv[2]);
const agent = new Agent({ keepAlive: true });
createServer((incoming, outgoing) => {
  const { host, connection, ...headers } = incoming.headers;
  const { method, url: path } = incoming;
  const sending = request({ agent, hostname, port: to, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers);
    answer.pipe(outgoing);
  });
  sending.on('error', () => outgoing.destroy());
  incoming.pipe(sending);
}).listen(Number(process.argv[3]), '127.0.0.1');
