import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { pesewas } from '../../money/pesewas.ts'
import { liveTimes } from '../calling/supplier-times.ts'
import type { OutgoingAttempt } from '../ports.ts'
import { type HubtelSupplier, hubtel } from './talk.ts'

/** Hubtel's received bodies, byte for byte. */
type Sent = { readonly method: string; readonly path: string; readonly text: string; readonly body: Record<string, unknown> }

let server: Server
let supplier: HubtelSupplier
let sent: Sent[] = []
let sessions = 0

const reference = '0192f0c17a3b70008000000000000001'
const attempt: OutgoingAttempt = { outgoingReference: reference, supplierReference: null, mayStillSend: () => true }
const signal = () => AbortSignal.timeout(patienceSeconds * 1_000)

/** Answers every query with enough rows: a new session each time, and two bundles. */
function answerQuery() {
  sessions += 1
  const rows = [
    { Display: 'name', Value: 'AMA OWUSU', Amount: 0 },
    { Display: 'sessionId', Value: `session-${sessions}`, Amount: 0 },
    { Display: '1GB', Value: 'data_1gb', Amount: 4.1 },
    { Display: '2GB', Value: 'data_2gb', Amount: 8.2 },
  ]
  return { ResponseCode: '0000', Message: 'Successful', Label: 'x', Data: rows }
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { method = '', url = '' } = request
      const text = bytes.toString('latin1')
      sent = [...sent, { method, path: url, text, body: text === '' ? {} : (JSON.parse(text) as Sent['body']) }]
      const taken = { ResponseCode: '0001', Message: 'Pending', Data: { ClientReference: reference } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(method === 'GET' ? answerQuery() : taken))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  supplier = hubtel.open({
    name: 'hubtel',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { apiId: 'id', apiKey: 'key' },
    settings: { prepaidDepositId: '2001', posSalesId: '1001', email: 'accounts@shop.example' },
    slots: 8,
    requestsPerSecond: null,
    times: liveTimes,
    callbackUrl: (name) => `https://shop.example/callbacks/hubtel/${name}/é`,
    isSimulated: true,
  }) as HubtelSupplier
})
beforeEach(() => {
  sent = []
})
afterAll(async () => {
  await supplier.close()
  server.closeAllConnections()
  server.close()
})

const CallbackUrl = `https://shop.example/callbacks/hubtel/${reference}/é`
const paid = (fields: object) => ({ ...fields, CallbackUrl, ClientReference: reference })
const servicePath = (id: string) => `/commissionservices/2001/${id}`
const bodies = () => sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
const paths = () => sent.map(({ method, path }) => `${method} ${path}`)

describe('what Hubtel is sent', () => {
  it.each([
    ['MTN', '0241234567', 'fdd76c884e614b1c8f669a3207b09a98'],
    ['Telecel', '0201234567', 'f4be83ad74c742e185224fdae1304800'],
    ['AT', '0271234567', 'dae2142eb5a14c298eace60240c09e4b'],
  ])('for airtime on %s: the phone as 233…, and the amount to the pesewa', async (network, recipient, service) => {
    await supplier.buyAirtime({ network, recipient, amountPesewas: pesewas(1_999) }, attempt, signal())
    expect(paths()).toEqual([`POST ${servicePath(service)}`])
    expect(bodies()).toEqual([paid({ Destination: recipient.replace(/^0/, '233'), Amount: 19.99 })])
  })

  it.each([
    ['dstv', '297a96656b5846ad8b00d5d41b256ea7'],
    ['gotv', 'e6ceac7f3880435cb30b048e9617eb41'],
    ['startimes', '6598652d34ea4112949c93c079c501ce'],
  ])('for %s: the smartcard, and nothing beside it', async (biller, service) => {
    const bill = { biller, account: '7020001234', phone: undefined, amountPesewas: pesewas(5_000) }
    await supplier.payBill(bill, attempt, signal())
    expect(paths()).toEqual([`POST ${servicePath(service)}`])
    expect(bodies()).toEqual([paid({ Destination: '7020001234', Amount: 50 })])
  })

  it('for ECG: the customer’s phone, and the meter as the bundle', async () => {
    const bill = { biller: 'ecg', account: 'G1', phone: '0241234567', amountPesewas: pesewas(5_000) }
    await supplier.payBill(bill, attempt, signal())
    expect(paths()).toEqual([`POST ${servicePath('e6d6bac062b5499cb1ece1ac3d742a84')}`])
    expect(bodies()).toEqual([paid({ Destination: '233241234567', Amount: 50, Extradata: { bundle: 'G1' } })])
  })

  it('for Ghana Water: the configured e-mail and the session of a query just before, another one each time', async () => {
    const bill = { biller: 'ghana_water', account: '0412345', phone: '0241234567', amountPesewas: pesewas(5_000) }
    const path = servicePath('6c1e8a82d2e84feeb8bfd6be2790d71d')
    await supplier.payBill(bill, attempt, signal())
    const first = sessions
    await supplier.payBill(bill, attempt, signal())
    const query = `GET ${path}?destination=0412345&mobile=233241234567`
    expect(paths()).toEqual([query, `POST ${path}`, query, `POST ${path}`])
    const body = (session: number) =>
      paid({
        Destination: '233241234567',
        Amount: 50,
        Extradata: { bundle: '0412345', Email: 'accounts@shop.example', SessionId: `session-${session}` },
      })
    expect(bodies()).toEqual([body(first), body(first + 1)])
  })

  it.each([
    ['MTN', '0241234567', 'b230733cd56b4a0fad820e39f66bc27c'],
    ['Telecel', '0201234567', 'fa27127ba039455da04a2ac8a1613e00'],
    ['AT-iShare', '0271234567', '06abd92da459428496967612463575ca'],
  ])('for a bundle on %s: the Value of a row of the query, and its Amount', async (network, recipient, service) => {
    await supplier.buyData({ network, volumeGb: 2, recipient, packageCode: '2 gb' }, attempt, signal())
    const destination = recipient.replace(/^0/, '233')
    expect(paths()).toEqual([`GET ${servicePath(service)}?destination=${destination}`, `POST ${servicePath(service)}`])
    expect(bodies()).toEqual([paid({ Destination: destination, Amount: 8.2, Extradata: { bundle: 'data_2gb' } })])
  })

  it('is printable ASCII, even where our own address is not', async () => {
    await supplier.buyAirtime({ network: 'MTN', recipient: '0241234567', amountPesewas: pesewas(100) }, attempt, signal())
    expect(sent[0]?.text).toMatch(/^[\x20-\x7e]+$/)
    expect(sent[0]?.text).toContain('\\u00e9')
  })

  it('is nothing at all once the time to send has passed, also when the query took it', async () => {
    let asked = 0
    const late: OutgoingAttempt = { ...attempt, mayStillSend: () => (asked += 1) < 1 }
    const bill = { biller: 'ghana_water', account: '0412345', phone: '0241234567', amountPesewas: pesewas(5_000) }
    expect(await supplier.payBill(bill, late, signal())).toMatchObject({ meaning: 'not_sent' })
    expect(bodies()).toEqual([])
  })
})
