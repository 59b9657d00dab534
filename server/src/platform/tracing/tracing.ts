/** A step of an order's life, for the collector of traces. Times are milliseconds since 1970, with fractions. */
export type OrderSpan = {
  readonly orderId: string
  readonly name: string
  readonly startedAt: number
  readonly endedAt: number
  /** No personal data, no amounts, and none of the reseller's own words. */
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  /** The step that contains this one. `purchase`: the whole order does. `none`: this step is the purchase. */
  readonly parent: 'none' | 'purchase' | { readonly spanId: string }
  /** The caller's own step, from the header `traceparent`. */
  readonly callerLink?: CallerLink | undefined
  readonly hasFailed?: boolean
}

/** A step of another trace: the trace's id and the step's id. */
export type CallerLink = { readonly traceId: string; readonly spanId: string }

export type Tracing = {
  /** Notes a step that has ended. Never throws. @returns the id of its span */
  note(span: OrderSpan): string
  /** Sends what was noted, and ends. */
  stop(): Promise<void>
}

/** The present time as a span has it: milliseconds since 1970, with fractions. */
export const spanNow = (): number => performance.timeOrigin + performance.now()

/** The id of an order's trace is made of the order's id, so every process knows it without asking another. */
export const traceIdOf = (orderId: string): string => orderId.replaceAll('-', '')

/** The id of the purchase's span, which contains all others. The last 64 bits of a UUIDv7 are random, except for two. */
export const purchaseSpanIdOf = (orderId: string): string => traceIdOf(orderId).slice(16)
