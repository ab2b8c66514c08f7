/** How many calls are let through at once, and how many more each second. */
export interface RateLimit {
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** A token bucket: full at first, refilled as the world's time passes. */
export class TokenBucket {
  readonly #limit: RateLimit;
  #tokens: number;
  #at: number | undefined;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#tokens = limit.capacity;
  }

  /** Takes a token at a time (ms) and answers 0; or the whole seconds until there is one. */
  take(now: number): number {
    const { capacity, refillPerSecond } = this.#limit;
    // A clock that was set back refills nothing.
    const passed = Math.max(0, now - (this.#at ?? now));
    this.#at = now;
    this.#tokens = Math.min(capacity, this.#tokens + (passed / 1000) * refillPerSecond);
    // Half a millionth of a token is what adding up thirds may lose.
    if (this.#tokens >= 1 - 1e-6) {
      this.#tokens = Math.max(0, this.#tokens - 1);
      return 0;
    }
    return Math.max(1, Math.ceil((1 - this.#tokens) / refillPerSecond - 1e-6));
  }

  clone(): TokenBucket {
    const copy = new TokenBucket(this.#limit);
    copy.#tokens = this.#tokens;
    copy.#at = this.#at;
    return copy;
  }
}
