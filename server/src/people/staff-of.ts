import { deskUser, type Person } from '../platform/approvals/people.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { peopleRefusals } from './people.refusals.ts'
import { permissionsOfStaff, type StaffPermission, type StaffRole } from './permissions/staff-permissions.ts'

/** Somebody of the staff who does something at the desk. */
export type Staff = {
  /** How the operator's log names the person. */
  readonly actor: string
  /** The person, for what takes two people. Somebody with several sessions is one person. */
  readonly person: Person
  /** The permissions of the person's role, for routes that show some things only to some of the staff. */
  readonly permissions: readonly StaffPermission[]
  /** Whether the person is a member of this account. */
  readonly owns: (accountId: string) => boolean
  /**
   * Refuses what this person wants to do to an account if the person is a member of it. Somebody else of the staff must
   * do it.
   *
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
 * Turns a person who is signed in at the desk into the form that the operator's functions take. People sign in with an
 * e-mail of their own, so the e-mail also stands where the command line has the user of the operating system.
 */
export function staffOf({ personId, email, ownAccountId }: StaffPerson, role: StaffRole): Staff {
  const owns = (accountId: string): boolean => accountId.toLowerCase() === ownAccountId
  return {
    actor: email,
    person: { by: email, osUser: deskUser(email), personId },
    permissions: permissionsOfStaff(role),
    owns,
    mustNotOwn(accountId) {
      if (owns(accountId)) throw new RefusalError(peopleRefusals.ownAccount)
    },
  }
}
