/** The name under which the tab keeps who is signed in, so that it can tell that a session has ended. */
const personKey = 'makola.person'

/** True from the tap on "Sign out" until the page is loaded again. Meanwhile the app must not show the sign-in screen. */
export let isSigningOut = false

/** Signs out. @param signOut the call; when it fails, the person stays signed in */
export async function signOutBy(signOut: () => Promise<unknown>): Promise<void> {
  isSigningOut = true
  try {
    await signOut()
  } catch (error) {
    isSigningOut = false
    throw error
  }
}

/**
 * Deletes what the browser keeps of the person, except the references of purchases with an unknown outcome: without them the
 * person might buy the same twice. Their numbers and names are deleted, because the next person here could read them.
 */
function clearBrowserStorage(): void {
  sessionStorage.clear()
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith('makola.') && !key.startsWith('makola.purchases.')) localStorage.removeItem(key)
  }
}

/** Remembers who is signed in. Deletes what was kept of another person, such as a form that was not sent. */
export function rememberPerson(personId: string): void {
  if (isSigningOut) return
  const before = sessionStorage.getItem(personKey)
  if (before !== null && before !== personId) clearBrowserStorage()
  sessionStorage.setItem(personKey, personId)
}

/** True when this tab has had a signed-in person who has not signed out. */
export function wasSignedIn(): boolean {
  return sessionStorage.getItem(personKey) !== null
}

/**
 * After a sign-out, deletes what was kept of the person (see `clearBrowserStorage`). Then loads the page again, so that nothing of the
 * person stays in its memory, and no answer that is still on its way is shown.
 *
 * @param base the beginning of the app's addresses
 */
export function clearAndReload(base: string): void {
  clearBrowserStorage()
  window.location.replace(base)
}
