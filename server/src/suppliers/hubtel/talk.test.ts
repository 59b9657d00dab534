import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { type RunningSimulator, startSimulator } from '../../../test/start-simulator.ts'
import { pesewas } from '../../money/pesewas.ts'
import { newId } from '../../platform/database/new-id.ts'
import { liveTimes, simulatedTimes, simulatedTimesWith } from '../calling/supplier-times.ts'
import type { BillAccount, OutgoingAttempt } from '../ports.ts'
import { simulatedCredentials } from '../registry/load-suppliers.ts'
import { type HubtelSupplier, hubtel } from './talk.ts'

let simulator: RunningSimulator
let supplier: HubtelSupplier
const opened: HubtelSupplier[] = []

const settings = { prepaidDepositId: 'simulated-prepaid', posSalesId: 'simulated-pos-sales', email: 'bills@makola.test' }

/** No answer is lost because the machine is busy: the usual second would be too short for that. */
const patient = simulatedTimesWith(patienceSeconds)

function open(changes: Partial<Parameters<typeof hubtel.open>[0]> = {}): HubtelSupplier {
  const made = hubtel.open({
    name: 'hubtel',
    baseUrl: `${simulator.url}/hubtel`,
    credentials: simulatedCredentials.hubtel ?? {},
    settings,
    slots: 8,
    requestsPerSecond: null,
    times: patient,
    callbackUrl: (reference) => `http://127.0.0.1:9/callbacks/hubtel/${reference}/token`,
    isSimulated: true,
    ...changes,
  }) as HubtelSupplier
  opened.push(made)
  return made
}

beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0.1 })
  supplier = open()
})
afterEach(() => simulator.reset())
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await simulator.stop()
})

const signal = () => AbortSignal.timeout(patienceSeconds * 1_000)
const newAttempt = (mayStillSend = () => true): OutgoingAttempt => ({
  outgoingReference: newId().replaceAll('-', ''),
  supplierReference: null,
  mayStillSend,
})

type Effect = { product: string; network: string; recipient: string; amount: number }

async function readEffects(attempt: OutgoingAttempt): Promise<Effect[]> {
  const response = await fetch(`${simulator.url}/effects?reference=${attempt.outgoingReference}`)
  return ((await response.json()) as { effects: Effect[] }).effects
}

async function countPayments(attempt: OutgoingAttempt): Promise<number> {
  const response = await fetch(`${simulator.url}/requests?reference=${attempt.outgoingReference}`)
  return ((await response.json()) as { requests: { method: string }[] }).requests.filter(({ method }) => method === 'POST').length
}

const bills: BillAccount[] = [
  { biller: 'ecg', account: 'G141234567', phone: '0241234567' },
  { biller: 'ghana_water', account: '7001234567', phone: '0241234567' },
  { biller: 'dstv', account: '7001234567', phone: undefined },
  { biller: 'gotv', account: '7001234567', phone: undefined },
  { biller: 'startimes', account: '7001234567', phone: undefined },
]

/** Changes the ending of an account's number, or of its phone if it has one. */
function endingWith(ending: string, bill: BillAccount): BillAccount {
  return bill.phone === undefined
    ? { ...bill, account: `${bill.account.slice(0, -3)}${ending}` }
    : { ...bill, phone: `${bill.phone.slice(0, -3)}${ending}` }
}

describe('airtime at Hubtel', () => {
  it.each(['MTN', 'Telecel', 'AT'])('is bought on %s at face value, to the pesewa', async (network) => {
    const attempt = newAttempt()
    const request = { network, recipient: '0241234567', amountPesewas: pesewas(407) }
    expect(await supplier.buyAirtime(request, attempt, signal())).toMatchObject({ meaning: 'accepted' })
    await expect.poll(() => readEffects(attempt)).toMatchObject([{ product: 'airtime', network, amount: 4.07 }])
    expect(await supplier.askStatus(attempt, signal())).toMatchObject({ meaning: 'delivered', reportedCostPesewas: 407 })
  })

  it('is never asked for beyond GHS 100, which Hubtel would refuse', async () => {
    const most = newAttempt()
    const request = { network: 'MTN', recipient: '0241234567', amountPesewas: pesewas(10_000) }
    expect(await supplier.buyAirtime(request, most, signal())).toMatchObject({ meaning: 'accepted' })
    const more = newAttempt()
    const tooMuch = await supplier.buyAirtime({ ...request, amountPesewas: pesewas(10_001) }, more, signal())
    expect(tooMuch).toMatchObject({ meaning: 'rejected_request' })
    expect(await countPayments(more)).toBe(0)
  })

  it('is not sold on a network without a service', async () => {
    const request = { network: 'constructor', recipient: '0241234567', amountPesewas: pesewas(100) }
    const refused = await supplier.buyAirtime(request, newAttempt(), signal())
    expect(refused).toMatchObject({ meaning: 'rejected_platform', cause: 'disabled' })
  })
})

describe('bills at Hubtel', () => {
  it.each(bills)('are paid to $biller once, for the account that was asked for', async (bill) => {
    const attempt = newAttempt()
    const paid = await supplier.payBill({ ...bill, amountPesewas: pesewas(2_000) }, attempt, signal())
    expect(paid).toMatchObject({ meaning: 'accepted', reportedCommissionPesewas: expect.any(Number) })
    const effect = { product: 'utilities', network: bill.biller, recipient: bill.account, amount: 20 }
    await expect.poll(() => readEffects(attempt)).toMatchObject([effect])
  })

  it.each(bills)('of $biller fail after they were taken when the ending is 901', async (bill) => {
    const attempt = newAttempt()
    const request = { ...endingWith('901', bill), amountPesewas: pesewas(2_000) }
    expect(await supplier.payBill(request, attempt, signal())).toMatchObject({ meaning: 'accepted' })
    await expect.poll(async () => (await supplier.askStatus(attempt, signal())).meaning).toBe('unfulfilled')
    expect(await readEffects(attempt)).toEqual([])
  })

  it.each(bills)('of $biller: the account is found, not found with 931, unavailable with 932', async (bill) => {
    expect(await supplier.lookUpAccount(bill, signal())).toMatchObject({ meaning: 'found' })
    expect(await supplier.lookUpAccount(endingWith('931', bill), signal())).toEqual({ meaning: 'not_found' })
    expect(await supplier.lookUpAccount(endingWith('932', bill), signal())).toMatchObject({ meaning: 'unavailable' })
  })

  it('name ECG’s meters by the phone, without stray blanks, one of them with a credit', async () => {
    const found = await supplier.lookUpAccount({ biller: 'ecg', account: '0241234567', phone: '0241234567' }, signal())
    expect(found).toMatchObject({
      accountName: null,
      meters: [
        { meterNumber: 'G141234567', outstandingPesewas: -4_567 },
        { meterNumber: 'G241234567', outstandingPesewas: 4_567 },
      ],
    })
  })

  it('of Ghana Water take a fresh session each, so that two payments of one meter both succeed', async () => {
    const bill = { biller: 'ghana_water', account: '7001230001', phone: '0241234567', amountPesewas: pesewas(500) }
    for (const attempt of [newAttempt(), newAttempt()]) {
      expect(await supplier.payBill(bill, attempt, signal())).toMatchObject({ meaning: 'accepted' })
    }
  })

  it('of Ghana Water say whom the query before them named; the answer to another payment names nobody', async () => {
    const [, water, dstv] = bills
    if (!water || !dstv) throw new Error('there is no such bill')
    const found = await supplier.lookUpAccount(water, signal())
    const pay = (bill: BillAccount) => supplier.payBill({ ...bill, amountPesewas: pesewas(500) }, newAttempt(), signal())
    expect(found).toMatchObject({ accountName: expect.stringMatching(/\w/) })
    expect(await pay(water)).toMatchObject({
      meaning: 'accepted',
      accountName: found.meaning === 'found' ? found.accountName : '',
    })
    expect(await pay(dstv)).not.toHaveProperty('accountName')
  })

  it('of Ghana Water wait for the operator’s e-mail address, which is nobody’s fault but ours', async () => {
    const { email: _, ...without } = settings
    const attempt = newAttempt()
    const bill = { biller: 'ghana_water', account: '7001230001', phone: '0241234567', amountPesewas: pesewas(500) }
    const paid = await open({ settings: without }).payBill(bill, attempt, signal())
    expect(paid).toMatchObject({ meaning: 'rejected_platform', cause: 'disabled', evidence: expect.stringContaining('email') })
    expect(await countPayments(attempt)).toBe(0)
  })

  it('of Ghana Water are not sent when the query before them fails: nothing reached the biller', async () => {
    const [, water] = bills
    if (!water) throw new Error('there is no such bill')
    const unknown = newAttempt()
    const refused = { ...endingWith('931', water), amountPesewas: pesewas(500) }
    expect(await supplier.payBill(refused, unknown, signal())).toMatchObject({ meaning: 'rejected_recipient' })
    const unreachable = newAttempt()
    const away = { ...endingWith('932', water), amountPesewas: pesewas(500) }
    expect(await supplier.payBill(away, unreachable, signal())).toMatchObject({ meaning: 'unreachable', hasSpoken: true })
    expect(await countPayments(unknown)).toBe(0)
    expect(await countPayments(unreachable)).toBe(0)
  })

  it('for an account that is not printable ASCII are not sent at all', async () => {
    const attempt = newAttempt()
    const bill = { biller: 'dstv', account: '70é123', phone: undefined, amountPesewas: pesewas(500) }
    expect(await supplier.payBill(bill, attempt, signal())).toMatchObject({ meaning: 'rejected_recipient' })
    expect(await supplier.lookUpAccount(bill, signal())).toEqual({ meaning: 'not_found' })
    expect(await countPayments(attempt)).toBe(0)
  })
})

describe('data bundles at Hubtel', () => {
  const request = { network: 'MTN', volumeGb: 1, recipient: '0241234567', packageCode: '1 gb' }

  it.each(['hang', 'refuse', 'error', 'garbage'])(
    'reach nobody when the query before them meets an outage (%s)',
    async (outage) => {
      await simulator.control({ hubtel: { outage } })
      const attempt = newAttempt()
      // No answer came, so it counts as silence.
      expect(await open({ times: simulatedTimes }).buyData(request, attempt, signal())).toEqual({
        meaning: 'unreachable',
        evidence: expect.any(String),
      })
      expect(await countPayments(attempt)).toBe(0)
    },
  )

  it('that are not in the list are left to another supplier', async () => {
    const attempt = newAttempt()
    const answer = await supplier.buyData({ ...request, packageCode: '7GB' }, attempt, signal())
    // Only this order is refused, so the answer has no `cause`, which would pause the route.
    expect(answer).toEqual({ meaning: 'rejected_platform', evidence: expect.stringContaining('offers no bundle') as string })
    expect(await countPayments(attempt)).toBe(0)
  })
})

describe('4075', () => {
  it('leaves all open: the status is unknown, and says delivered when it was delivered after all', async () => {
    const attempt = newAttempt()
    const request = { network: 'MTN', recipient: '0241234906', amountPesewas: pesewas(500) }
    expect(await supplier.buyAirtime(request, attempt, signal())).toMatchObject({ meaning: 'unknown', suspects: 'float' })
    expect(await supplier.askStatus(attempt, signal())).toMatchObject({ meaning: 'unknown' })
    const body = JSON.stringify({ reference: attempt.outgoingReference })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${simulator.url}/control/hubtel/deliver`, { method: 'POST', headers, body })
    expect(await supplier.askStatus(attempt, signal())).toMatchObject({ meaning: 'delivered' })
    expect(await readEffects(attempt)).toHaveLength(1)
  })
})

describe('the hosts of Hubtel', () => {
  it('are asked with their own ids and our credentials, and a payment is printable ASCII', async () => {
    const seen: { url: string; authorization: string | undefined; body: string }[] = []
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        seen.push({ url: request.url ?? '', authorization: request.headers.authorization, body: body.toString('latin1') })
        response.end('{}')
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const line = open({
      baseUrl: `http://127.0.0.1:${port}`,
      settings: { ...settings, email: 'bills@makola.test' },
      callbackUrl: () => 'https://makola.test/callbacks/é',
    })
    const attempt = newAttempt()
    await line.payBill({ biller: 'ecg', account: 'G1', phone: '0241234567', amountPesewas: pesewas(1_999) }, attempt, signal())
    await line.askStatus(attempt, signal())
    await line.readFloat(signal())
    await line.lookUpAccount({ biller: 'ghana_water', account: '70', phone: '0201234567' }, signal())
    server.close()
    expect(seen.map(({ url }) => url)).toEqual([
      '/commissionservices/simulated-prepaid/e6d6bac062b5499cb1ece1ac3d742a84',
      `/transactions/simulated-pos-sales/status?clientReference=${attempt.outgoingReference}`,
      '/api/inter-transfers/prepaid/simulated-prepaid',
      '/commissionservices/simulated-prepaid/6c1e8a82d2e84feeb8bfd6be2790d71d?destination=70&mobile=233201234567',
    ])
    const basic = `Basic ${Buffer.from('simulated-hubtel-id:simulated-hubtel-key').toString('base64')}`
    expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([basic]))
    expect(seen[0]?.body).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      Destination: '233241234567',
      Amount: 19.99,
      CallbackUrl: 'https://makola.test/callbacks/é',
      ClientReference: attempt.outgoingReference,
      Extradata: { bundle: 'G1' },
    })
  })

  it('get no more calls at once, all together, than the supplier has slots', async () => {
    let [inFlight, most] = [0, 0]
    const server = createServer((_request, response) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      // Long enough for the other two calls to come, if they do not wait.
      setTimeout(() => {
        inFlight -= 1
        response.end('{}')
      }, 100)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    const line = open({ baseUrl: `http://127.0.0.1:${port}`, slots: 1 })
    const answers = [line.askStatus(newAttempt(), signal()), line.readFloat(signal()), line.lookUpAccount(bills[2]!, signal())]
    expect(line.freeSlots()).toBe(0)
    await Promise.all(answers)
    expect([most, line.freeSlots()]).toEqual([1, 1])
    server.close()
  })

  it('leave a live order in peace for five minutes, and believe no unpaid status before five more', () => {
    const { askSchedule } = open({ times: liveTimes })
    expect(askSchedule.delaysSeconds[0]).toBe(300)
    expect(askSchedule.unfulfilledProofSeconds).toBe(300)
    expect(supplier.askSchedule.delaysSeconds[0]).toBe(1)
  })
})
