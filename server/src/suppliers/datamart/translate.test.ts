import { describe, expect, it } from 'vitest'
import type { SupplierReply } from '../calling/call-supplier.ts'
import { readDatamartSettings } from './settings.ts'
import { translateBalance, translateOrderCallback, translatePurchase, translateStatus } from './translate.ts'

const vocabulary = readDatamartSettings({ networks: { 'AT-BigTime': 'AT_BIGTIME' } })
const ref = '0dhh3v4q5e2g1s8m7k6j9b0aa'

function answered(status: number, body: unknown, retryAfterSeconds?: number): SupplierReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, contentType: 'application/json', body: text, retryAfterSeconds }
}

const order = (fields: object) => ({ status: 'success', data: { ref, orderReference: 'DM-00000001', price: 2.85, ...fields } })
const error = (code: string | undefined, message = 'No.') => ({ status: 'error', code, message })
const html = '<!doctype html><title>502 Bad Gateway</title><h1>502</h1>'

const documentedPurchase = {
  status: 'success',
  message: 'Data bundle purchased successfully',
  data: {
    purchaseId: '60f1e5b3e6b39812345678',
    orderReference: 'GN-AB12CD34',
    transactionReference: 'TRX-a1b2c3d4',
    network: 'YELLO',
    capacity: 5,
    price: 23,
    balanceBefore: 100,
    balanceAfter: 77,
    orderStatus: 'completed',
  },
  rateLimit: { limit: 150, remaining: 147, resetInSeconds: 45 },
}

const purchases: [string, SupplierReply, object][] = [
  [
    'a taken order',
    answered(200, order({ orderStatus: 'pending' })),
    { meaning: 'accepted', supplierReference: 'DM-00000001', reportedCostPesewas: 285 },
  ],
  [
    'the documented success, which names no reference of ours: the look-up tells the rest',
    answered(200, documentedPurchase),
    { meaning: 'unknown', hasSpoken: true, supplierReference: 'GN-AB12CD34' },
  ],
  [
    'a completed order that names our reference as theirs',
    answered(200, order({ ref: undefined, orderReference: ref, orderStatus: 'completed' })),
    { meaning: 'delivered' },
  ],
  [
    'a failed order without any reference',
    answered(200, { status: 'success', data: { orderStatus: 'failed' } }),
    { meaning: 'unknown' },
  ],
  ['a waiting order with 201', answered(201, order({ orderStatus: 'waiting' })), { meaning: 'accepted' }],
  ['a processing order', answered(200, order({ orderStatus: 'processing' })), { meaning: 'accepted' }],
  ['a status word in capitals', answered(200, order({ orderStatus: 'COMPLETED' })), { meaning: 'delivered' }],
  ['a replayed failure', answered(200, order({ orderStatus: 'failed', isReplay: true })), { meaning: 'failed' }],
  ['an order that was paid back', answered(200, order({ orderStatus: 'refunded' })), { meaning: 'failed' }],
  ['a status word we do not know', answered(200, order({ orderStatus: 'teleported' })), { meaning: 'unknown' }],
  ['success without a status word', answered(200, order({})), { meaning: 'unknown' }],
  ['success without data', answered(200, { status: 'success' }), { meaning: 'unknown' }],
  [
    'success in words we do not know',
    answered(200, { status: 'fine', data: { ref, orderStatus: 'completed' } }),
    { meaning: 'unknown' },
  ],
  ['success with data of the wrong type', answered(200, { status: 'success', data: 'completed' }), { meaning: 'unknown' }],
  ['a status word of the wrong type', answered(200, order({ orderStatus: 1 })), { meaning: 'unknown' }],
  ['an order of another reference', answered(200, order({ ref: 'another', orderStatus: 'completed' })), { meaning: 'unknown' }],
  ['success with a status of 302', answered(302, order({ orderStatus: 'completed' })), { meaning: 'unknown' }],
  ['an invalid recipient', answered(400, error('INVALID_RECIPIENT')), { meaning: 'rejected_recipient' }],
  ['a number of another network', answered(400, error('NETWORK_MISMATCH')), { meaning: 'rejected_recipient' }],
  ['an invalid capacity', answered(400, error('INVALID_CAPACITY')), { meaning: 'rejected_request' }],
  ['an invalid network', answered(400, error('INVALID_NETWORK')), { meaning: 'rejected_request' }],
  ['a code in small letters', answered(400, error('invalid_request')), { meaning: 'rejected_request' }],
  [
    'an invalid phone number in prose',
    answered(400, error(undefined, 'Invalid phone number')),
    { meaning: 'rejected_recipient' },
  ],
  ['an error code we do not know', answered(400, error('MOON_PHASE', 'Invalid phone number')), { meaning: 'unknown' }],
  [
    'an error code we do not know, in the other field and with 403',
    answered(403, { status: 'error', errorCode: 'MOON_PHASE', message: 'Oops' }),
    { meaning: 'unknown' },
  ],
  [
    'an error code we do not know, in the other field and with 402',
    answered(402, { status: 'error', errorCode: 'MOON_PHASE', message: 'Oops' }),
    { meaning: 'unknown' },
  ],
  ['an error in prose we do not know', answered(400, error(undefined, 'Something happened')), { meaning: 'unknown' }],
  ['an error in a 200, in words we know', answered(200, error('INVALID_RECIPIENT')), { meaning: 'rejected_recipient' }],
  ['an error in a 200, in words we do not know', answered(200, error(undefined, 'Oops')), { meaning: 'unknown' }],
  ['a wrong key', answered(401, error('INVALID_API_KEY')), { meaning: 'rejected_platform', cause: 'auth' }],
  ['a wrong key in prose', answered(401, error(undefined, 'Unauthorized')), { meaning: 'rejected_platform', cause: 'auth' }],
  ['a refusal of our address', answered(403, error('IP_NOT_ALLOWED')), { meaning: 'rejected_platform', cause: 'auth' }],
  ['403 in prose', answered(403, error(undefined, 'Forbidden')), { meaning: 'rejected_platform', cause: 'auth' }],
  ['403 as a page of a firewall', answered(403, html), { meaning: 'unknown' }],
  ['a disabled account', answered(403, error('ACCOUNT_DISABLED')), { meaning: 'rejected_platform', cause: 'disabled' }],
  ['an empty float', answered(402, error('INSUFFICIENT_BALANCE')), { meaning: 'rejected_platform', cause: 'float' }],
  [
    'an empty float in prose, as documented',
    answered(400, { status: 'error', message: 'Insufficient wallet balance', currentBalance: 10, requiredAmount: 23 }),
    { meaning: 'rejected_platform', cause: 'float' },
  ],
  ['402 in prose', answered(402, error(undefined, 'Payment required')), { meaning: 'rejected_platform', cause: 'float' }],
  ['a duplicate', answered(409, error('DUPLICATE_ORDER')), { meaning: 'duplicate_exists' }],
  ['a request that is still being worked on', answered(409, error('REQUEST_IN_PROGRESS')), { meaning: 'duplicate_exists' }],
  ['our reference for another purchase', answered(409, error('REFERENCE_CONFLICT')), { meaning: 'unknown' }],
  ['too many requests', answered(429, error('RATE_LIMITED'), 7), { meaning: 'throttled', retryAfterSeconds: 7 }],
  [
    'too many requests, time in the body',
    answered(429, { status: 'error', rateLimit: { resetInSeconds: 45 } }),
    { meaning: 'throttled', retryAfterSeconds: 45 },
  ],
  ['too many requests, from a proxy', answered(429, html), { meaning: 'throttled', retryAfterSeconds: 15 }],
  ['an unregistered number', answered(400, error('NUMBER_NOT_REGISTERED')), { meaning: 'not_registered' }],
  ['500 with a page of HTML', answered(500, html), { meaning: 'unknown' }],
  ['500 with words we know', answered(500, error('INVALID_RECIPIENT')), { meaning: 'unknown' }],
  ['503 with success', answered(503, order({ orderStatus: 'completed' })), { meaning: 'unknown' }],
  ['200 with a page of HTML', answered(200, html), { meaning: 'unknown' }],
  ['200 with truncated JSON', answered(200, '{"status":"success","data":{"orderStatus":"completed"'), { meaning: 'unknown' }],
  ['an empty body', answered(200, ''), { meaning: 'unknown' }],
  ['a JSON array', answered(200, '[]'), { meaning: 'unknown' }],
  ['JSON null', answered(200, 'null'), { meaning: 'unknown' }],
  ['404 of a wrong address', answered(404, error('ORDER_NOT_FOUND')), { meaning: 'unknown' }],
  ['a lost answer', { kind: 'lost', evidence: 'time-out' }, { meaning: 'unknown' }],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, { meaning: 'unreachable' }],
  ['a send that was held back', { kind: 'not_sent', evidence: 'late' }, { meaning: 'not_sent' }],
]

const statuses: [string, SupplierReply, object][] = [
  ...['pending', 'waiting', 'processing'].map((word): [string, SupplierReply, object] => [
    word,
    answered(200, order({ orderStatus: word })),
    { meaning: 'accepted' },
  ]),
  ['completed', answered(200, order({ orderStatus: 'completed' })), { meaning: 'delivered' }],
  ['failed', answered(200, order({ orderStatus: 'failed', reason: 'no' })), { meaning: 'failed' }],
  ['refunded', answered(200, order({ orderStatus: 'refunded' })), { meaning: 'failed' }],
  [
    'the documented answer, which names the reference otherwise',
    answered(200, { status: 'success', data: { orderId: '60f', reference: ref, orderStatus: 'completed', price: '23.00' } }),
    { meaning: 'delivered', reportedCostPesewas: 2300 },
  ],
  ['an unknown word', answered(200, order({ orderStatus: 'lost at sea' })), { meaning: 'unknown' }],
  ['another reference', answered(200, order({ ref: 'x', orderStatus: 'failed' })), { meaning: 'unknown' }],
  [
    'completed without any reference of ours',
    answered(200, order({ ref: undefined, orderStatus: 'completed' })),
    { meaning: 'unknown' },
  ],
  [
    'failed without any reference of ours',
    answered(200, order({ ref: undefined, orderStatus: 'failed' })),
    { meaning: 'unknown' },
  ],
  ['not found, by its code', answered(404, error('ORDER_NOT_FOUND')), { meaning: 'never_received' }],
  ['not found, in prose', answered(404, error(undefined, 'Order not found')), { meaning: 'never_received' }],
  ['a 404 of a wrong path', answered(404, { message: 'Route not found' }), { meaning: 'unknown' }],
  ['a 404 page', answered(404, html), { meaning: 'unknown' }],
  ['not found in a 200', answered(200, error('ORDER_NOT_FOUND')), { meaning: 'unknown' }],
  ['a refused key', answered(401, error('INVALID_API_KEY')), { meaning: 'unknown' }],
  ['a disabled account', answered(403, error('ACCOUNT_DISABLED')), { meaning: 'unknown' }],
  ['an invalid recipient, which a look-up cannot say', answered(400, error('INVALID_RECIPIENT')), { meaning: 'unknown' }],
  ['too many requests', answered(429, error('RATE_LIMITED'), 5), { meaning: 'unknown' }],
  ['500', answered(500, order({ orderStatus: 'failed' })), { meaning: 'unknown' }],
  ['garbage', answered(200, 'ok'), { meaning: 'unknown' }],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, { meaning: 'unknown' }],
  ['held back', { kind: 'not_sent', evidence: 'stopping' }, { meaning: 'unknown' }],
]

describe('what DataMart answers to a purchase', () => {
  it.each(purchases)('reads %s', (_name, reply, wanted) => {
    expect(translatePurchase(reply, ref, vocabulary)).toMatchObject(wanted)
  })

  it('keeps what was said in one line without control characters, shortened', () => {
    const reply = answered(400, `{"status":"error","code":"INVALID_RECIPIENT","message":"a\u0000b\n${'x'.repeat(5_000)}"}`)
    const { evidence } = translatePurchase({ ...reply }, ref, vocabulary)
    expect(evidence).toMatch(/^HTTP 400 /)
    expect(evidence).not.toMatch(/[\n\0]/)
    expect(evidence.length).toBeLessThanOrEqual(501)
  })

  it('drops a supplier reference that is not printable', () => {
    const answer = translatePurchase(
      answered(200, order({ orderReference: 'a\u0000b', orderStatus: 'pending' })),
      ref,
      vocabulary,
    )
    expect(answer).not.toHaveProperty('supplierReference')
  })
})

describe('what DataMart answers to a look-up', () => {
  it.each(statuses)('reads %s', (_name, reply, wanted) => {
    expect(translateStatus(reply, ref, vocabulary)).toMatchObject(wanted)
  })
})

describe('what DataMart answers to a balance read', () => {
  it.each<[string, SupplierReply, object]>([
    [
      'a balance',
      answered(200, { status: 'success', data: { balance: 192.5, currency: 'GHS' } }),
      { meaning: 'read', floatPesewas: 19250 },
    ],
    [
      'a balance as text, rounded down',
      answered(200, { status: 'success', data: { balance: '4.1099' } }),
      { meaning: 'read', floatPesewas: 410 },
    ],
    ['an empty balance', answered(200, { status: 'success', data: { balance: 0 } }), { meaning: 'read', floatPesewas: 0 }],
    ['another currency', answered(200, { status: 'success', data: { balance: 10, currency: 'USD' } }), { meaning: 'unknown' }],
    ['a negative balance', answered(200, { status: 'success', data: { balance: -1 } }), { meaning: 'unknown' }],
    ['a balance of the wrong type', answered(200, { status: 'success', data: { balance: true } }), { meaning: 'unknown' }],
    ['a refused key', answered(401, error('INVALID_API_KEY')), { meaning: 'refused', cause: 'auth' }],
    ['a disabled account', answered(403, error('ACCOUNT_DISABLED')), { meaning: 'refused', cause: 'disabled' }],
    ['too many requests', answered(429, error('RATE_LIMITED')), { meaning: 'unknown' }],
    ['500', answered(500, error('INVALID_API_KEY')), { meaning: 'unknown' }],
    ['garbage', answered(200, html), { meaning: 'unknown' }],
  ])('reads %s', (_name, reply, wanted) => {
    expect(translateBalance(reply, vocabulary)).toMatchObject(wanted)
  })
})

describe('what DataMart tells by callback', () => {
  it.each<[string, unknown, object | undefined]>([
    [
      'completed',
      { event: 'order.completed', data: { ref, orderStatus: 'completed' } },
      { outgoingReference: ref, answer: { meaning: 'delivered' } },
    ],
    [
      'failed, as documented',
      { event: 'order.failed', data: { orderReference: ref, status: 'failed' } },
      { outgoingReference: ref, answer: { meaning: 'failed' } },
    ],
    ['an unknown word', { data: { ref, orderStatus: 'what' } }, { outgoingReference: ref, answer: { meaning: 'unknown' } }],
    ['no reference', { data: { orderStatus: 'completed' } }, undefined],
    ['a reference with a NUL', { data: { ref: 'a\u0000', orderStatus: 'completed' } }, undefined],
    ['a number', 5, undefined],
  ])('reads %s', (_name, body, wanted) => {
    expect([translateOrderCallback(JSON.stringify(body), vocabulary)]).toMatchObject([wanted])
  })
})

describe('the settings of a DataMart supplier', () => {
  it('adds words of the operator to ours', () => {
    const words = readDatamartSettings({ statusWords: { Sent: 'delivered' }, errorCodes: { no_stock: 'rejected_request' } })
    expect(words.statusWords.get('sent')).toBe('delivered')
    expect(words.statusWords.get('pending')).toBe('accepted')
    expect(words.errorCodes.get('NO_STOCK')).toBe('rejected_request')
  })

  it.each([
    { statusWords: { sent: 'maybe' } },
    { networks: { MTN: 1 } },
    { apiPath: 'api/developer' },
    { apiPath: '/api?key=1' },
    { nonsense: true },
    'text',
  ])('refuses %j', (settings) => {
    expect(() => readDatamartSettings(settings)).toThrow(/must be|settings of a DataMart supplier/)
  })

  it('takes a path of the API, which may be empty', () => {
    expect(readDatamartSettings({ apiPath: '/v2/dev' }).apiPath).toBe('/v2/dev')
    expect(readDatamartSettings({ apiPath: '' }).apiPath).toBe('')
  })
})
