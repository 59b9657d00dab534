type Options = ErrorOptions & {
  /** A sentence with the command that helps. Only the command line prints it, after the message. */
  readonly command?: string
}

/**
 * A request of the operator's staff that cannot be carried out. Nothing was changed. The message gives the reason, on a
 * terminal and on a screen, so it names no command.
 */
export class OperatorRequestError extends Error {
  override readonly name: string = 'OperatorRequestError'
  /** True when a value is wrong in itself, whatever the database holds. */
  readonly isWrongValue: boolean = false
  readonly command: string | undefined

  constructor(message: string, { command, ...options }: Options = {}) {
    super(message, options)
    this.command = command
  }
}
