/** The envelope of all of DataKazina's bodies. */
export type Answer = {
  readonly success: boolean
  readonly message: string
  readonly code?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly data?: unknown
}

/** A refusal in the envelope. */
export function errorAnswer(code: string, message: string): Answer {
  return { success: false, code, message }
}

/** A success in the envelope. */
export function successAnswer(message: string, data: unknown): Answer {
  return { success: true, message, data }
}
