/**
 * A signature of a certificate, in the forms that supply chain tools read: an in-toto statement of a
 * test result, in a DSSE envelope, signed with Ed25519.
 */

import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { isObject, parseJson } from '../../spec/base/json.ts';
import { Refused } from '../../spec/base/refused.ts';
import { exitCodes, type Report, type StatementResult } from '../judge/report.ts';
import { failsRun, isFailure, isGap } from '../judge/verdict.ts';

export const attestationFile = 'attestation.json';

/** Name of a file -> its text. */
export type Files = ReadonlyMap<string, string>;

/** The files that a signature covers: all that a run writes, by name. */
export function signedFiles(
  rendered: Files,
  evidence: readonly { readonly file: string; readonly text: string }[],
): Files {
  const files = [...rendered, ...evidence.map(({ file, text }) => [file, text] as const)];
  return new Map(files.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const payloadType = 'application/vnd.in-toto+json';

/** Reads the signing key from a PEM text. Throws Refused if the text is not a private Ed25519 key. */
export function signingKey(pem: string): KeyObject {
  return ed25519(
    () => createPrivateKey(pem),
    'the signing key is not a private Ed25519 key in PEM (PKCS #8)',
  );
}

/** Reads the public key of the expected signer. Throws Refused if the text has no such key. */
export function trustedKey(pem: string): KeyObject {
  return ed25519(() => createPublicKey(pem), '--public-key holds no public Ed25519 key in PEM');
}

function ed25519(read: () => KeyObject, otherwise: string): KeyObject {
  try {
    const key = read();
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The message is below, because the library's message would reveal parts of the key.
  }
  throw new Refused(otherwise);
}

/** The text of `attestation.json`. It contains the public key as the key id. */
export function attest(report: Report, files: Files, key: KeyObject): string {
  const payload = statementOf(report, files);
  const sig = sign(null, preAuthentication(payload), key).toString('base64');
  return envelope(payload, { keyid: idOf(createPublicKey(key)), sig });
}

/**
 * Returns the key that signed these files; undefined if they are not signed and no signature is needed.
 * `trusted` is the public key that must have signed. Throws Refused.
 */
export function checkAttestation(
  text: string | undefined,
  report: Report,
  files: Files,
  trusted?: KeyObject,
): string | undefined {
  if (text === undefined) {
    if (trusted === undefined) return undefined;
    throw new Refused(`there is no ${attestationFile}: nobody signed this`);
  }
  const signature = signatureIn(text);
  const payload = statementOf(report, files);
  if (signature === undefined || envelope(payload, signature) !== text) {
    throw new Refused(`${attestationFile} is about other files`);
  }
  const { keyid, sig } = signature;
  try {
    const spki = Buffer.from(keyid, 'base64');
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const holds = verify(null, preAuthentication(payload), key, Buffer.from(sig, 'base64'));
    if (!holds || idOf(key) !== keyid || key.asymmetricKeyType !== 'ed25519') throw new Error();
  } catch {
    throw new Refused(`the signature in ${attestationFile} does not hold`);
  }
  if (trusted !== undefined && idOf(trusted) !== keyid) {
    throw new Refused(
      `${attestationFile} was signed with another key than the one given: ${keyid}`,
    );
  }
  return keyid;
}

interface Signature {
  readonly keyid: string;
  readonly sig: string;
}

function signatureIn(text: string): Signature | undefined {
  const value = parseJson(text);
  const [first] = isObject(value) && Array.isArray(value.signatures) ? value.signatures : [];
  if (!isObject(first)) return undefined;
  const [keyid, sig] = [String(first.keyid), String(first.sig)];
  // Base64 can be written in more than one way; only one of them is ours.
  const isOurs = Buffer.from(sig, 'base64').toString('base64') === sig;
  return isOurs ? { keyid, sig } : undefined;
}

function idOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).toString('base64');
}

function envelope(payload: string, signature: Signature): string {
  const base64 = Buffer.from(payload).toString('base64');
  return `${JSON.stringify({ payload: base64, payloadType, signatures: [signature] }, null, 2)}\n`;
}

/** The signed bytes, by the DSSE protocol. */
function preAuthentication(payload: string): Buffer {
  const length = Buffer.byteLength(payload);
  return Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${length} ${payload}`);
}

function statementOf(report: Report, files: Files): string {
  const { suite, options, statements, exitCode } = report;
  const ids = (wanted: (item: StatementResult) => boolean): string[] =>
    statements.filter((item) => item.level !== 'silent' && wanted(item)).map(({ id }) => id);
  const digested = (name: string, sha256: string) => ({ name, digest: { sha256 } });
  const failedTests = ids((item) => failsRun(item, options));
  const warned = (item: StatementResult): boolean => isGap(item) || isFailure(item.verdict);
  const warnedTests = ids((item) => warned(item) && !failsRun(item, options));
  const passed = warnedTests.length > 0 ? 'WARNED' : 'PASSED';
  return JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, text]) => digested(name, hash('sha256', text))),
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: exitCode === exitCodes.ok ? passed : 'FAILED',
      configuration: [
        digested('contract', suite.contractSha256),
        digested('statements', suite.statementsSha256),
        digested('scenarios', suite.scenariosSha256),
        ...(suite.exam === undefined ? [] : [digested('exam', suite.exam.sha256)]),
        ...(suite.exam?.honest === undefined
          ? []
          : [digested('leniency exam', suite.exam.honest.sha256)]),
      ],
      passedTests: ids(({ verdict }) => verdict === 'verified'),
      warnedTests,
      failedTests,
    },
  });
}
