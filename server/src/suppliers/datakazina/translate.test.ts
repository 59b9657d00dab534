import { describe, expect, it } from 'vitest'
import type { SupplierReply } from '../calling/call-supplier.ts'
import { readDatakazinaSettings } from './settings.ts'
import { translateBalance, translatePackages, translatePurchase, translateStatus } from './translate.ts'

const vocabulary = readDatakazinaSettings({})
const ref = '0dhh3v4q5e2g1s8m7k6j9b0aa'
const code = 'DK-00000001'

function answered(status: number, body: unknown, retryAfterSeconds?: number): SupplierReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, contentType: 'application/json', body: text, retryAfterSeconds }
}

const order = (fields: object) => ({
  success: true,
  message: 'ok',
  data: { transaction_code: code, incoming_api_ref: ref, amount: '4.6599', ...fields },
})
const error = (errorCode: string | undefined, message = 'No.') => ({ success: false, code: errorCode, message })
const taken = 'The incoming api ref has already been taken.'
const html = '<!doctype html><title>502 Bad Gateway</title><h1>502</h1>'

const purchases: [string, SupplierReply, object][] = [
  [
    'a taken order, its cost cut to the pesewa',
    answered(200, order({ status: 'pending' })),
    { meaning: 'accepted', supplierReference: code, reportedCostPesewas: 465 },
  ],
  ['a taken order with 201', answered(201, order({ status: 'processing' })), { meaning: 'accepted', supplierReference: code }],
  ['a delivered order', answered(200, order({ status: 'Delivered' })), { meaning: 'delivered' }],
  [
    'a delivered order without a reference of ours, with their code to ask by',
    answered(200, order({ incoming_api_ref: undefined, status: 'delivered' })),
    { meaning: 'unknown', hasSpoken: true, supplierReference: code },
  ],
  ['an order that failed at once', answered(200, order({ status: 'failed' })), { meaning: 'failed' }],
  ['an order that was paid back', answered(200, order({ status: 'refunded' })), { meaning: 'failed' }],
  [
    'a status word we do not know, with their code',
    answered(200, order({ status: 'sent' })),
    { meaning: 'unknown', supplierReference: code },
  ],
  ['success without a status word', answered(200, order({})), { meaning: 'unknown', supplierReference: code }],
  ['success without data', answered(200, { success: true }), { meaning: 'unknown' }],
  ['success in words we do not know', answered(200, { success: 'yes', data: { status: 'delivered' } }), { meaning: 'unknown' }],
  ['success that is not claimed', answered(200, { data: { status: 'delivered' } }), { meaning: 'unknown' }],
  ['an order of another reference', answered(200, order({ incoming_api_ref: 'x', status: 'delivered' })), { meaning: 'unknown' }],
  ['success with a status of 302', answered(302, order({ status: 'delivered' })), { meaning: 'unknown' }],
  [
    'a duplicate that names the earlier code',
    answered(422, { success: false, message: taken, errors: { incoming_api_ref: [taken] }, data: { transaction_code: code } }),
    { meaning: 'duplicate_exists', supplierReference: code },
  ],
  [
    'a duplicate that names the code beside the message',
    answered(422, { success: false, message: taken, transaction_code: code }),
    { meaning: 'duplicate_exists', supplierReference: code },
  ],
  ['a duplicate that names nothing', answered(422, { message: 'Duplicate' }), { meaning: 'duplicate_exists' }],
  [
    'a duplicate with a code of theirs that would otherwise be a rejection: an earlier submit exists all the same',
    answered(422, { success: false, code: 'INVALID_RECIPIENT', message: taken }),
    { meaning: 'duplicate_exists' },
  ],
  [
    'a complaint about another field with 422, which never is a failure',
    answered(422, { success: false, message: 'Invalid msisdn', errors: { recipient_msisdn: ['Invalid msisdn'] } }),
    { meaning: 'unknown' },
  ],
  [
    'a duplicate of another reference',
    answered(422, { success: false, message: taken, data: { incoming_api_ref: 'x', transaction_code: code } }),
    { meaning: 'unknown' },
  ],
  ['422 as a page', answered(422, html), { meaning: 'unknown' }],
  ['an invalid recipient', answered(400, error('INVALID_RECIPIENT')), { meaning: 'rejected_recipient' }],
  [
    'an invalid recipient in prose',
    answered(400, error(undefined, 'Invalid recipient msisdn')),
    { meaning: 'rejected_recipient' },
  ],
  ['an invalid network', answered(400, error('INVALID_NETWORK')), { meaning: 'rejected_request' }],
  ['an invalid bundle, code in small letters', answered(400, error('invalid_bundle')), { meaning: 'rejected_request' }],
  ['an unregistered number', answered(400, error('NUMBER_NOT_REGISTERED')), { meaning: 'not_registered' }],
  ['an error code we do not know', answered(400, error('MOON_PHASE', 'Invalid recipient')), { meaning: 'unknown' }],
  ['an error in prose we do not know', answered(400, error(undefined, 'Something happened')), { meaning: 'unknown' }],
  ['an empty float', answered(402, error('INSUFFICIENT_BALANCE')), { meaning: 'rejected_platform', cause: 'float' }],
  [
    'an empty float in prose',
    answered(400, error(undefined, 'Insufficient console balance')),
    { meaning: 'rejected_platform', cause: 'float' },
  ],
  ['a refused key', answered(401, { success: false, message: 'Hm' }), { meaning: 'rejected_platform', cause: 'auth' }],
  ['a disabled account', answered(403, error('ACCOUNT_DISABLED')), { meaning: 'rejected_platform', cause: 'disabled' }],
  ['a refusal to talk to us', answered(403, error(undefined)), { meaning: 'rejected_platform', cause: 'auth' }],
  ['403 of a proxy', answered(403, html), { meaning: 'unknown' }],
  ['too many requests', answered(429, error('TOO_MANY_REQUESTS'), 7), { meaning: 'throttled', retryAfterSeconds: 7 }],
  ['too many requests, from a proxy', answered(429, html), { meaning: 'throttled', retryAfterSeconds: 15 }],
  ['500 with a page of HTML', answered(500, html), { meaning: 'unknown' }],
  ['500 with words we know', answered(500, error('INVALID_RECIPIENT')), { meaning: 'unknown' }],
  ['503 with success', answered(503, order({ status: 'delivered' })), { meaning: 'unknown' }],
  ['200 with a page of HTML', answered(200, html), { meaning: 'unknown' }],
  ['200 with truncated JSON', answered(200, '{"success":true,"data":{"status":"delivered"'), { meaning: 'unknown' }],
  ['an empty body', answered(200, ''), { meaning: 'unknown' }],
  ['a JSON array', answered(200, '[]'), { meaning: 'unknown' }],
  ['404 of a wrong address', answered(404, error('TRANSACTION_NOT_FOUND')), { meaning: 'unknown' }],
  ['a lost answer', { kind: 'lost', evidence: 'time-out' }, { meaning: 'unknown' }],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, { meaning: 'unreachable' }],
  ['a send that was held back', { kind: 'not_sent', evidence: 'late' }, { meaning: 'not_sent' }],
]

const statuses: [string, SupplierReply, object][] = [
  ['pending', answered(200, order({ status: 'pending' })), { meaning: 'accepted' }],
  ['processing', answered(200, order({ status: 'processing' })), { meaning: 'accepted' }],
  ['delivered', answered(200, order({ status: 'delivered' })), { meaning: 'delivered', reportedCostPesewas: 465 }],
  ['failed', answered(200, order({ status: 'failed' })), { meaning: 'failed' }],
  ['an unknown word', answered(200, order({ status: 'lost at sea' })), { meaning: 'unknown' }],
  [
    'delivered, by the code that was asked for alone',
    answered(200, order({ incoming_api_ref: undefined, status: 'delivered' })),
    { meaning: 'delivered' },
  ],
  [
    'delivered without any reference',
    answered(200, order({ incoming_api_ref: undefined, transaction_code: undefined, status: 'delivered' })),
    { meaning: 'unknown' },
  ],
  [
    'failed without any reference',
    answered(200, order({ incoming_api_ref: undefined, transaction_code: undefined, status: 'failed' })),
    { meaning: 'unknown' },
  ],
  ['another order of ours', answered(200, order({ incoming_api_ref: 'x', status: 'failed' })), { meaning: 'unknown' }],
  ['another code', answered(200, order({ transaction_code: 'DK-2', status: 'failed' })), { meaning: 'unknown' }],
  ['not found, of a code that they gave us', answered(404, error('TRANSACTION_NOT_FOUND')), { meaning: 'unknown' }],
  ['a 404 page', answered(404, html), { meaning: 'unknown' }],
  ['a refused key', answered(401, error('UNAUTHENTICATED')), { meaning: 'unknown' }],
  ['an invalid recipient, which a look-up cannot say', answered(400, error('INVALID_RECIPIENT')), { meaning: 'unknown' }],
  ['a duplicate, which a look-up cannot say', answered(422, error(undefined, taken)), { meaning: 'unknown' }],
  ['too many requests', answered(429, error('TOO_MANY_REQUESTS'), 5), { meaning: 'unknown' }],
  ['500', answered(500, order({ status: 'failed' })), { meaning: 'unknown' }],
  ['garbage', answered(200, 'ok'), { meaning: 'unknown' }],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, { meaning: 'unknown' }],
  ['held back', { kind: 'not_sent', evidence: 'stopping' }, { meaning: 'unknown' }],
]

describe('what DataKazina answers to a purchase', () => {
  it.each(purchases)('reads %s', (_name, reply, wanted) => {
    expect(translatePurchase(reply, ref, vocabulary)).toMatchObject(wanted)
  })

  it('never reads a failure or a rejection out of a 422', () => {
    const bodies = [order({ status: 'failed' }), error('INVALID_BUNDLE'), error('INSUFFICIENT_BALANCE'), {}, { success: true }]
    for (const body of bodies) {
      expect(['duplicate_exists', 'unknown']).toContain(translatePurchase(answered(422, body), ref, vocabulary).meaning)
    }
  })

  it('drops a code that is not printable', () => {
    const answer = translatePurchase(answered(200, order({ transaction_code: 'a\u0000b', status: 'pending' })), ref, vocabulary)
    expect(answer).not.toHaveProperty('supplierReference')
  })
})

describe('what DataKazina answers to a look-up', () => {
  it.each(statuses)('reads %s', (_name, reply, wanted) => {
    const expected = { outgoingReference: ref, supplierReference: code }
    expect(translateStatus(reply, expected, vocabulary)).toMatchObject(wanted)
  })
})

describe('what DataKazina answers to a balance read', () => {
  const balance = (fields: object) => ({ success: true, message: 'ok', data: fields })
  it.each<[string, SupplierReply, object]>([
    ['a balance as text', answered(200, balance({ console_balance: '192.5099' })), { meaning: 'read', floatPesewas: 19250 }],
    ['a balance as a number', answered(200, balance({ balance: 0, currency: 'GHS' })), { meaning: 'read', floatPesewas: 0 }],
    ['another currency', answered(200, balance({ console_balance: '1', currency: 'USD' })), { meaning: 'unknown' }],
    ['a negative balance', answered(200, balance({ console_balance: '-1' })), { meaning: 'unknown' }],
    ['a refused key', answered(401, error('UNAUTHENTICATED')), { meaning: 'refused', cause: 'auth' }],
    ['a disabled account', answered(403, error('ACCOUNT_DISABLED')), { meaning: 'refused', cause: 'disabled' }],
    ['too many requests', answered(429, error('TOO_MANY_REQUESTS')), { meaning: 'unknown' }],
    ['500', answered(500, error('UNAUTHENTICATED')), { meaning: 'unknown' }],
    ['garbage', answered(200, html), { meaning: 'unknown' }],
  ])('reads %s', (_name, reply, wanted) => {
    expect(translateBalance(reply, vocabulary)).toMatchObject(wanted)
  })
})

describe('the price list of DataKazina', () => {
  const list = {
    success: true,
    message: 'ok',
    data: [{ network_id: 3, shared_bundle: 1024, price: '4.65' }, { network_id: 9 }, 5],
  }

  it('is read in the unit that is configured, without rows that mean nothing to us', () => {
    const mtn = { network: 'MTN', code: '1024', costPesewas: 465 }
    const words = readDatakazinaSettings({ megabytesPerGigabyte: 1024 })
    expect(translatePackages(answered(200, list), words)).toEqual({ meaning: 'read', packages: [{ ...mtn, volumeGb: 1 }] })
    expect(translatePackages(answered(200, list), readDatakazinaSettings({ sharedBundleUnit: 'GB' }))).toEqual({
      meaning: 'read',
      packages: [{ ...mtn, volumeGb: 1024 }],
    })
  })

  it.each([answered(500, list), answered(200, { success: false }), answered(200, html)])('is unknown for %j', (reply) => {
    expect(translatePackages(reply, vocabulary)).toMatchObject({ meaning: 'unknown' })
  })
})

describe('the settings of a DataKazina supplier', () => {
  it('adds words of the operator to ours', () => {
    const words = readDatakazinaSettings({ statusWords: { Sent: 'delivered' }, networks: { MTN: 7 } })
    expect(words.statusWords.get('sent')).toBe('delivered')
    expect(words.networks).toMatchObject({ MTN: 7, Telecel: 2, 'AT-iShare': 1, 'AT-BigTime': 4 })
  })

  it.each([
    { statusWords: { sent: 'maybe' } },
    { networks: { MTN: '3' } },
    { sharedBundleUnit: 'KB' },
    { apiPath: 'api/v1' },
    { apiPath: '/api v1' },
    { nonsense: true },
    'text',
  ])('refuses %j', (settings) => {
    expect(() => readDatakazinaSettings(settings)).toThrow(/must be|settings of a DataKazina supplier/)
  })
})
