/**
 * The kit for testcontainers: the mock as a container, and worlds in it.
 *
 * ```ts
 * import { LockstepContainer } from 'lockstep/testcontainers';
 *
 * await using container = await new LockstepContainer('lockstep').withTls().start();
 * await using world = await container.world();
 * const client = connect({ baseUrl: world.baseUrl, token: world.credentials.admin, ca: container.ca });
 * ```
 */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import {
  AbstractStartedContainer,
  GenericContainer,
  getContainerRuntimeClient,
  type RestartOptions,
  type StartedTestContainer,
  Wait,
} from 'testcontainers';
import { ControlError } from '../../spec/base/control-client.ts';
import type { WorldRequest } from './index.ts';
import { RemoteMock, type RemoteWorld } from './remote-world.ts';

export type { RequestCriteria } from '../control/request-criteria.ts';
export type { RemoteFaultOrder, RemoteWorld } from './remote-world.ts';
export { ControlError, RemoteMock };

const PORT = 4010;

/** A mock to be started. The image is made by `docker build --tag lockstep .` in a checkout. */
export class LockstepContainer extends GenericContainer {
  readonly #options = new Map<string, string>();
  #more: readonly string[] = [];
  #tlsNames: readonly string[] | undefined;
  #token = randomBytes(16).toString('hex');

  constructor(image = 'lockstep') {
    super(image);
    this.withExposedPorts(PORT).withWaitStrategy(
      // Plain HTTP reaches the control API of an HTTPS mock as well.
      Wait.forHttp('/__admin/health', PORT, { abortOnContainerExit: true })
        .forStatusCode(200)
        .withReadTimeout(500),
    );
  }

  /** The start of the worlds: a bundled fixture by its name, the path of a file, or the fixture itself. */
  withFixture(fixture: string | object): this {
    if (typeof fixture === 'string' && isBundled(fixture)) return this.#with('--fixture', fixture);
    const target = `/fixtures/${typeof fixture === 'string' ? basename(fixture) : 'fixture.json'}`;
    if (typeof fixture === 'string') this.withCopyFilesToContainer([{ source: fixture, target }]);
    else this.withCopyContentToContainer([{ content: JSON.stringify(fixture), target }]);
    return this.#with('--fixture', target);
  }

  /**
   * Serves HTTPS. The certificate is for the address of the container in tests, for its aliases in a network,
   * and for the given names.
   */
  withTls(...names: readonly string[]): this {
    this.#tlsNames = names;
    return this;
  }

  /** Seed of the worlds; without a clock it freezes their time as well. */
  withSeed(seed: number): this {
    return this.#with('--seed', String(seed));
  }

  /** ISO 8601: the frozen time of the worlds. */
  withClock(clock: string): this {
    return this.#with('--clock', clock);
  }

  /** Token of the control API; a random one if none is given. */
  withAdminToken(token: string): this {
    this.#token = token;
    return this;
  }

  /** Further options of `lockstep mock`, such as `['--strict']`. */
  override withCommand(options: string[]): this {
    this.#more = options;
    return this;
  }

  override async start(): Promise<StartedLockstepContainer> {
    const options = [...this.#options].flat();
    if (this.#tlsNames !== undefined) {
      const { info } = await getContainerRuntimeClient();
      const names = [info.containerRuntime.host, ...this.networkAliases, ...this.#tlsNames];
      options.push('--tls', names.join(','));
    }
    super.withCommand([...options, ...this.#more]);
    this.withEnvironment({ LOCKSTEP_ADMIN_TOKEN: this.#token });
    const started = await super.start();
    try {
      const ca = this.#tlsNames === undefined ? undefined : await readAuthority(started);
      return new StartedLockstepContainer(started, this.#token, ca);
    } catch (error) {
      await started.stop();
      throw error;
    }
  }

  #with(option: string, value: string): this {
    this.#options.set(option, value);
    return this;
  }
}

/** A running mock. */
export class StartedLockstepContainer extends AbstractStartedContainer {
  /** Value of the Lockstep-Admin-Token header. */
  readonly adminToken: string;
  #ca: string | undefined;
  #mock: RemoteMock;

  constructor(started: StartedTestContainer, adminToken: string, ca: string | undefined) {
    super(started);
    this.adminToken = adminToken;
    this.#ca = ca;
    this.#mock = new RemoteMock(this.adminUrl, adminToken, ca);
  }

  /** Address of the service, without a slash at its end. */
  get baseUrl(): string {
    return originOf(this, this.#ca === undefined ? 'http' : 'https');
  }

  /** Address of the control API. */
  get adminUrl(): string {
    return `${this.baseUrl}/__admin`;
  }

  /** The certificate authority to trust, PEM; undefined without TLS. */
  get ca(): string | undefined {
    return this.#ca;
  }

  /** The mock in the container, until the container restarts. */
  get mock(): RemoteMock {
    return this.#mock;
  }

  /** A fresh world. Rejects with a ControlError if it cannot be made as asked. */
  async world(request: WorldRequest = {}): Promise<RemoteWorld> {
    return this.#mock.createWorld(request);
  }

  /** Resets every world, and drops those made since the start. */
  async reset(): Promise<void> {
    await this.#mock.reset();
  }

  override async restart(options?: Partial<RestartOptions>): Promise<void> {
    await this.#mock.close();
    await super.restart(options);
    if (this.#ca !== undefined) this.#ca = await readAuthority(this);
    this.#mock = new RemoteMock(this.adminUrl, this.adminToken, this.#ca);
  }

  protected override async containerStopping(): Promise<void> {
    await this.#mock.close();
  }
}

function originOf(container: StartedTestContainer, scheme: 'http' | 'https'): string {
  return `${scheme}://${container.getHost()}:${container.getMappedPort(PORT)}`;
}

/** The certificate of a mock with HTTPS; each start makes a new one. */
async function readAuthority(container: StartedTestContainer): Promise<string> {
  const adminUrl = `${originOf(container, 'http')}/__admin`;
  const mock = new RemoteMock(adminUrl);
  try {
    const url = `${adminUrl}/ca.pem`;
    const response = await mock.fetch(url);
    const text = await response.text();
    if (!response.ok) throw new ControlError(`GET ${url}`, response.status, text);
    return text;
  } finally {
    await mock.close();
  }
}

/**
 * A bundled name, such as `acme` or `large:deployments=1000`, has no dot and no slash; the path of a file has
 * one.
 */
function isBundled(fixture: string): boolean {
  return /^[a-z-]+(:[\w=,]+)?$/i.test(fixture);
}
