import { deskUser } from '../platform/approvals/two-people.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import type { Actor } from '../platform/operations/operation.ts'
import { peopleRefusals } from './people.refusals.ts'
import { permissionsOfStaff, type StaffPermission, type StaffRole } from './permissions/staff-permissions.ts'

/** A member of the staff as the actor of an operation at the desk. */
export type Staff = Actor & {
  /** For routes that show some fields only to some roles. */
  readonly permissions: readonly StaffPermission[]
  /** @throws RefusalError 403 for an account of which the person is a member: another of the staff must do it */
  readonly mustNotOwn: (accountId: string) => void
}

/** A member of the staff with an open session. */
type StaffPerson = {
  readonly personId: string
  readonly email: string
  /** The account that the person acts for in the app, if any. */
  readonly ownAccountId: string | undefined
}

/**
 * Converts a signed-in person to the form that the operator's functions take. The actor is the e-mail here; on the command line
 * it is the user of the operating system.
 */
export function staffOf({ personId, email, ownAccountId }: StaffPerson, role: StaffRole): Staff {
  const owns = (accountId: string): boolean => accountId.toLowerCase() === ownAccountId
  const permissions = permissionsOfStaff(role)
  return {
    actor: email,
    person: { by: email, osUser: deskUser(email), personId },
    permissions,
    may: (permission) => permissions.some((each) => each === permission),
    owns,
    mustNotOwn(accountId) {
      if (owns(accountId)) throw new RefusalError(peopleRefusals.ownAccount)
    },
  }
}
