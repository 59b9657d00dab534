import type { FastifyRequest } from 'fastify'
import { personCookies, readCookie } from './auth/person-cookies.ts'

/** The browser that asks, as far as it matters here. */
export type Browser = {
  readonly session: string | undefined
  readonly secondFactor: string | undefined
  readonly userAgent: string
  readonly address: string
}

const userAgentLengthMax = 300

/** What a request tells of its browser. */
export function browserOf(request: FastifyRequest): Browser {
  const { cookie } = request.headers
  return {
    session: readCookie(cookie, personCookies.session),
    secondFactor: readCookie(cookie, personCookies.secondFactor),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLengthMax),
    address: request.ip,
  }
}

/**
 * The headers for the library: of the cookies only the one that is meant, so that a session that is still open does not
 * stand in for a second factor, nor the other way round.
 */
export function headersFor(browser: Browser, cookie: 'session' | 'secondFactor' | 'none'): Headers {
  const headers = new Headers({ 'user-agent': browser.userAgent, 'x-makola-address': browser.address })
  const value = cookie === 'none' ? undefined : browser[cookie]
  if (cookie !== 'none' && value !== undefined) headers.set('cookie', `${personCookies[cookie]}=${value}`)
  return headers
}
