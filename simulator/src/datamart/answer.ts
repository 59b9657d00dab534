import type { RateLimitView } from '../count-requests-per-minute.ts'

export type Answer = {
  readonly status: 'success' | 'error'
  readonly code?: string
  readonly message?: string
  readonly data?: unknown
  readonly rateLimit?: RateLimitView | null
}

export function errorAnswer(code: string, message: string, rateLimit?: RateLimitView | null): Answer {
  return { status: 'error', code, message, ...(rateLimit ? { rateLimit } : {}) }
}

export function successAnswer(data: unknown, rateLimit: RateLimitView | null): Answer {
  return { status: 'success', data, ...(rateLimit ? { rateLimit } : {}) }
}
