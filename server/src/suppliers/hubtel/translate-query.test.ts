import { describe, expect, it } from 'vitest'
import type { SupplierReply } from '../calling/call-supplier.ts'
import { readHubtelSettings } from './settings.ts'
import { findBundle, readAccountName, readBillLookup, readSessionId, translateQuery } from './translate-query.ts'

const vocabulary = readHubtelSettings({ prepaidDepositId: '2001', posSalesId: '1001' })

function answered(status: number, body: unknown): SupplierReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { kind: 'answered', status, contentType: 'application/json', body: text, retryAfterSeconds: undefined }
}

const rows = (...data: unknown[]) => answered(200, { ResponseCode: '0000', Message: 'Successful', Label: 'x', Data: data })
const failure = (code: string, message: string, status = 200) =>
  answered(status, { ResponseCode: code, Message: message, Data: null })
const look = (biller: string, reply: SupplierReply) => readBillLookup(biller, translateQuery(reply, vocabulary))

describe('what Hubtel answers to the look-up of an account', () => {
  it('lists the meters of a phone: names without the meter, meters without stray blanks, credits negative', () => {
    const reply = rows(
      { Display: ' AMA OWUSU (G123 456)', Value: ' G123 456 ', Amount: -12.345 },
      { Display: 'KOFI', Value: 'P9', Amount: '7.509' },
      { Display: 'NOBODY (X)', Value: '  ', Amount: 1 },
    )
    expect(look('ecg', reply)).toMatchObject({
      meaning: 'found',
      accountName: null,
      accountNumber: null,
      amountDuePesewas: null,
      bouquet: null,
      meters: [
        { name: 'AMA OWUSU', meterNumber: 'G123456', outstandingPesewas: -1234 },
        { name: 'KOFI', meterNumber: 'P9', outstandingPesewas: 750 },
      ],
    })
  })

  it('finds the facts of a smartcard by Display, whatever its case and blanks', () => {
    const reply = rows(
      { Display: ' NAME ', Value: 'AMA OWUSU', Amount: 0 },
      { Display: 'Amount Due', Value: 'GHS 1,045.50', Amount: 0 },
      { display: 'account', value: 7012345567 },
      { Display: 'bouquet', Value: 'Nova' },
    )
    expect(look('startimes', reply)).toEqual({
      meaning: 'found',
      accountName: 'AMA OWUSU',
      accountNumber: '7012345567',
      amountDuePesewas: 104_550,
      bouquet: 'Nova',
      meters: [],
    })
  })

  it('lets no control character, no hidden one and no endless text through to a reseller', () => {
    const ofCard = rows(
      { Display: 'name', Value: 'AMA\u0000\n\u202eOWUSU\u200b' },
      { Display: 'account', Value: '7012\u202e345' },
      { Display: 'Bouquet', Value: `Nova\u0007${'x'.repeat(5_000)}` },
    )
    expect(look('startimes', ofCard)).toMatchObject({
      meaning: 'found',
      accountName: 'AMA OWUSU',
      accountNumber: null,
      bouquet: `Nova ${'x'.repeat(95)}`,
    })
    const ofPhone = rows({ Display: ' AMA\u001b \u2066OWUSU (G1)', Value: 'G1' }, { Display: 'KOFI', Value: 'G\u00002' })
    expect(look('ecg', ofPhone)).toMatchObject({ meters: [{ name: 'AMA OWUSU', meterNumber: 'G1' }] })
  })

  it('reads a credit balance and an amount that stands in Amount only', () => {
    const credit = rows({ Display: 'name', Value: 'A' }, { Display: 'amountDue', Value: '-3.20' })
    expect(look('dstv', credit)).toMatchObject({ amountDuePesewas: -320 })
    const bare = rows({ Display: 'name', Value: 'A' }, { Display: 'amountDue', Value: '', Amount: 9.99 })
    expect(look('gotv', bare)).toMatchObject({ amountDuePesewas: 999, accountNumber: null, bouquet: null })
  })

  it.each<[string, SupplierReply]>([
    ['no rows', rows()],
    ['a failure in words', failure('2001', 'Account not found')],
    ['a validation error of the meter', failure('4010', 'Invalid meter number', 400)],
    ['an error that there is no such customer', failure('4000', 'No such customer')],
  ])('is not found with %s', (_name, reply) => {
    for (const biller of ['ecg', 'ghana_water', 'dstv']) expect(look(biller, reply)).toEqual({ meaning: 'not_found' })
  })

  it.each<[string, SupplierReply]>([
    ['an HTTP failure behind them', failure('0005', 'not found')],
    ['a general failure in other words', failure('2001', 'Something went wrong')],
    ['4075', failure('4075', 'Insufficient')],
    ['refused credentials', failure('4101', 'Account not found', 401)],
    ['a code we do not know', failure('7777', 'Account not found')],
    ['a 404 page', answered(404, '<h1>not found</h1>')],
    ['a 500 that says not found', failure('2001', 'Account not found', 500)],
    ['truncated JSON', answered(200, '{"ResponseCode":"0000","Data":[')],
    ['rows that are no list', answered(200, { ResponseCode: '0000', Data: { Display: 'name' } })],
    ['a time-out', { kind: 'lost', evidence: 'time-out' }],
    ['no connection', { kind: 'unreachable', evidence: 'ECONNREFUSED' }],
  ])('is unavailable, never a rejection, with %s', (_name, reply) => {
    for (const biller of ['ecg', 'ghana_water', 'dstv']) expect(look(biller, reply)).toMatchObject({ meaning: 'unavailable' })
  })

  it('is unavailable when no row says anything that we understand', () => {
    expect(look('dstv', rows({ Display: 'colour', Value: 'red' }))).toMatchObject({ meaning: 'unavailable' })
  })
})

describe('the rows of a query before a payment', () => {
  const bundles = [
    { display: '1 GB', value: 'data_1', amountGhs: 4.1 },
    { display: '2GB', value: 'data_2', amountGhs: undefined },
    { display: 'data_1', value: 'data_3', amountGhs: 9 },
  ]

  it('name a bundle by Value first, else by Display without case and blanks, and what it costs', () => {
    expect(findBundle(bundles, 'data_1')).toEqual({ value: 'data_1', pricePesewas: 410 })
    expect(findBundle(bundles, '1gb')).toEqual({ value: 'data_1', pricePesewas: 410 })
    expect(findBundle(bundles, '5GB')).toBeUndefined()
  })

  it('offer no bundle without a price', () => {
    expect(findBundle(bundles, '2GB')).toBeUndefined()
  })

  it.each<[string, string | undefined, string, string]>([
    ['the holder', 'AMA OWUSU', 'name', 'AMA OWUSU'],
    ['the holder by another word', 'AMA OWUSU', 'Customer Name', ' AMA   OWUSU '],
    ['the holder in one harmless line', "AMA <b>'; --", 'NAME', "AMA\u0000\n\u202e<b>'; --"],
    ['nobody without a name', undefined, 'name', ''],
    ['nobody with a number for a name', undefined, 'name', '233241234567'],
    ['nobody in other rows', undefined, 'amountDue', 'AMA OWUSU'],
  ])('name %s', (_whom, name, display, value) => {
    expect(readAccountName([{ display, value, amountGhs: 0 }])).toBe(name)
  })

  it('give the session of Ghana Water', () => {
    expect(readSessionId([{ display: 'Session ID', value: 'abc', amountGhs: 0 }])).toBe('abc')
    expect(readSessionId([{ display: 'sessionId', value: '', amountGhs: 0 }])).toBeUndefined()
  })
})
