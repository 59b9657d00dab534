/** A command could not do what was asked; `message` is one line for the person who typed it. Exit code 1. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** The command was called wrongly, in a way that only shows once it looks closer. Exit code 2. */
export class UsageError extends CommandError {
  override name = 'UsageError'
}
