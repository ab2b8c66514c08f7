/** A process of clients that behave badly: `node bad-neighbours.ts <port> <connections>`, until it is killed. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Random } from '../../spec/base/random.ts';

const [port = 0, connections = 0] = process.argv.slice(2).map(Number);
const random = new Random(11);
const head = (line: string, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer acme-admin\r\n${more}\r\n`;
const upload = 'Content-Type: application/json\r\nContent-Length: 900000\r\n';

/** Each of these uses a connection badly for some seconds. */
const habits: ((socket: Socket, seconds: number) => Promise<void>)[] = [
  async function slowReader(socket, seconds) {
    socket.write(head('GET /api/v1/audit-logs/export?start=2020-01-01&end=2030-01-01'));
    for (let passed = 0; passed < seconds; passed += 1) {
      socket.read(512);
      await wait(1000);
    }
  },
  async function abandonedUpload(socket, seconds) {
    socket.write(head('PUT /api/v1/deployments/1/folders/11', upload));
    for (let passed = 0; passed < seconds; passed += 1) {
      socket.write(`"${'x'.repeat(1000)}`);
      await wait(1000);
    }
  },
  async function suddenDisconnect(socket) {
    socket.write(head('GET /api/v1/deployments').slice(0, 20 + random.below(80)));
    await wait(random.below(1000));
    socket.resetAndDestroy();
  },
  async function silence(_socket, seconds) {
    await wait(seconds * 1000);
  },
];

async function behaveBadly(): Promise<never> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.pause();
    await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
    await habits[random.below(habits.length)]?.(socket, 1 + random.below(5));
    socket.destroy();
    process.stdout.write('.');
    await wait(random.below(1000));
  }
}

await Promise.all(Array.from({ length: connections }, behaveBadly));
