/**
 * A command that was typed correctly but cannot be done: this installation has no such thing, or refuses, or a file
 * cannot be read. `message` is one line for the person who typed it. Exit code 1.
 */
export class CommandError extends Error {
  override name = 'CommandError'
}

/**
 * What was typed is wrong on every installation: a malformed value, an unknown choice, a number out of bounds, or
 * options that exclude each other. Exit code 2.
 */
export class UsageError extends CommandError {
  override name = 'UsageError'
}
