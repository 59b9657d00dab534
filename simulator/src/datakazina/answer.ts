export type Answer = {
  readonly success: boolean
  readonly message: string
  readonly code?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly data?: unknown
}

export function errorAnswer(code: string, message: string): Answer {
  return { success: false, code, message }
}

export function successAnswer(message: string, data: unknown): Answer {
  return { success: true, message, data }
}
