import { describe, expect, it } from 'vitest'
import type { SupplierReply } from '../calling/call-supplier.ts'
import { checkHubtelSettings, readHubtelSettings } from './settings.ts'
import { translateBalance, translateCallback, translatePayment, translateStatus } from './translate.ts'

const vocabulary = readHubtelSettings({ prepaidDepositId: '2001', posSalesId: '1001', email: 'bills@makola.test' })
const ref = '0dhh3v4q5e2g1s8m7k6j9b0aa'

function answered(status: number, body: unknown, retryAfterSeconds?: number): SupplierReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, contentType: 'application/json', body: text, retryAfterSeconds }
}

const html = '<!doctype html><title>502 Bad Gateway</title><h1>502</h1>'
const taken = { ClientReference: ref, Amount: 5.5, TransactionId: 'f03dbd', Meta: { Commission: '0.1659' } }
const said = (code: string | number, message = 'Words.', data: unknown = null) => ({
  ResponseCode: code,
  Message: message,
  Data: data,
})
const invalid = (field: string, error: string) => said('4010', 'Validation Errors', [{ Field: field, ErrorMessage: error }])

const payments: [string, SupplierReply, object][] = [
  [
    'pending, with a commission as text of 4 decimals, rounded down once',
    answered(200, said('0001', 'Pending', taken)),
    { meaning: 'accepted', supplierReference: 'f03dbd', reportedCommissionPesewas: 16 },
  ],
  [
    'a commission as a float that binary cannot hold',
    answered(200, said('0001', 'Pending', { ...taken, Meta: { Commission: 4.1 } })),
    { meaning: 'accepted', reportedCommissionPesewas: 410 },
  ],
  [
    'a commission below a pesewa',
    answered(200, said('0001', 'Pending', { ...taken, Meta: { Commission: '0.0099' } })),
    { reportedCommissionPesewas: 0 },
  ],
  ['pending as a number', answered(200, said(1, 'Pending', taken)), { meaning: 'accepted' }],
  ['pending in camelCase', answered(200, { responseCode: '0001', data: { clientReference: ref } }), { meaning: 'accepted' }],
  ['pending with 201', answered(201, said('0001', 'Pending', taken)), { meaning: 'accepted' }],
  ['pending without data', answered(200, said('0001')), { meaning: 'accepted' }],
  [
    'processed at once',
    answered(200, said('0000', 'Processed', { ...taken, AmountDebited: 5.5 })),
    { meaning: 'delivered', reportedCostPesewas: 550 },
  ],
  ['processed without a reference of ours', answered(200, said('0000', 'Processed')), { meaning: 'unknown', hasSpoken: true }],
  [
    'processed with their reference alone',
    answered(200, said('0000', 'Processed', { ...taken, ClientReference: undefined })),
    { meaning: 'unknown', supplierReference: 'f03dbd' },
  ],
  ['processed in an HTTP 400', answered(400, said('0000', 'Processed', taken)), { meaning: 'unknown' }],
  ['pending in an HTTP 403', answered(403, said('0001', 'Pending', taken)), { meaning: 'unknown' }],
  [
    'processed, of another reference',
    answered(200, said('0000', 'Processed', { ...taken, ClientReference: 'other' })),
    { meaning: 'unknown' },
  ],
  ['an HTTP failure behind them', answered(200, said('0005', 'HTTP failure exception')), { meaning: 'unknown' }],
  [
    'a general failure, which is not final here',
    answered(200, said('2001', 'Recipient is not registered')),
    { meaning: 'unknown' },
  ],
  ['a general failure 2000', answered(200, said('2000', 'Failed')), { meaning: 'unknown' }],
  ['a general failure in an HTTP 400', answered(400, said('2001', 'Bad bundle')), { meaning: 'unknown' }],
  [
    'a general failure that speaks of the deposit',
    answered(200, said('2001', 'INSUFFICIENT balance in prepaid account')),
    { meaning: 'unknown', suspects: 'float' },
  ],
  [
    '4075: seen followed by a delivery',
    answered(200, said('4075', 'Insufficient prepaid balance')),
    { meaning: 'unknown', suspects: 'float' },
  ],
  ['4075 in an HTTP 402', answered(402, said('4075', 'Low')), { meaning: 'unknown', suspects: 'float' }],
  ['a validation error of the number', answered(400, invalid('Destination', 'Not valid')), { meaning: 'rejected_recipient' }],
  ['a validation error of the amount', answered(400, invalid('Amount', 'Too much')), { meaning: 'rejected_request' }],
  ['a validation error without a field', answered(200, said('4010', 'Validation errors')), { meaning: 'rejected_request' }],
  ['an error', answered(200, said('4000', 'Bad request')), { meaning: 'rejected_request' }],
  ['an error that blames the meter', answered(400, said('4000', 'Invalid meter')), { meaning: 'rejected_recipient' }],
  [
    'a validation error that says the reference exists',
    answered(400, invalid('ClientReference', 'Duplicate reference')),
    { meaning: 'duplicate_exists' },
  ],
  [
    'an error that says it was processed already',
    answered(200, said('4000', 'This transaction was already processed')),
    { meaning: 'duplicate_exists' },
  ],
  ['an error about the deposit', answered(400, said('4000', 'Insufficient funds')), { meaning: 'unknown', suspects: 'float' }],
  ['refused credentials', answered(401, said('4101', 'Unauthorised')), { meaning: 'rejected_platform', cause: 'auth' }],
  ['refused credentials in a 200', answered(200, said('4101')), { meaning: 'rejected_platform', cause: 'auth' }],
  ['an account not permitted', answered(403, said('4103', 'Not permitted')), { meaning: 'rejected_platform', cause: 'disabled' }],
  ['a bare 401', answered(401, ''), { meaning: 'rejected_platform', cause: 'auth' }],
  ['a 401 page of a proxy', answered(401, html), { meaning: 'unknown' }],
  ['a 403 page for an address not listed', answered(403, html), { meaning: 'unknown' }],
  ['a bare 403', answered(403, ''), { meaning: 'unknown' }],
  ['a 404 page', answered(404, html), { meaning: 'unknown' }],
  ['too many requests', answered(429, said('', 'Slow down'), 7), { meaning: 'throttled', retryAfterSeconds: 7 }],
  ['too many requests, from a proxy', answered(429, html), { meaning: 'throttled', retryAfterSeconds: 15 }],
  ['a code we do not know', answered(200, said('7777', 'Success', taken)), { meaning: 'unknown' }],
  ['success in words without a code', answered(200, { Message: 'Success', Data: taken }), { meaning: 'unknown' }],
  ['a code of the wrong type', answered(200, { ResponseCode: true, Data: taken }), { meaning: 'unknown' }],
  ['500 with a page of HTML', answered(500, html), { meaning: 'unknown' }],
  ['500 with a definitive code', answered(500, said('4010', 'Invalid destination')), { meaning: 'unknown' }],
  ['503 with processed', answered(503, said('0000', 'Processed', taken)), { meaning: 'unknown' }],
  ['200 with a page of HTML', answered(200, html), { meaning: 'unknown' }],
  ['200 with truncated JSON', answered(200, '{"ResponseCode":"0000","Data":{"Clie'), { meaning: 'unknown' }],
  ['an empty body', answered(200, ''), { meaning: 'unknown' }],
  ['a JSON array', answered(200, '[]'), { meaning: 'unknown' }],
  ['JSON null', answered(200, 'null'), { meaning: 'unknown' }],
  ['a time-out', { kind: 'lost', evidence: 'time-out' }, { meaning: 'unknown' }],
  ['a connection that was reset', { kind: 'lost', evidence: 'ECONNRESET' }, { meaning: 'unknown' }],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, { meaning: 'unreachable' }],
  ['a send that was held back', { kind: 'not_sent', evidence: 'late' }, { meaning: 'not_sent' }],
]

const statusOf = (fields: object, code = '0000', message = 'Successful') => ({
  message,
  responseCode: code,
  data: { status: 'Paid', isFulfilled: true, transactionId: 'f03dbd', clientReference: ref, amount: 5.5, charges: 0, ...fields },
})
const unpaid = { status: 'Unpaid', isFulfilled: false }

const statuses: [string, SupplierReply, object][] = [
  [
    'paid and fulfilled',
    answered(200, statusOf({})),
    { meaning: 'delivered', supplierReference: 'f03dbd', reportedCostPesewas: 550 },
  ],
  ['paid and fulfilled, as text', answered(200, statusOf({ isFulfilled: 'True' })), { meaning: 'delivered' }],
  ['paid, not fulfilled yet', answered(200, statusOf({ isFulfilled: false })), { meaning: 'accepted' }],
  ['paid, fulfilment not told', answered(200, statusOf({ isFulfilled: null })), { meaning: 'accepted' }],
  ['unpaid and not fulfilled', answered(200, statusOf(unpaid)), { meaning: 'unfulfilled' }],
  ['unpaid in capitals', answered(200, statusOf({ ...unpaid, status: 'UNPAID' })), { meaning: 'unfulfilled' }],
  ['unpaid and yet fulfilled', answered(200, statusOf({ status: 'Unpaid' })), { meaning: 'unknown' }],
  ['unpaid, fulfilment not told', answered(200, statusOf({ status: 'Unpaid', isFulfilled: null })), { meaning: 'unknown' }],
  ['another word', answered(200, statusOf({ status: 'Refunded' })), { meaning: 'unknown' }],
  ['their failure, and their books agree', answered(200, statusOf(unpaid, '2001', 'Failed')), { meaning: 'failed' }],
  ['their failure, while their books say paid', answered(200, statusOf({}, '2001', 'Failed')), { meaning: 'unknown' }],
  ['a failure of the deposit', answered(200, statusOf(unpaid, '2001', 'Insufficient balance')), { meaning: 'unknown' }],
  [
    'a failure of the look-up itself',
    answered(200, { message: 'Failed', responseCode: '2001', data: null }),
    { meaning: 'unknown' },
  ],
  ['a validation error of the look-up', answered(200, statusOf(unpaid, '4010', 'Validation')), { meaning: 'unknown' }],
  ['4075', answered(200, statusOf(unpaid, '4075', 'Insufficient')), { meaning: 'unknown' }],
  ['refused credentials', answered(401, said('4101')), { meaning: 'unknown' }],
  ['another reference', answered(200, statusOf({ clientReference: 'x' })), { meaning: 'unknown' }],
  ['no reference', answered(200, statusOf({ clientReference: null })), { meaning: 'unknown' }],
  ['403, our address is not listed', answered(403, html), { meaning: 'unknown' }],
  ['403 in JSON', answered(403, statusOf(unpaid)), { meaning: 'unknown' }],
  ['404', answered(404, { message: 'Not found', responseCode: '4040', data: null }), { meaning: 'unknown' }],
  ['a 404 page', answered(404, html), { meaning: 'unknown' }],
  ['200 with a page of HTML', answered(200, html), { meaning: 'unknown' }],
  ['500', answered(500, statusOf(unpaid)), { meaning: 'unknown' }],
  ['429', answered(429, statusOf(unpaid)), { meaning: 'unknown' }],
  ['a time-out', { kind: 'lost', evidence: 'time-out' }, { meaning: 'unknown' }],
  ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }, { meaning: 'unknown' }],
]

const callbackData = {
  ...taken,
  AmountDebited: 5.5,
  Description: 'Done',
  ExternalTransactionId: '9',
  Charges: 0,
  RecipientName: '',
}
const callbacks: [string, unknown, object][] = [
  [
    'processed',
    said('0000', 'Done', callbackData),
    { answer: { meaning: 'delivered', reportedCostPesewas: 550, reportedCommissionPesewas: 16, supplierReference: 'f03dbd' } },
  ],
  [
    'whose account was paid',
    said('0000', 'Done', { ...callbackData, RecipientName: ' AMA  OWUSU\n' }),
    { answer: { meaning: 'delivered', accountName: 'AMA OWUSU' } },
  ],
  [
    'whose account was not paid',
    said('2001', 'Failed', { ...callbackData, RecipientName: 'AMA OWUSU' }),
    { answer: { meaning: 'failed', accountName: 'AMA OWUSU' } },
  ],
  [
    'a name that pretends to be more',
    said('0000', 'Done', { ...callbackData, RecipientName: `insufficient\u0000\u202e <b>duplicate${'x'.repeat(500)}` }),
    { answer: { meaning: 'delivered', accountName: `insufficient <b>duplicate${'x'.repeat(75)}` } },
  ],
  ['a general failure, which is final here', said('2001', 'Failed', callbackData), { answer: { meaning: 'failed' } }],
  ['2000', said('2000', 'Failed', callbackData), { answer: { meaning: 'failed' } }],
  ['a validation error', said('4010', 'Invalid', callbackData), { answer: { meaning: 'failed' } }],
  ['a failure of the deposit', said('2001', 'Insufficient balance', callbackData), { answer: { meaning: 'unknown' } }],
  [
    'a failure of the deposit, in the description',
    said('2001', 'Failed', { ...callbackData, Description: 'insufficient balance' }),
    { answer: { meaning: 'unknown' } },
  ],
  ['a duplicate', said('4000', 'Duplicate transaction', callbackData), { answer: { meaning: 'unknown' } }],
  ['4075', said('4075', 'Low', callbackData), { answer: { meaning: 'unknown' } }],
  ['4101', said('4101', 'No', callbackData), { answer: { meaning: 'unknown' } }],
  ['pending', said('0001', 'Pending', callbackData), { answer: { meaning: 'accepted' } }],
  ['0005', said('0005', 'HTTP failure', callbackData), { answer: { meaning: 'unknown' } }],
  ['a code we do not know', said('9', 'Done', callbackData), { answer: { meaning: 'unknown' } }],
]

describe('what Hubtel answers to a payment', () => {
  it.each(payments)('reads %s', (_name, reply, wanted) => {
    expect(translatePayment(reply, ref, vocabulary)).toMatchObject(wanted)
  })

  it('never lets one of the codes that conflict refund or send again', () => {
    for (const code of ['0005', '2000', '2001', '4075']) {
      for (const status of [200, 400, 402, 403, 500]) {
        const { meaning } = translatePayment(answered(status, said(code, 'Insufficient prepaid balance')), ref, vocabulary)
        expect(meaning).toBe('unknown')
      }
    }
  })

  it('keeps what was said in one line, shortened, without a name’s control characters', () => {
    const { evidence } = translatePayment(answered(200, said('2001', `a\u0000b\n${'x'.repeat(5_000)}`)), ref, vocabulary)
    expect(evidence).toMatch(/^HTTP 200 /)
    expect(evidence).not.toMatch(/[\n\0]/)
    expect(evidence.length).toBeLessThanOrEqual(501)
  })

  it('takes no cost and no commission from an answer that leaves all open', () => {
    const answer = translatePayment(answered(200, said('0005', 'HTTP failure', { ...taken, AmountDebited: 0 })), ref, vocabulary)
    expect(answer).toMatchObject({ meaning: 'unknown', supplierReference: 'f03dbd' })
    expect(answer).not.toHaveProperty('reportedCostPesewas')
    expect(answer).not.toHaveProperty('reportedCommissionPesewas')
  })

  it('takes no transaction id that is not printable', () => {
    const reply = answered(200, said('0001', 'Pending', { ...taken, TransactionId: 'a\u0000' }))
    expect(translatePayment(reply, ref, vocabulary)).not.toHaveProperty('supplierReference')
  })
})

describe('what Hubtel answers to the transaction status', () => {
  it.each(statuses)('reads %s', (_name, reply, wanted) => {
    expect(translateStatus(reply, ref, vocabulary)).toMatchObject(wanted)
  })

  it('names no cost for what was not paid', () => {
    expect(translateStatus(answered(200, statusOf(unpaid)), ref, vocabulary)).not.toHaveProperty('reportedCostPesewas')
  })
})

describe('what Hubtel tells by callback', () => {
  it.each(callbacks)('reads %s', (_name, body, wanted) => {
    const reading = translateCallback(JSON.stringify(body), ref, vocabulary)
    expect(reading).toMatchObject({ meaning: 'read', outgoingReference: ref, ...wanted })
  })

  it.each([
    ['a failure', '2001', 'failed'],
    ['an HTTP failure behind them', '0005', 'unknown'],
    ['4075', '4075', 'unknown'],
    ['a code we do not know', '9', 'unknown'],
  ])('takes no cost and no commission from %s, which would stand for those of a delivery', (_name, code, meaning) => {
    const data = { ...callbackData, AmountDebited: 0, Meta: { Commission: '0.0000' } }
    const reading = translateCallback(JSON.stringify(said(code, 'Words.', data)), ref, vocabulary)
    expect(reading).toMatchObject({ answer: { meaning, supplierReference: 'f03dbd' } })
    expect(reading).not.toHaveProperty('answer.reportedCostPesewas')
    expect(reading).not.toHaveProperty('answer.reportedCommissionPesewas')
  })

  it.each(['', '  ', '\u0000', '233241234567', null, 5, { name: 'AMA' }, ['AMA'], undefined])(
    'names nobody with %j for a name',
    (RecipientName) => {
      const reading = translateCallback(JSON.stringify(said('0000', 'Done', { ...callbackData, RecipientName })), ref, vocabulary)
      expect(reading).toMatchObject({ answer: { meaning: 'delivered' } })
      expect(reading).not.toHaveProperty('answer.accountName')
    },
  )

  it.each([
    ['another reference than that of its address', said('0000', 'Done', { ...callbackData, ClientReference: 'x' })],
    ['no reference', said('0000', 'Done', {})],
    ['no data', said('0000', 'Done')],
    ['a list', []],
    ['a number', 5],
  ])('believes nothing that names %s', (_name, body) => {
    expect(translateCallback(JSON.stringify(body), ref, vocabulary)).toMatchObject({ meaning: 'unreadable' })
  })
})

describe('what Hubtel answers to a balance read', () => {
  it.each<[string, SupplierReply, object]>([
    ['a float', answered(200, { responseCode: '0000', data: { amount: 192.5 } }), { meaning: 'read', floatPesewas: 19250 }],
    ['a float in PascalCase', answered(200, said('0000', '', { Amount: 4.1 })), { meaning: 'read', floatPesewas: 410 }],
    ['text', answered(200, { data: { balance: '4.1099' } }), { meaning: 'read', floatPesewas: 410 }],
    ['an empty deposit', answered(200, { data: { amount: 0 } }), { meaning: 'read', floatPesewas: 0 }],
    ['a negative one', answered(200, { data: { amount: -1 } }), { meaning: 'unknown' }],
    ['no number', answered(200, { data: { amount: 'much' } }), { meaning: 'unknown' }],
    ['a failure', answered(200, { responseCode: '2001', data: { amount: 5 } }), { meaning: 'unknown' }],
    ['refused credentials', answered(401, said('4101')), { meaning: 'refused', cause: 'auth' }],
    ['a bare 401', answered(401, ''), { meaning: 'refused', cause: 'auth' }],
    ['an account not permitted', answered(403, said('4103')), { meaning: 'refused', cause: 'disabled' }],
    ['a page', answered(403, html), { meaning: 'unknown' }],
    ['500', answered(500, said('4101')), { meaning: 'unknown' }],
    ['a time-out', { kind: 'lost', evidence: 'time-out' }, { meaning: 'unknown' }],
  ])('reads %s', (_name, reply, wanted) => {
    expect(translateBalance(reply, vocabulary)).toMatchObject(wanted)
  })
})

describe('the settings of a Hubtel supplier', () => {
  it('adds codes and services of the operator to ours', () => {
    const read = readHubtelSettings({
      prepaidDepositId: 2000001,
      posSalesId: '2',
      codes: { '2003': 'failed_if_final' },
      dataServices: { 'AT-BigTime': 'abc' },
    })
    expect(read.prepaidDepositId).toBe('2000001')
    expect(read.codes.get('2003')).toBe('failed_if_final')
    expect(read.codes.get('4075')).toBe('float')
    expect(read.dataServices.get('AT-BigTime')).toBe('abc')
    expect(read.dataServices.get('MTN')).toBe('b230733cd56b4a0fad820e39f66bc27c')
    expect(read.statusBaseUrl).toBe('https://api-txnstatus.hubtel.com')
  })

  it('may be stored before the ids are known, but not used', () => {
    expect(() => checkHubtelSettings({})).not.toThrow()
    expect(() => readHubtelSettings({})).toThrow('prepaidDepositId')
    expect(() => readHubtelSettings({ prepaidDepositId: '1' })).toThrow('posSalesId')
  })

  it.each([
    { codes: { '2003': 'maybe' } },
    { prepaidDepositId: '../x' },
    { statusBaseUrl: 'http://plain.example' },
    { statusBaseUrl: 'https://two words.example' },
    { balanceBaseUrl: 'https://hubtel.example:99999' },
    { airtimeMaximumGhs: 1e300 },
    { billServices: { ecg: 'a/b' } },
    { email: 'nobody' },
    { nonsense: true },
    'text',
  ])('refuse %j', (settings) => {
    expect(() => checkHubtelSettings(settings)).toThrow(/must|settings of a Hubtel supplier|cannot mean|is no|is not an amount/)
  })
})
