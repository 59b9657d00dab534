import { deskUser, type Person } from '../platform/approvals/people.ts'
import { permissionsOfStaff, type StaffPermission, type StaffRole } from './permissions/staff-permissions.ts'

/** Somebody of the staff who does something at the desk. */
export type Staff = {
  /** How the operator's log names the person. */
  readonly actor: string
  /** The person where two must agree: two sessions of one sign-in are one person. */
  readonly person: Person
  /** What the role of the person allows, for what a route shows to some of the staff alone. */
  readonly permissions: readonly StaffPermission[]
}

/**
 * How the functions of the office know somebody who is signed in at the desk. A person signs in with an e-mail of their
 * own, so the e-mail stands also where the command line has the user of the operating system.
 */
export function staffOf(email: string, role: StaffRole): Staff {
  return { actor: email, person: { by: email, osUser: deskUser(email) }, permissions: permissionsOfStaff(role) }
}
