/** Counts the requests of a fixed minute. Refused requests count too. */
export type MinuteCounter = {
  count(limit: number): { readonly isOver: boolean; readonly view: RateLimitView }
}

export type RateLimitView = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

/** Starts counting. The first minute begins with the first request. */
export function createMinuteCounter(): MinuteCounter {
  let minuteEndsAt = 0
  let counted = 0
  return {
    count: (limit) => {
      const now = Date.now()
      if (now >= minuteEndsAt) {
        minuteEndsAt = now + 60_000
        counted = 0
      }
      counted += 1
      const resetSeconds = Math.ceil((minuteEndsAt - now) / 1_000)
      return { isOver: counted > limit, view: { limit, remaining: Math.max(0, limit - counted), resetSeconds } }
    },
  }
}
