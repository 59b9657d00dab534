/**
 * What every adapter of a data supplier must do, tried against the simulator on the wire: another process,
 * a real socket, real time-outs. A new adapter adds a row to the table in conformance.test.ts.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../platform/database/new-id.ts'
import type { Adapter, AdapterOptions, SupplierTimes } from '../adapter.ts'
import { simulatedTimes } from '../calling/supplier-times.ts'
import { type AnswerMeaning, type DataSupplier, type OutgoingAttempt, type SupplierAnswer, sellsData } from '../ports.ts'
import { simulatedCredentials } from '../registry/simulated-credentials.ts'
import { type Callback, collectCallbacks } from './collect-callbacks.fixture.ts'
import { endings, outages } from './conformance-endings.fixture.ts'

/** An adapter under test. */
export type Conforming = {
  /** Its name in `adapters`, which is also its folder at the simulator. */
  readonly name: string
  readonly adapter: Adapter
  readonly settings: unknown
  /** A network of ours, and what the supplier calls one of its packages. */
  readonly networks: readonly string[]
  readonly packageCode: string
  /**
   * For a supplier whose look-up takes only its own code, not our reference: what such a look-up finally says, by the
   * scripted ending. Null: the supplier gave no code, so nothing can be asked.
   */
  readonly statusByTheirCode?: Readonly<Record<string, AnswerMeaning | null>>
  /** For a supplier whose look-up can say less than others: what it says where most of them say `never_received` or `failed`. */
  readonly lookUpSays?: Readonly<Partial<Record<AnswerMeaning, AnswerMeaning>>>
  /** For a supplier whose word for an empty float proves nothing: such an answer is `unknown`, and makes suspicious. */
  readonly suspectsFloat?: boolean
  /** For a supplier that is asked for the bundle before it is bought: outages are those of the purchase alone. */
  readonly asksBeforeBuying?: boolean
}

const settledWithinMilliseconds = 30_000

/** A supplier that does answer has time to, also on a busy machine; a lost answer ends by itself before. */
const patience: SupplierTimes = { ...simulatedTimes, timeouts: { connectSeconds: 5, callSeconds: 5 } }

/** What of a running simulator the suite needs. Its times may be scaled, but a lost answer must outlast our time-out. */
export type SimulatorUnderTest = {
  readonly url: string
  control(behaviour: Record<string, unknown>): Promise<void>
  reset(): Promise<void>
  stop(): Promise<void>
}

async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url)
  return (await response.json()) as T
}

let lastNumber = 0
/** A number of its own for each purchase, with the ending that is asked for. */
function recipient(ending: string): string {
  lastNumber += 1
  return `024${String(lastNumber).padStart(4, '0')}${ending}`
}

function newAttempt(mayStillSend: () => boolean = () => true): OutgoingAttempt {
  return { outgoingReference: newId().replaceAll('-', ''), supplierReference: null, mayStillSend }
}

const signal = () => AbortSignal.timeout(10_000)

/**
 * Declares the suite for one adapter.
 *
 * @param startSimulator starts one whose webhooks go to the given address
 */
export function describeConformance(
  subject: Conforming,
  startSimulator: (callbackBaseUrl: string) => Promise<SimulatorUnderTest>,
): void {
  let simulator: SimulatorUnderTest
  let callbacks: Awaited<ReturnType<typeof collectCallbacks>>
  let supplier: DataSupplier
  const allOpened: DataSupplier[] = []

  function open(
    baseUrl: string,
    {
      credentials = simulatedCredentials[subject.name] ?? {},
      times = patience,
    }: Partial<Pick<AdapterOptions, 'credentials' | 'times'>> = {},
  ): DataSupplier {
    const opened = subject.adapter.open({
      name: subject.name,
      baseUrl,
      credentials,
      settings: subject.settings,
      slots: 16,
      requestsPerSecond: null,
      times,
      callbackUrl: (reference) => `${callbacks.url}/callbacks/${subject.name}/${reference}`,
      isSimulated: true,
    })
    if (!sellsData(opened)) throw new Error(`${subject.name} does not sell data`)
    allOpened.push(opened)
    return opened
  }

  function buy(attempt: OutgoingAttempt, number: string, network = subject.networks[0] ?? '') {
    const request = { network, volumeGb: 1, recipient: number, packageCode: subject.packageCode }
    return supplier.buyData(request, attempt, signal())
  }

  async function countDeliveries(attempt: OutgoingAttempt): Promise<number> {
    const url = `${simulator.url}/effects?reference=${encodeURIComponent(attempt.outgoingReference)}`
    return (await readJson<{ effects: unknown[] }>(url)).effects.length
  }

  function setOutage(outage: string): Promise<void> {
    const outageOn = subject.asksBeforeBuying === true ? 'purchases' : 'everything'
    return simulator.control({ [subject.name]: { outage, outageOn } })
  }

  /** What this supplier's look-up says in its own way. */
  function inItsWords(meaning: AnswerMeaning): AnswerMeaning {
    return subject.lookUpSays?.[meaning] ?? meaning
  }

  /** What a purchase is answered that is refused for our float. */
  const floatRefused =
    subject.suspectsFloat === true ? { meaning: 'unknown', suspects: 'float' } : { meaning: 'rejected_platform', cause: 'float' }

  /** Asks as the worker does: by look-up, or by the same reference again where the look-up needs a code we do not have. */
  async function ask(attempt: OutgoingAttempt, number: string): Promise<SupplierAnswer> {
    const isCodeMissing = supplier.statusNeedsSupplierReference === true && attempt.supplierReference === null
    return isCodeMissing ? buy(attempt, number) : supplier.askStatus(attempt, signal())
  }

  /** Asks until the answer is another one than "accepted". */
  async function askUntilSettled(attempt: OutgoingAttempt, number: string, sent?: SupplierAnswer): Promise<AnswerMeaning> {
    const giveUpAt = performance.now() + settledWithinMilliseconds
    let known: OutgoingAttempt = { ...attempt, supplierReference: sent?.supplierReference ?? null }
    for (;;) {
      const { meaning, supplierReference } = await ask(known, number)
      known = { ...known, supplierReference: known.supplierReference ?? supplierReference ?? null }
      const isTaken = meaning === 'accepted' || meaning === 'duplicate_exists'
      if (!isTaken || performance.now() > giveUpAt) return meaning
      await sleep(50)
    }
  }

  describe(`the adapter of ${subject.name}`, () => {
    beforeAll(async () => {
      callbacks = await collectCallbacks()
      simulator = await startSimulator(callbacks.url)
      supplier = open(`${simulator.url}/${subject.name}`)
    })
    afterEach(() => simulator.reset())
    afterAll(async () => {
      await Promise.all(allOpened.map((each) => each.close()))
      await simulator.stop()
      callbacks.stop()
    })

    it.concurrent.each(endings)('reads ending $ending as $send when sent and $status when asked', async (expected) => {
      const attempt = newAttempt()
      const number = recipient(expected.ending)
      const sent = await buy(attempt, number)
      const wanted = expected.send === 'rejected_platform' ? floatRefused : { meaning: expected.send }
      expect(sent).toMatchObject({ ...wanted, evidence: expect.stringMatching(/./) })
      const byTheirCode = subject.statusByTheirCode?.[expected.ending]
      const status = byTheirCode === undefined ? inItsWords(expected.status) : byTheirCode
      expect(status === null ? null : await askUntilSettled(attempt, number, sent)).toBe(status)
      expect(await countDeliveries(attempt)).toBe(expected.deliveries)
    })

    it.each(subject.networks)('sells on %s', async (network) => {
      const attempt = newAttempt()
      const number = recipient('000')
      const sent = await buy(attempt, number, network)
      expect(sent).toMatchObject({ meaning: 'accepted' })
      expect(await askUntilSettled(attempt, number, sent)).toBe('delivered')
    })

    it('does not sell on a network it has no word for', async () => {
      expect(await buy(newAttempt(), recipient('000'), 'constructor')).toMatchObject({ meaning: 'rejected_request' })
    })

    it.each(outages)('never takes an outage ($outage) for the end of an order', async ({ outage, send }) => {
      // A fresh line: after a 429 the adapter rightly starts nothing for a while.
      supplier = open(`${simulator.url}/${subject.name}`, { times: simulatedTimes })
      await setOutage(outage)
      const attempt = newAttempt()
      const number = recipient('000')
      expect(send).toContain((await buy(attempt, number)).meaning)
      expect(await supplier.askStatus(attempt, signal())).toMatchObject({ meaning: 'unknown' })
      await setOutage('none')
      supplier = open(`${simulator.url}/${subject.name}`)
      // Where the only question is the same reference again, that one is the first to arrive.
      const isBought = supplier.statusNeedsSupplierReference === true
      expect(await askUntilSettled(attempt, number)).toBe(isBought ? 'delivered' : inItsWords('never_received'))
      expect(await countDeliveries(attempt)).toBe(isBought ? 1 : 0)
    })

    it('says that nothing left when nobody listens, and that a look-up there is unknown', async () => {
      const closed = createServer().listen(0, '127.0.0.1')
      await once(closed, 'listening')
      const { port } = closed.address() as AddressInfo
      closed.close()
      await once(closed, 'close')
      const nobody = open(`http://127.0.0.1:${port}`)
      const attempt = newAttempt()
      const request = {
        network: subject.networks[0] ?? '',
        volumeGb: 1,
        recipient: recipient('000'),
        packageCode: subject.packageCode,
      }
      expect(await nobody.buyData(request, attempt, signal())).toMatchObject({ meaning: 'unreachable' })
      expect(await nobody.askStatus(attempt, signal())).toMatchObject({ meaning: 'unknown' })
      expect(await nobody.readFloat(signal())).toMatchObject({ meaning: 'unknown' })
    })

    it('sends nothing once the time to send has passed', async () => {
      const attempt = newAttempt(() => false)
      expect(await buy(attempt, recipient('000'))).toMatchObject({ meaning: 'not_sent' })
      const { requests } = await readJson<{ requests: unknown[] }>(
        `${simulator.url}/requests?reference=${attempt.outgoingReference}`,
      )
      expect(requests).toEqual([])
      const status = supplier.statusNeedsSupplierReference === true ? 'unknown' : inItsWords('never_received')
      expect(await supplier.askStatus(attempt, signal())).toMatchObject({ meaning: status })
    })

    it.each(['000', '903', '905', '909'])(
      'keeps its re-send class for ending %s: the same reference never buys twice',
      async (ending) => {
        if (supplier.resendClass !== 'returns-original' && supplier.resendClass !== 'rejects-duplicate') return
        const attempt = newAttempt()
        const number = recipient(ending)
        await buy(attempt, number)
        const again = await buy(attempt, number)
        const original: AnswerMeaning[] = ending === '905' ? ['failed'] : ['accepted', 'delivered']
        expect(supplier.resendClass === 'returns-original' ? original : ['duplicate_exists']).toContain(again.meaning)
        await askUntilSettled(attempt, number, again)
        await buy(attempt, number)
        expect(await countDeliveries(attempt)).toBe(ending === '905' ? 0 : 1)
      },
    )

    it('reads the float, also while a purchase is refused for it', async () => {
      await setOutage('float_empty')
      expect(await buy(newAttempt(), recipient('000'))).toMatchObject(floatRefused)
      const float = await supplier.readFloat(signal())
      expect(float).toMatchObject({ meaning: 'read' })
      expect(float.meaning === 'read' && float.floatPesewas).toBeGreaterThan(supplier.minimumFloatPesewas)
    })

    it('says of wrong credentials that they are refused, by purchase and by balance read', async () => {
      const credentials = Object.fromEntries(subject.adapter.credentialNames.map((name) => [name, 'wrong-credential']))
      const stranger = open(`${simulator.url}/${subject.name}`, { credentials })
      const request = {
        network: subject.networks[0] ?? '',
        volumeGb: 1,
        recipient: recipient('000'),
        packageCode: subject.packageCode,
      }
      const sent = await stranger.buyData(request, newAttempt(), signal())
      expect(sent).toMatchObject({ meaning: 'rejected_platform', cause: 'auth' })
      expect(sent.evidence).not.toContain('wrong-credential')
      expect(await stranger.readFloat(signal())).toMatchObject({ meaning: 'refused', cause: 'auth' })
    })

    it.each([
      { ending: '000', meaning: 'delivered' },
      { ending: '907', meaning: 'failed' },
    ])('reads the callback of ending $ending as $meaning, and takes no forged one', async ({ ending, meaning }) => {
      const { readCallback, readAddressedCallback } = supplier
      if (!readCallback && !readAddressedCallback) return
      const attempt = newAttempt()
      await buy(attempt, recipient(ending))
      const isOurs = (each: Callback) => each.body.includes(attempt.outgoingReference)
      const giveUpAt = performance.now() + settledWithinMilliseconds
      while (!callbacks.received.some(isOurs) && performance.now() < giveUpAt) await sleep(20)
      const callback = callbacks.received.find(isOurs)
      const { outgoingReference } = attempt
      const read = { meaning: 'read', outgoingReference, answer: { meaning } }
      expect(callback?.path).toBe(`/callbacks/${subject.name}${readAddressedCallback ? `/${outgoingReference}` : ''}`)
      if (!callback) return
      expect(readAddressedCallback?.(outgoingReference, callback.body) ?? read).toMatchObject(read)
      const misplaced = { meaning: 'unreadable' }
      expect(readAddressedCallback?.('another', callback.body) ?? misplaced).toMatchObject(misplaced)
      if (!readCallback) return
      expect(readCallback(callback.headers, callback.body)).toMatchObject(read)
      const altered = Buffer.from(callback.body.toString('utf8').replace('"', ' "'))
      expect(readCallback(callback.headers, altered)).toEqual({ meaning: 'forged' })
      expect(readCallback({}, callback.body)).toEqual({ meaning: 'forged' })
    })
  })
}
