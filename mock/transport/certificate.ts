/**
 * Makes a certificate for a server, and the authority that signs it: X.509 (RFC 5280) in DER. The
 * authority is a separate certificate, because rustls does not accept an authority as a server. Its
 * key is not kept, so a client that trusts the authority trusts only this server.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** PEM texts. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The authority, for a client to trust. */
  readonly ca: string;
}

/** Apple's clients accept at most 825 days. */
const DAYS = 397;
const DAY_MS = 86_400_000;

/** A certificate for this machine and for further host names and addresses. */
export function certificateFor(...hosts: readonly string[]): Certificate {
  const names = new Set(['localhost', '127.0.0.1', '::1', ...hosts]);
  // OpenSSL finds an authority by its name, and a store may have authorities of several mocks.
  const authority = {
    name: `Lockstep mock authority ${randomBytes(4).toString('hex')}`,
    ...keys(),
  };
  const server = { name: 'Lockstep mock', ...keys() };
  const ca = certify(authority, authority, [
    extension('551d13', true, sequence(TRUE, integer(Buffer.of(0)))), // basicConstraints: signs servers only
    extension('551d0f', true, der(0x03, Buffer.of(1, 0x06))), // keyUsage: keyCertSign, cRLSign
  ]);
  const cert = certify(server, authority, [
    extension('551d13', true, sequence()),
    extension('551d0f', true, der(0x03, Buffer.of(7, 0x80))), // keyUsage: digitalSignature
    extension('551d25', false, sequence(oid('2b06010505070301'), oid('2b06010505070302'))), // extKeyUsage: serverAuth, clientAuth
    extension('551d11', false, sequence(...[...names].map(alternativeName))), // subjectAltName
  ]);
  return { key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert, ca };
}

interface Party {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

function certify(subject: Party, issuer: Party, extensions: readonly Buffer[]): string {
  const now = Date.now();
  const serial = randomBytes(16);
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f); // positive, and without a leading zero byte, as DER demands
  const content = sequence(
    der(0xa0, integer(Buffer.of(2))), // version 3
    integer(serial),
    SIGNED,
    commonName(issuer.name),
    // Valid since yesterday, because clocks of containers differ.
    sequence(time(now - DAY_MS), time(now + DAYS * DAY_MS)),
    commonName(subject.name),
    publicKeyInfo(subject),
    der(
      0xa3,
      sequence(
        ...extensions,
        extension('551d0e', false, der(0x04, keyId(subject))), // subjectKeyIdentifier
        extension('551d23', false, sequence(der(0x80, keyId(issuer)))), // authorityKeyIdentifier
      ),
    ),
  );
  const signature = sign('sha256', content, issuer.privateKey);
  const whole = sequence(content, SIGNED, der(0x03, Buffer.of(0), signature));
  const lines = whole.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** Tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const head = content.length < 0x80 ? [tag] : [tag, 0x80 + length.length];
  return Buffer.concat([Buffer.from(head), length, content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const TRUE = der(0x01, Buffer.of(0xff));
const SIGNED = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), der(0x04, value));
}

function commonName(text: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
}

/** UTCTime until 2049, GeneralizedTime from then on. */
function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

function publicKeyInfo({ publicKey }: Party): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function keyId(party: Party): Buffer {
  return createHash('sha1').update(publicKeyInfo(party)).digest();
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // A URL has the short form of an address. A zone (`%eth0`) has a meaning only on this machine.
  const short = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [before = [], after = []] = short
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
}
