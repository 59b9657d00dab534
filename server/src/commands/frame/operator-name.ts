import { userInfo } from 'node:os'
import process from 'node:process'
import { readSudoUser } from '../../config.ts'
import type { Person } from '../../platform/approvals/two-people.ts'

/**
 * The user of the operating system who typed a command. On servers many people run commands as one user through `sudo`, so it is
 * the person who called `sudo`, if anybody did.
 */
export function osUser(): string {
  const sudoUser = readSudoUser()
  if (sudoUser !== undefined) return sudoUser
  try {
    return userInfo().username
  } catch {
    // A user in a container may have a number and no name.
    return String(process.getuid?.() ?? 'unknown')
  }
}

/**
 * Returns whether root runs the command and SUDO_USER names the user. Root can set that variable to any name, so a confirmation
 * by such a user is marked.
 */
function isUserNamed(): boolean {
  return readSudoUser() !== undefined && process.getuid?.() === 0
}

/** The actor in the operator's log. */
export function operatorName(): string {
  return `cli:${osUser()}`
}

/** The acting person: the name after `--by`, else the user of the operating system. */
export function personOf(by: string | undefined): Person {
  return { by: by ?? operatorName(), osUser: osUser(), ...(isUserNamed() && { isUserNamed: true }) }
}
