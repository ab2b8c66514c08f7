/** Why a request is refused. */

/** A refusal, thrown by whoever meets it. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
