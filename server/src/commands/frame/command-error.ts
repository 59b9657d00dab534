/**
 * A correct command that cannot be done: the installation lacks what it names, or refuses it, or a file cannot be read. `message`
 * is one line for the person who typed it. Exit code 1.
 */
export class CommandError extends Error {
  override name = 'CommandError'
}

/**
 * A command that is wrong on every installation: a malformed value, an unknown choice, a number out of bounds, or options that
 * exclude each other. Exit code 2.
 */
export class UsageError extends CommandError {
  override name = 'UsageError'
}
