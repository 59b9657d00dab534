import { userInfo } from 'node:os'
import process from 'node:process'
import { readSudoUser } from '../../config.ts'
import type { Person } from '../../platform/approvals/people.ts'

/**
 * The user of the operating system who typed a command. On a server, people often run commands as one common user
 * through `sudo`; then it is the person who called `sudo`.
 */
export function osUser(): string {
  const sudoUser = readSudoUser()
  if (sudoUser !== undefined) return sudoUser
  try {
    return userInfo().username
  } catch {
    // In a container the user may have a number and no name.
    return String(process.getuid?.() ?? 'unknown')
  }
}

/**
 * Whether the user's name comes from SUDO_USER while root runs the command. `sudo` sets it, and so can anybody who is
 * root, so what such a user confirms is marked.
 */
function isUserNamed(): boolean {
  return readSudoUser() !== undefined && process.getuid?.() === 0
}

/** Who typed a command, for the operator's log. */
export function operatorName(): string {
  return `cli:${osUser()}`
}

/** The person who gives a command: the name after `--by`, else the user of the operating system. */
export function personOf(by: string | undefined): Person {
  return { by: by ?? operatorName(), osUser: osUser(), ...(isUserNamed() && { isUserNamed: true }) }
}
