import { userInfo } from 'node:os'

/** Who typed a command, for the operator's log. */
export function operatorName(): string {
  try {
    return `cli:${userInfo().username}`
  } catch {
    // In a container the user may have a number and no name.
    return 'cli'
  }
}
