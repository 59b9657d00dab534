/**
 * The names of our cookies. Because of the prefix `__Host-`, browsers take such a cookie only over HTTPS, from this
 * host and for this host.
 */
export const personCookies = {
  session: '__Host-makola_session',
  /** Between the password and the second factor. */
  secondFactor: '__Host-makola_second_factor',
  /** By which a browser is known to the e-mails that signed in there (`known-device.ts`). */
  device: '__Host-makola_device',
} as const

/** The value of one cookie in a `Cookie` header; undefined when it is not there. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [given = '', ...rest] = pair.split('=')
    if (given.trim() === name) return rest.join('=').trim()
  }
  return undefined
}

/** Only these cookies of an answer are for the browser. */
export function cookiesToSet(headers: Headers): string[] {
  const names: readonly string[] = Object.values(personCookies)
  return headers.getSetCookie().filter((cookie) => names.includes(cookie.slice(0, cookie.indexOf('='))))
}

/** The token of the session that an answer opens; undefined when it opens none. */
export function sessionTokenIn(cookies: readonly string[]): string | undefined {
  const prefix = `${personCookies.session}=`
  const cookie = cookies.find((each) => each.startsWith(prefix))
  const value = cookie?.slice(prefix.length).split(';')[0] ?? ''
  const [token = ''] = decodeURIComponent(value).split('.')
  return token === '' ? undefined : token
}
