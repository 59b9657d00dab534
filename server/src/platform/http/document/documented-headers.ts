const always = (word: string) => ({ type: 'string' as const, enum: [word] })

/** Headers of our answers in the OpenAPI document, each once; answers refer to them by name. */
export const documentedHeaders = {
  'X-Request-Id': { description: 'Names this request in the log.', schema: { type: 'string' } },
  'X-Makola-Mode': {
    description: '`simulated` on an installation without real suppliers, where no real money moves; else left out.',
    schema: always('simulated'),
  },
  'X-Error-Reason': { description: 'The reason as a word for programs.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before trying again, where they are known.', schema: { type: 'integer' } },
  RateLimit: {
    description: 'Requests left (`r`) and seconds until the count begins anew (`t`), when the endpoint has a limit.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) per window of seconds (`w`), when the endpoint has a limit.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` when the reference had been used for the same request before: this call charged nothing.',
    schema: always('true'),
  },
  'Cache-Control': { description: 'Nothing may be stored on the way.', schema: { type: 'string' } },
  'Strict-Transport-Security': {
    description: 'Only HTTPS from now on; left out by a server with a certificate of its own making.',
    schema: { type: 'string' },
  },
  'Content-Security-Policy': { description: 'For browsers: nothing of the answer is run or framed.', schema: { type: 'string' } },
  'Referrer-Policy': { description: 'For browsers: the address is sent to no other site.', schema: { type: 'string' } },
  'X-Content-Type-Options': { description: 'For browsers: the answer is what its type says.', schema: { type: 'string' } },
} as const

type HeaderName = keyof typeof documentedHeaders

const everywhere: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Makola-Mode',
  'Cache-Control',
  'Strict-Transport-Security',
  'Content-Security-Policy',
  'Referrer-Policy',
  'X-Content-Type-Options',
]
const limited: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy']

/** These statuses are answered before the request is counted, so they have no headers of the limit. */
const uncounted: ReadonlySet<string> = new Set(['401', '403', '410'])
/** Statuses with which `Retry-After` may be sent. */
const passing: ReadonlySet<string> = new Set(['409', '429', '502', '503'])

function pointTo(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** @param canRepeat true when the endpoint recognises repeats by their reference */
export function successHeaders(canRepeat: boolean): Record<string, object> {
  return pointTo([...everywhere, ...limited, ...(canRepeat ? (['Idempotent-Replayed'] as const) : [])])
}

export function refusalHeaders(status: string): Record<string, object> {
  return pointTo([
    ...everywhere,
    'X-Error-Reason',
    ...(uncounted.has(status) ? [] : limited),
    ...(passing.has(status) ? (['Retry-After'] as const) : []),
  ])
}
