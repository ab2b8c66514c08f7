/** HTTP clients of other languages trust the certificate of `--tls` only by its authority. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { startMock } from '../kits/index.ts';
import { curl, hasTool } from '../testing/tools.ts';
import { certificateFor } from './certificate.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lockstep-clients-'));
const inFolder = (name: string, text = ''): string => {
  const path = join(folder, name);
  if (text !== '') writeFileSync(path, text);
  return path;
};
const tls = certificateFor('127.0.0.1');
const mock = await startMock({ tls });
const url = `${mock.baseUrl}/__admin/health`;
const ca = inFolder('ca.pem', tls.ca);
/** The authority of another mock: a client that trusts it must not trust ours. */
const other = inFolder('other.pem', certificateFor().ca);

afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true, force: true });
});

const python = inFolder(
  'client.py',
  `import ssl, sys, urllib.request
trust = ssl.create_default_context(cafile=sys.argv[1])
trust.verify_flags |= getattr(ssl, 'VERIFY_X509_STRICT', 0)
print(urllib.request.urlopen(sys.argv[2], context=trust).status)
`,
);
const go = inFolder(
  'client.go',
  `package main

import ("crypto/tls"; "crypto/x509"; "fmt"; "net/http"; "os")

func main() {
	pem, _ := os.ReadFile(os.Args[1])
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	response, err := client.Get(os.Args[2])
	if err != nil { fmt.Fprintln(os.Stderr, err); os.Exit(1) }
	fmt.Println(response.StatusCode)
}
`,
);
const node = inFolder(
  'client.mjs',
  `import { readFileSync } from 'node:fs';
import { get } from 'node:https';
const [, , file, url] = process.argv;
get(url, { ca: readFileSync(file) }, ({ statusCode }) => { console.log(statusCode); process.exit(); });
`,
);
const java = inFolder(
  'Client.java',
  `import java.io.FileInputStream;
import java.net.URI;
import java.net.http.*;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.*;
class Client {
  public static void main(String[] args) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(new FileInputStream(args[0])));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    var client = HttpClient.newBuilder().sslContext(context).build();
    System.out.println(client.send(HttpRequest.newBuilder(URI.create(args[1])).build(), HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
`,
);
mkdirSync(join(folder, 'src'));
inFolder(
  'src/main.rs',
  `fn main() {
    let args: Vec<String> = std::env::args().collect();
    let ca = reqwest::Certificate::from_pem(&std::fs::read(&args[1]).unwrap()).unwrap();
    let client = reqwest::blocking::Client::builder()
        .tls_built_in_root_certs(false)
        .add_root_certificate(ca)
        .build()
        .unwrap();
    println!("{}", client.get(&args[2]).send().unwrap().status().as_u16());
}
`,
);
const rust = inFolder(
  'Cargo.toml',
  `[package]
name = "client"
version = "0.1.0"
edition = "2021"
[dependencies]
reqwest = { version = "0.12", default-features = false, features = ["blocking", "rustls-tls"] }
`,
);

interface OtherClient {
  readonly name: string;
  readonly probe: readonly [string, ...string[]];
  readonly version: RegExp;
  /** The command that prints the status of an answer, and fails if it does not trust the server. */
  readonly command: (authority: string) => readonly [string, ...string[]];
}

const clients: readonly OtherClient[] = [
  {
    name: 'curl',
    ...curl,
    command: (authority) => [
      'curl',
      '-sSo',
      '/dev/null',
      '-w',
      '%{http_code}',
      '--cacert',
      authority,
      url,
    ],
  },
  {
    name: 'OpenSSL, strictly',
    probe: ['openssl', 'version'],
    version: /^OpenSSL [3-9]/,
    // By default this client continues after an error, and waits after the answer.
    command: (authority) => [
      'sh',
      '-c',
      `printf 'GET /__admin/health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' | openssl s_client -quiet -connect '${new URL(url).host}' -CAfile '${authority}' -no-CApath -verify_return_error -x509_strict -purpose sslserver -verify_ip 127.0.0.1 2>/dev/null | grep -om1 '200'`,
    ],
  },
  {
    name: 'Python, strictly',
    probe: ['python3', '--version'],
    version: /^Python 3/,
    command: (authority) => ['python3', python, authority, url],
  },
  {
    name: 'Node',
    probe: ['node', '--version'],
    version: /^v/,
    command: (authority) => ['node', node, authority, url],
  },
  {
    name: 'Go',
    probe: ['go', 'version'],
    version: /^go version/,
    command: (authority) => ['go', 'run', go, authority, url],
  },
  {
    name: 'Java',
    probe: ['java', '-version'],
    version: /version "(1[1-9]|[2-9]\d)/,
    command: (authority) => ['java', java, authority, url],
  },
  {
    name: 'reqwest with rustls',
    // Its crates must be downloaded as well.
    probe: ['cargo', 'fetch', '--verbose', '--manifest-path', rust],
    version: /^(?!.*error)/is,
    command: (authority) => ['cargo', 'run', '--quiet', '--manifest-path', rust, authority, url],
  },
];

describe.for(clients)('$name', ({ name, probe, version, command }) => {
  const found = hasTool(probe, version, `${name} AS A CLIENT OF --tls`);

  test.skipIf(!found)('trusts a mock by its authority', async () => {
    const [program, ...args] = command(ca);
    const { stdout } = await run(program, args);
    expect(stdout.trim()).toBe('200');
  });

  test.skipIf(!found)('trusts it by no other authority', async () => {
    const [program, ...args] = command(other);
    await expect(run(program, args)).rejects.toThrow();
  });
});

describe('Chromium', () => {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const found =
    hasTool([executablePath, '--version'], /^Chromium/, 'CHROMIUM AS A CLIENT OF --tls') &&
    // Debian's libnss3-tools: Chromium keeps its trusted authorities in a store of NSS.
    hasTool(['certutil', '-H'], /-A +Add/, 'CHROMIUM AS A CLIENT OF --tls');

  test.skipIf(!found)('trusts a mock by its authority, and by no other', async () => {
    const opened = await Promise.allSettled([ca, other].map(openTrusting));
    expect(opened).toMatchObject([
      { status: 'fulfilled', value: 200 },
      {
        status: 'rejected',
        reason: { message: expect.stringContaining('ERR_CERT_AUTHORITY_INVALID') },
      },
    ]);
  });

  async function openTrusting(authority: string, number: number): Promise<number | undefined> {
    const home = join(folder, `home-${number}`);
    const store = join(home, '.pki/nssdb');
    mkdirSync(store, { recursive: true });
    await run('certutil', ['-N', '-d', `sql:${store}`, '--empty-password']);
    await run('certutil', ['-A', '-d', `sql:${store}`, '-n', 'ca', '-t', 'C,,', '-i', authority]);
    const { chromium } = await import('playwright-core');
    await using browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      env: { ...process.env, HOME: home },
    });
    const page = await browser.newPage();
    return (await page.goto(url))?.status();
  }
});
