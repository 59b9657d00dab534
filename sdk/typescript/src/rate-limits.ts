/** Remembers what the headers `RateLimit` say, so that a call waits for its turn instead of being refused. */
export class RateLimits {
  /** The name under which the requests of an endpoint are counted; several endpoints may share one. */
  readonly #names = new Map<string, string>()
  /** The moment from which a name has requests again. */
  readonly #freeAt = new Map<string, number>()

  /** @returns the seconds until the endpoint takes a request of this key again */
  secondsUntilFree(endpoint: string): number {
    const name = this.#names.get(endpoint)
    const freeAt = name === undefined ? undefined : this.#freeAt.get(name)
    return freeAt === undefined ? 0 : Math.max(0, (freeAt - Date.now()) / 1_000)
  }

  /** Reads `RateLimit: "GET /account/role";r=29;t=60`. */
  note(endpoint: string, headers: Headers): void {
    const [, name, left, seconds] = /^"([^"]*)";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
    if (name === undefined) return
    this.#names.set(endpoint, name)
    if (left === '0') this.#freeAt.set(name, Date.now() + Number(seconds) * 1_000)
    else this.#freeAt.delete(name)
  }
}
