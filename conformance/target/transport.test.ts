/** The transport through a proxy, to a service whose certificate a company has signed itself. */

import { once } from 'node:events';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { certificateFor } from '../../mock/transport/certificate.ts';
import { httpTransport } from './transport.ts';

// No loopback to the runner, which never sends that through a proxy, and still this machine.
const host = '0.0.0.0';

async function listening(server: ReturnType<typeof createServer | typeof createProxy>) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function service() {
  const { key, cert, ca } = certificateFor(host);
  const server = createServer({ key, cert }, (_request, response) => response.end('served'));
  return { server, ca, port: await listening(server) };
}

async function proxyTo(port: number) {
  const asked: string[] = [];
  const proxy = createProxy().on('connect', ({ url = '' }, socket) => {
    asked.push(url);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  return { proxy, asked, port: await listening(proxy) };
}

test.for([
  ['through the proxy', ''],
  ['past the proxy, if NO_PROXY names it', host],
] as const)('the tenant file’s authority is trusted %s', async ([, noProxy]) => {
  const { server, ca, port } = await service();
  const { proxy, asked, port: proxyPort } = await proxyTo(port);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: noProxy };
  const transport = httpTransport({ ca, connections: 1, env });
  try {
    const call = { method: 'GET', url: `https://${host}:${port}/`, headers: {}, body: undefined };
    expect(await transport.send(call)).toMatchObject({ status: 200, text: 'served' });
    expect(asked.length).toBe(noProxy === '' ? 1 : 0);
  } finally {
    await transport.close();
    for (const one of [server, proxy]) {
      one.closeAllConnections();
      one.close();
    }
  }
});

test.for([
  ['is sent, past the proxy', '', true],
  ['is sent through the proxy', 'none.example', true],
  ['is asked for in vain', '', false],
] as const)('a client’s own certificate %s', async ([, noProxy, isGiven]) => {
  const { key, cert, ca } = certificateFor(host);
  const asking = { key, cert, ca, requestCert: true, rejectUnauthorized: true };
  const server = createServer(asking, (_request, response) => response.end('served'));
  const port = await listening(server);
  const { proxy, port: proxyPort } = await proxyTo(port);
  const env = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: noProxy || host };
  const client = isGiven ? { key, cert } : undefined;
  const transport = httpTransport({ ca, client, connections: 1, env });
  try {
    const call = { method: 'GET', url: `https://${host}:${port}/`, headers: {}, body: undefined };
    const sent = transport.send(call);
    if (isGiven) expect(await sent).toMatchObject({ status: 200, text: 'served' });
    else await expect(sent).rejects.toThrow(/CERTIFICATE_REQUIRED|ECONNRESET|UND_ERR_SOCKET/);
  } finally {
    await transport.close();
    for (const one of [server, proxy]) {
      one.closeAllConnections();
      one.close();
    }
  }
});

test('a port without TLS is told as such, not by a line of a library', async () => {
  const plain = createProxy((_request, response) => response.end('plain'));
  const port = await listening(plain);
  const transport = httpTransport({ connections: 1, env: {} });
  const call = { method: 'GET', url: `https://127.0.0.1:${port}/`, headers: {}, body: undefined };
  try {
    await expect(transport.send(call)).rejects.toThrow(
      `ERR_SSL_WRONG_VERSION_NUMBER: 127.0.0.1:${port} does not answer with TLS: is it another port, or plain HTTP (http://)?`,
    );
  } finally {
    await transport.close();
    plain.close();
  }
});
