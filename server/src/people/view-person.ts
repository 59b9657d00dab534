import type { SignedInPerson } from './find-person.ts'

export function viewPerson({ personId, name, email, hasTwoFactor, confirmedUntil }: SignedInPerson) {
  return {
    person_id: personId,
    name,
    email,
    has_two_factor: hasTwoFactor,
    confirmed_until: confirmedUntil?.toISOString() ?? null,
  }
}
