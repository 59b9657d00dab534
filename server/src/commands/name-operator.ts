import { userInfo } from 'node:os'

/** Who types a command, as the operator's log names them: `cli:ama`. */
export function nameOperator(): string {
  try {
    return `cli:${userInfo().username}`
  } catch {
    // A container may run under a number that no user of the system has.
    return 'cli'
  }
}
