/** The peer of the benchmark: bare node:http that answers bytes it is given. */
import { createServer } from 'node:http';

const { status, headers, body } = JSON.parse(process.argv[2] ?? '{}') as {
  status: number;
  headers: Record<string, string>;
  body: string;
};
const server = createServer((request, response) => {
  const send = () => {
    response.writeHead(status, headers);
    response.end(body);
  };
  if (request.headers['content-length'] === undefined) send();
  else request.on('data', () => {}).on('end', send);
});
server.listen(Number(process.argv[3]), '127.0.0.1');
