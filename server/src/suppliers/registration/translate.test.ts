import { describe, expect, it } from 'vitest'
import type { SupplierReply } from '../calling/call-supplier.ts'
import type { RegistrationAnswer } from '../registration-port.ts'
import { readRegistrationSettings } from './settings.ts'
import { translateRegistration } from './translate.ts'

const number = '0241234567'

function answered(status: number, body: unknown): SupplierReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, contentType: 'application/json', body: text, retryAfterSeconds: undefined }
}

const cases: readonly [string, SupplierReply, RegistrationAnswer['meaning']][] = [
  ['a registered number', answered(200, { number, state: 'registered' }), 'registered'],
  ['a number on its way', answered(200, { number, state: 'pending' }), 'pending'],
  ['an unregistered number', answered(200, { number, state: 'not_registered' }), 'not_registered'],
  ['fields we do not know beside it', answered(200, { number, state: 'registered', since: '2026-01-01' }), 'registered'],
  ['a number just taken in', answered(202, { number, state: 'pending' }), 'pending'],
  ['a number created', answered(201, { number, state: 'pending' }), 'pending'],
  ['a submitted number that was there', answered(200, { number, state: 'registered' }), 'registered'],
  ['another number', answered(200, { number: '0240000000', state: 'registered' }), 'unavailable'],
  ['the number as a number', answered(200, { number: 241_234_567, state: 'registered' }), 'unavailable'],
  ['the number in the international form', answered(200, { number: '233241234567', state: 'registered' }), 'unavailable'],
  ['no number', answered(200, { state: 'registered' }), 'unavailable'],
  ['no state', answered(200, { number }), 'unavailable'],
  ['an unknown word', answered(200, { number, state: 'active' }), 'unavailable'],
  ['a word in capitals', answered(200, { number, state: 'REGISTERED' }), 'unavailable'],
  ['an empty word', answered(200, { number, state: '' }), 'unavailable'],
  ['a boolean', answered(200, { number, state: true }), 'unavailable'],
  ['null', answered(200, 'null'), 'unavailable'],
  ['an array', answered(200, [{ number, state: 'registered' }]), 'unavailable'],
  ['an empty body', answered(200, ''), 'unavailable'],
  ['half a body', answered(200, `{"number":"${number}","state":"regis`), 'unavailable'],
  ['an HTML page with 200', answered(200, '<html>registered</html>'), 'unavailable'],
  ['204 with a body', answered(204, { number, state: 'registered' }), 'unavailable'],
  ['a redirect', answered(302, { number, state: 'registered' }), 'unavailable'],
  ['400', answered(400, { number, state: 'not_registered' }), 'unavailable'],
  ['401', answered(401, { error: 'unknown key' }), 'unavailable'],
  ['403', answered(403, { error: 'forbidden' }), 'unavailable'],
  ['404 in their words', answered(404, { number, state: 'not_registered' }), 'unavailable'],
  ['404 of a proxy', answered(404, '<html>Not Found</html>'), 'unavailable'],
  ['429', answered(429, { error: 'too many requests' }), 'unavailable'],
  ['500 with a state', answered(500, { number, state: 'not_registered' }), 'unavailable'],
  ['502', answered(502, '<html>Bad Gateway</html>'), 'unavailable'],
  ['503', answered(503, ''), 'unavailable'],
  ['a lost answer', { kind: 'lost', evidence: 'HeadersTimeoutError' }, 'unavailable'],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, 'unavailable'],
  ['a call that was held back', { kind: 'not_sent', evidence: 'stopped' }, 'unavailable'],
]

describe('a registration server’s answer', () => {
  it.each(cases)('%s means what the table says', (_name, reply, meaning) => {
    expect(translateRegistration(reply, number).meaning).toBe(meaning)
  })

  it('shows whether the server is there at all: any whole answer does, a call that was held back shows nothing', () => {
    const contactOf = (reply: SupplierReply) => translateRegistration(reply, number).contact
    expect(contactOf(answered(200, { number, state: 'registered' }))).toBe('answered')
    expect(contactOf(answered(503, ''))).toBe('answered')
    expect(contactOf({ kind: 'lost', evidence: 'HeadersTimeoutError' })).toBe('silent')
    expect(contactOf({ kind: 'unreachable', evidence: 'ECONNREFUSED' })).toBe('silent')
    expect(contactOf({ kind: 'not_sent', evidence: 'stopped' })).toBe('unasked')
  })

  it('is kept for the operator in one short line', () => {
    const { evidence } = translateRegistration(answered(500, `<html>\n${'x'.repeat(5_000)}`), number)
    expect(evidence).toMatch(/^HTTP 500 <html> x+…$/)
  })
})

describe('the settings of a registration server', () => {
  it('take a path below the base URL and nothing else', () => {
    expect(readRegistrationSettings({})).toEqual({ apiPath: '' })
    expect(readRegistrationSettings({ apiPath: '/1' })).toEqual({ apiPath: '/1' })
    for (const settings of [{ apiPath: '1' }, { apiPath: '/a?b' }, { apipath: '/1' }, 'x']) {
      expect(() => readRegistrationSettings(settings)).toThrow(/registration server/)
    }
  })
})
