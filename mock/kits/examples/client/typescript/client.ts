/** A client of the service. CLIENT_FAULT switches on mistakes, by name, several with commas between them. */
const {
  CLIENT_FAULT = '',
  LOCKSTEP_BASE_URL = '',
  LOCKSTEP_ADMIN_KEY,
  LOCKSTEP_SCIM_TOKEN,
} = process.env;
export const has = (fault: string): boolean => CLIENT_FAULT.split(',').includes(fault);

/** No answer, or a useless one. */
class Failed extends Error {}

interface Sent {
  readonly body?: object;
  readonly key?: string | undefined;
  readonly contentType?: boolean;
  readonly timeLimit?: boolean;
}

async function send(method: string, path: string, sent: Sent = {}) {
  const { body, key = LOCKSTEP_ADMIN_KEY, contentType = true, timeLimit = true } = sent;
  const headers: Record<string, string> = { Authorization: `Bearer ${key}` };
  if (body !== undefined && contentType) headers['Content-Type'] = 'application/json';
  const signal = timeLimit ? AbortSignal.timeout(3000) : null;
  const init = { method, headers, signal, body: body === undefined ? null : JSON.stringify(body) };
  try {
    const response = await fetch(LOCKSTEP_BASE_URL + path, init);
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new Failed(`${method} ${path}: ${error}`);
  }
}

/** JSON of an answer that is a success. */
function read({ status, text }: { readonly status: number; readonly text: string }) {
  if (status < 200 || status > 299) throw new Failed(`answered ${status}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Failed('the answer is not JSON');
  }
}

export async function createToken(environment: string): Promise<string> {
  const path = `/api/v1/deployments/1/environments/${environment}/tokens-for-meta-sync`;
  const create = async () =>
    read(await send('POST', path, { body: { security_context: { tenant_id: 42 } } }));
  // No promise says that this write may be repeated.
  const answer = has('blind-repeat') ? await create().catch(create) : await create();
  return answer.data.token;
}

export async function renameFolder(folder: number, name: string): Promise<string> {
  try {
    const path = `/api/v1/deployments/1/folders/${folder}`;
    return read(await send('PUT', path, { body: { name } })).name;
  } catch (error) {
    if (!has('swallowed-error')) throw error;
    return name;
  }
}

export async function users(): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const path = `/api/scim/v2/Users?startIndex=${names.length + 1}`;
    const page = read(await send('GET', path, { key: LOCKSTEP_SCIM_TOKEN }));
    const found = page.Resources ?? [];
    names.push(...found.map(({ userName }: { userName: string }) => userName));
    if (has('half-of-the-pages') || names.length >= page.totalResults) return names;
    if (found.length === 0) throw new Failed('a page is empty, and there is more to come');
  }
}

export async function currentVersion(): Promise<string> {
  const timeLimit = !has('hang');
  const { data } = read(await send('GET', '/api/v1/deployments/1/versions', { timeLimit }));
  return data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)?.version;
}

export async function enableStaging(branchName: string): Promise<'enabled' | 'refused'> {
  const path = '/build/api/v1/deployments/1/branches/staging-environment';
  const answer = await send('PUT', path, { body: { branchName, enabled: true } });
  // The description says that this is refused, but not with which status.
  const isRefused = answer.status >= 400 && answer.status < 500;
  if (has('status') ? answer.status === 400 : isRefused) return 'refused';
  read(answer);
  return 'enabled';
}

export async function addRecipient(notification: number, userId: number): Promise<string[]> {
  const path = `/api/v1/deployments/1/notifications/${notification}/recipients`;
  const body = { recipients: [{ userId }] };
  // Without the header, the service may refuse to read the body as JSON.
  const answer = read(await send('POST', path, { body, contentType: !has('header') }));
  return answer.createdRecipients.map(({ email }: { email: string }) => email);
}

export async function hasStaging(branchName: string): Promise<boolean> {
  const answer = await send('GET', '/api/v1/deployments/1/environments?type=staging');
  // A gateway's 503 in JSON has no environments either.
  const { data } = has('parse') ? JSON.parse(answer.text) : read(answer);
  const environments: { name: string }[] = data?.environments ?? [];
  return environments.some(({ name }) => name === `staging ${branchName}`);
}
