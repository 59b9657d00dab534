import type { SignedInPerson } from './find-person.ts'

/** A person as the answers show it. */
export function viewPerson({ personId, name, email, hasTwoFactor, confirmedUntil }: SignedInPerson) {
  return {
    person_id: personId,
    name,
    email,
    has_two_factor: hasTwoFactor,
    confirmed_until: confirmedUntil?.toISOString() ?? null,
  }
}
