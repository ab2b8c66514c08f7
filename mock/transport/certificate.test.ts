/** The certificate of `--tls`, read by Node's own parser. Other clients: `certificate.outside.test.ts`. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { certificateFor } from './certificate.ts';

const made = certificateFor(
  'mock.internal',
  '10.0.0.7',
  'fe80::1:2',
  '::ffff:10.0.0.8',
  '*.mock.test',
);
const server = new X509Certificate(made.cert);
const authority = new X509Certificate(made.ca);

test('the authority has signed the certificate, and is a separate certificate', () => {
  expect(server.verify(authority.publicKey)).toBe(true);
  expect(server.checkIssued(authority)).toBe(true);
  expect(server.checkPrivateKey(createPrivateKey(made.key))).toBe(true);
  expect(server.subject).not.toBe(server.issuer);
  expect(authority.verify(authority.publicKey)).toBe(true);
});

test('only the authority may sign, and its key is not kept', () => {
  expect([server.ca, authority.ca]).toEqual([false, true]);
  expect(authority.checkPrivateKey(createPrivateKey(made.key))).toBe(false);
});

test('it names this machine and the hosts that were given', () => {
  const hosts = ['localhost', 'mock.internal', 'any.mock.test'];
  expect(hosts.map((name) => server.checkHost(name) !== undefined)).toEqual([true, true, true]);
  expect(server.checkHost('elsewhere.internal')).toBeUndefined();
  const addresses = ['127.0.0.1', '::1', '10.0.0.7', 'fe80::1:2', '::ffff:10.0.0.8'];
  for (const address of addresses) expect(server.checkIP(address), address).toBe(address);
});

test('authorities of two mocks have different names, so that one store can hold both', () => {
  const other = new X509Certificate(certificateFor().ca);
  expect(other.subject).not.toBe(authority.subject);
  expect(other.serialNumber).not.toBe(authority.serialNumber);
});

test('many names are encoded correctly, and the zone of an address is left out', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `host-${index}.internal`);
  const many = new X509Certificate(certificateFor(...names, 'fe80::7%eth0').cert);
  expect(many.checkHost('host-2999.internal')).toBe('host-2999.internal');
  expect(many.checkIP('fe80::7')).toBe('fe80::7');
});

test('from 2050 on, dates have a year of four digits', () => {
  vi.useFakeTimers({ now: Date.parse('2049-06-01') });
  const { validFrom, validTo } = new X509Certificate(certificateFor().cert);
  vi.useRealTimers();
  expect([validFrom, validTo]).toEqual(['May 31 00:00:00 2049 GMT', 'Jul  3 00:00:00 2050 GMT']);
});
