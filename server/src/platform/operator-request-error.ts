type Options = ErrorOptions & {
  /** A sentence with the command that helps. Only the command line prints it, after the message. */
  readonly command?: string
}

/**
 * Something that a person of the operator asked for and that cannot be done. Nothing was changed. The message says why,
 * on a terminal as on a screen, so it names no command.
 */
export class OperatorRequestError extends Error {
  override readonly name: string = 'OperatorRequestError'
  /** Whether a value is wrong in itself, whatever the database holds. */
  readonly isWrongValue: boolean = false
  readonly command: string | undefined

  constructor(message: string, { command, ...options }: Options = {}) {
    super(message, options)
    this.command = command
  }
}
