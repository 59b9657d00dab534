/** Under this name the tab remembers who is signed in, so that it can say that a session has ended. */
const personKey = 'makola.person'

function forgetKept(): void {
  sessionStorage.clear()
  for (const key of Object.keys(localStorage)) if (key.startsWith('makola.')) localStorage.removeItem(key)
}

/**
 * Remembers who is signed in. What the tab kept of somebody else, such as a form that was not sent, is forgotten.
 */
export function rememberPerson(personId: string): void {
  const before = sessionStorage.getItem(personKey)
  if (before !== null && before !== personId) forgetKept()
  sessionStorage.setItem(personKey, personId)
}

/** Whether somebody was signed in here who did not sign out. */
export function wasSignedIn(): boolean {
  return sessionStorage.getItem(personKey) !== null
}

/**
 * After signing out: forgets what this tab kept, and what the browser kept under names that begin with `makola.`. Then
 * it loads the page anew, so that nothing of the person is left in the memory of the page, and no answer that is still
 * on its way is shown.
 *
 * @param base where the app begins
 */
export function leave(base: string): void {
  forgetKept()
  window.location.replace(base)
}
