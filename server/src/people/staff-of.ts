import type { Person } from '../platform/approvals/people.ts'

/** Somebody of the staff who does something at the desk. */
export type Staff = {
  /** How the operator's log names the person. */
  readonly actor: string
  /** The person where two must agree: two sessions of one sign-in are one person. */
  readonly person: Person
}

/**
 * How the functions of the office know somebody who is signed in at the desk. A person signs in with an e-mail of their
 * own, so the e-mail stands also where the command line has the user of the operating system.
 */
export function staffOf(email: string): Staff {
  return { actor: email, person: { by: email, osUser: `desk:${email}` } }
}
