/** A command that cannot be carried out: what is wrong and what to do, one line for each problem. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** The command is wrong; otherwise the moment is, and to wait may help. */
  readonly usage: boolean;
  constructor(message: string, usage = true) {
    super(message);
    this.usage = usage;
  }
}
