import { ApiRefusal } from '../api/call-api.ts'
import { isSigningOut, rememberPerson } from './leave.ts'

/** Asks the server who is signed in, and remembers the person for this tab. @returns null when nobody is signed in */
export async function readSignedInPerson<Me extends { readonly person: { readonly person_id: string } }>(
  ask: () => Promise<Me>,
): Promise<Me | null> {
  try {
    const me = await ask()
    rememberPerson(me.person.person_id)
    return me
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 401) return isSigningOut ? new Promise(() => undefined) : null
    throw error
  }
}
