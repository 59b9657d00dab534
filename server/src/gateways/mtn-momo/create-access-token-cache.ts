import { createHash } from 'node:crypto'

/** One account at MTN, at one address of the API. */
export type TokenAccount = { readonly baseUrl: string; readonly credentials: Readonly<Record<string, string>> }

/** A token is not used in this last part of its lifetime, so that it does not expire while a request is under way. */
const marginMilliseconds = 60_000

/** Keeps access tokens in the memory of this process until shortly before they end. */
export function createAccessTokenCache() {
  const kept = new Map<string, { readonly token: string; readonly until: number }>()
  // The key is a hash, so that the map holds no credentials.
  const keyOf = ({ baseUrl, credentials }: TokenAccount) =>
    createHash('sha256')
      .update(JSON.stringify([baseUrl, credentials]))
      .digest('hex')
  return {
    find(place: TokenAccount): string | undefined {
      const found = kept.get(keyOf(place))
      return found && found.until > performance.now() ? found.token : undefined
    },
    keep(place: TokenAccount, token: string, seconds: number): void {
      // Drops all tokens that have ended, also those of credentials that are not used any more.
      for (const [key, { until }] of kept) if (until <= performance.now()) kept.delete(key)
      kept.set(keyOf(place), { token, until: performance.now() + seconds * 1_000 - marginMilliseconds })
    },
    forget(place: TokenAccount): void {
      kept.delete(keyOf(place))
    },
  }
}
