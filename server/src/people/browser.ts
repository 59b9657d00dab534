import type { FastifyRequest } from 'fastify'
import { personCookies, readCookie } from './auth/person-cookies.ts'

/** What a request tells about its browser: the cookies of ours that it sent, its user agent and its address. */
export type Browser = {
  readonly session: string | undefined
  readonly secondFactor: string | undefined
  readonly device: string | undefined
  readonly userAgent: string
  readonly address: string
}

const userAgentLengthMax = 300

/** Reads from a request what it tells about its browser. */
export function browserOf(request: FastifyRequest): Browser {
  const { cookie } = request.headers
  return {
    session: readCookie(cookie, personCookies.session),
    secondFactor: readCookie(cookie, personCookies.secondFactor),
    device: readCookie(cookie, personCookies.device),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLengthMax),
    address: request.ip,
  }
}

/**
 * The headers that the sign-in library gets. Of the browser's cookies they hold only the one that is named, so that an
 * open session is not taken for a second factor, nor a second factor for a session.
 */
export function headersFor(browser: Browser, cookie: 'session' | 'secondFactor' | 'none'): Headers {
  const headers = new Headers({ 'user-agent': browser.userAgent, 'x-makola-address': browser.address })
  const value = cookie === 'none' ? undefined : browser[cookie]
  if (cookie !== 'none' && value !== undefined) headers.set('cookie', `${personCookies[cookie]}=${value}`)
  return headers
}
