import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { adapters } from '../suppliers/adapters.ts'
import { phraseLists } from './evidence-phrases.ts'
import { packEvidence, readEvidence } from './packed-evidence.ts'

/** For each adapter that is asked about orders: its supplier's answers to a purchase and to a look-up, or a callback. */
const samples: Readonly<Record<string, readonly string[]>> = {
  datamart: [
    'HTTP 200 {"status":"success","data":{"ref":"01a2246accbd7000a5d73bc4372824db","orderReference":"DM-00481516","phoneNumber":"0541234567","network":"TELECEL","capacity":"5","price":21.4,"orderStatus":"pending","createdAt":"2027-03-14T06:09:41.734Z","updatedAt":"2027-03-14T06:09:41.734Z","balanceAfter":18342.15,"isReplay":false},"rateLimit":{"limit":60,"remaining":41,"resetSeconds":54}}',
    '{"event":"order.completed","timestamp":"2027-03-14T06:10:02.761Z","data":{"ref":"01a2246ae7cb7000a2aaa737b942c3a9","orderReference":"DM-00481517","phoneNumber":"0551234567","network":"YELLO","capacity":"2","price":8.55,"orderStatus":"completed"}}',
  ],
  datakazina: [
    'HTTP 200 {"success":true,"message":"Your order has been placed.","data":{"transaction_code":"DK-00108923","incoming_api_ref":"01a2246aeac07000885aa76ed374afcb","recipient_msisdn":"0541234567","network_id":3,"shared_bundle":5000,"status":"pending","amount":"19.7500"}}',
    'HTTP 200 {"success":true,"message":"Transaction found.","data":{"transaction_code":"DK-00108923","incoming_api_ref":"01a2246aeac07000885aa76ed374afcb","recipient_msisdn":"0541234567","network_id":3,"shared_bundle":5000,"status":"completed","amount":"19.7500"}}',
  ],
  hubtel: [
    'HTTP 200 {"ResponseCode":"0001","Message":"Your transaction is being processed.","Data":{"ClientReference":"01a2246b326c700090e3a422ffe825ba","Amount":12.9,"TransactionId":"b7a9018fd31c4e02a8c1730f9d114ca7","Meta":{"Commission":"0.2580"}}}',
    'HTTP 200 {"message":"Successful","responseCode":"0000","data":{"date":"2027-03-14T06:10:54.766Z","status":"Paid","transactionId":"b7a9018fd31c4e02a8c1730f9d114ca7","externalTransactionId":null,"paymentMethod":"prepaid","clientReference":"01a2246b326c700090e3a422ffe825ba","currencyCode":null,"amount":12.9,"charges":0,"isFulfilled":true}}',
  ],
}

it.each(Object.keys(adapters).filter((name) => name !== 'registration' && name !== 'smpp'))(
  'takes less than half of the room for the answers of %s, and gives them back',
  (name) => {
    expect(samples[name]).toBeDefined()
    for (const said of samples[name] ?? []) {
      expect(packEvidence(said).length).toBeLessThan(said.length / 2)
      expect(readEvidence(packEvidence(said))).toBe(said)
    }
  },
)

it.each([
  ['', ''],
  ['ok', 'ok'],
  ['é', 'é'],
  ['Akwaaba, Ɛyɛ', 'Akwaaba, Ɛyɛ'],
])('stores %j as it is, because nothing would be shorter', (text, stored) => {
  expect(packEvidence(text)).toEqual(Buffer.from(stored))
  expect(readEvidence(Buffer.from(stored))).toBe(text)
})

it.each([
  ['\u0001 ok'],
  ['HTTP 200 {"status":"success","data":{"ref":"\u0002\u0080","price":'],
  ['HTTP 200 {"status":"success","data":{"ref":"é","price":1,"price":,"price"'],
  [(phraseLists.get(1) ?? []).join('')],
  [(phraseLists.get(1) ?? []).toReversed().join(' \u20b5 ')],
])('gives back %j, whatever of it are phrases or their codes', (text) => {
  expect(readEvidence(packEvidence(text))).toBe(text)
})

it('says of a value that it cannot read it, if a newer version packed it', () => {
  expect(readEvidence(Buffer.of(31, 65, 2))).toContain('phrase list 31, which this version of Makola does not know')
  expect(readEvidence(Buffer.of(1, 255, 65, 0xc2, 0x9e))).toBe('\ufffdA\ufffd')
})

it('never changes a list with which evidence was packed', () => {
  const sums = [...phraseLists].map(([number, list]) => [number, createHash('sha256').update(JSON.stringify(list)).digest('hex')])
  expect(sums).toEqual([[1, '4db331bd175afc7ecd22519cf90561e54d4aac08d4442858bf4bd18c758b5b17']])
  for (const [number, list] of phraseLists) {
    expect(number).toBeLessThan(32)
    expect(list.length).toBeLessThanOrEqual(62)
    expect(new Set(list).size).toBe(list.length)
  }
})
