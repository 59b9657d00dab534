import type { FastifyRequest } from 'fastify'
import { personCookies, readCookie } from './auth/person-cookies.ts'

/** The part of a request that identifies its browser. */
export type Browser = {
  readonly session: string | undefined
  readonly secondFactor: string | undefined
  readonly device: string | undefined
  /** Cookie of an open sign-in with the directory. */
  readonly directory?: string | undefined
  /** The origin of the asking page, as browsers send it with every change. */
  readonly origin?: string | undefined
  readonly userAgent: string
  readonly address: string
}

const userAgentLengthMax = 300

export function browserOf(request: FastifyRequest): Browser {
  const { cookie } = request.headers
  return {
    session: readCookie(cookie, personCookies.session),
    secondFactor: readCookie(cookie, personCookies.secondFactor),
    device: readCookie(cookie, personCookies.device),
    directory: readCookie(cookie, personCookies.directory),
    origin: request.headers.origin,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLengthMax),
    address: request.ip,
  }
}

/**
 * Makes the headers for the sign-in library with only the named cookie. So the library cannot mistake an open session for a
 * second factor, nor a second factor for a session.
 */
export function headersFor(browser: Browser, cookie: 'session' | 'secondFactor' | 'none'): Headers {
  const headers = new Headers({ 'user-agent': browser.userAgent, 'x-makola-address': browser.address })
  const value = cookie === 'none' ? undefined : browser[cookie]
  if (cookie !== 'none' && value !== undefined) headers.set('cookie', `${personCookies[cookie]}=${value}`)
  return headers
}
