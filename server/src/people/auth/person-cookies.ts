/** The names of our cookies. Browsers accept a cookie with the prefix `__Host-` only over HTTPS, from and for this host alone. */
export const personCookies = {
  session: '__Host-makola_session',
  /** Set while a sign-in waits for the second factor. */
  secondFactor: '__Host-makola_second_factor',
  /** Set while a member of the staff signs in with the operator's directory (OpenID Connect). */
  directory: '__Host-makola_directory',
  /** Proves which e-mails have signed in on this device (`known-device.ts`). */
  device: '__Host-makola_device',
} as const

export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [given = '', ...rest] = pair.split('=')
    if (given.trim() === name) return rest.join('=').trim()
  }
  return undefined
}

/** Our own cookies among those of an answer, to be set in the browser. */
export function cookiesToSet(headers: Headers): string[] {
  const names: readonly string[] = Object.values(personCookies)
  return headers.getSetCookie().filter((cookie) => names.includes(cookie.slice(0, cookie.indexOf('='))))
}

/** The token of the session that the cookies open; undefined when they open none. */
export function sessionTokenIn(cookies: readonly string[]): string | undefined {
  const prefix = `${personCookies.session}=`
  const cookie = cookies.find((each) => each.startsWith(prefix))
  const value = cookie?.slice(prefix.length).split(';')[0] ?? ''
  const [token = ''] = decodeURIComponent(value).split('.')
  return token === '' ? undefined : token
}
