import { deskUser, type Person } from '../platform/approvals/people.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { peopleRefusals } from './people.refusals.ts'
import { permissionsOfStaff, type StaffPermission, type StaffRole } from './permissions/staff-permissions.ts'

/** Somebody of the staff who does something at the desk. */
export type Staff = {
  /** How the operator's log names the person. */
  readonly actor: string
  /** The person where two must agree: two sessions of one sign-in are one person. */
  readonly person: Person
  /** What the role of the person allows, for what a route shows to some of the staff alone. */
  readonly permissions: readonly StaffPermission[]
  /**
   * Called before anything is done to an account: another one of the staff does it where this person is a member.
   * @throws RefusalError 403 for the person's own account
   */
  readonly mustNotOwn: (accountId: string) => void
}

/** Somebody of the staff, as the session of the browser knows the person. */
type StaffPerson = {
  readonly personId: string
  readonly email: string
  /** The account that the person acts for in the app, if any. */
  readonly ownAccountId: string | undefined
}

/**
 * How the functions of the office know somebody who is signed in at the desk. A person signs in with an e-mail of their
 * own, so the e-mail stands also where the command line has the user of the operating system.
 */
export function staffOf({ personId, email, ownAccountId }: StaffPerson, role: StaffRole): Staff {
  return {
    actor: email,
    person: { by: email, osUser: deskUser(email), personId },
    permissions: permissionsOfStaff(role),
    mustNotOwn(accountId) {
      if (accountId.toLowerCase() === ownAccountId) throw new RefusalError(peopleRefusals.ownAccount)
    },
  }
}
