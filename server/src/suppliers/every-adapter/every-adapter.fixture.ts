/**
 * Tests that every adapter of a data supplier must pass, against the simulator on the wire: another process, a real socket,
 * real time-outs. A new adapter adds a `conforming.fixture.ts` in its folder.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { simulatedTimes } from '../calling/supplier-times.ts'
import type { AnswerMeaning, OutgoingAttempt } from '../ports.ts'
import {
  type AdapterTrial,
  type Conforming,
  newAttempt,
  openAdapterTrial,
  patientTimes,
  readJson,
  recipient,
  type StartSimulator,
  settledWithinMilliseconds,
  signal,
} from './adapter-trial.fixture.ts'
import type { Callback } from './collect-callbacks.fixture.ts'
import { endings, outages } from './endings.fixture.ts'

/**
 * Declares the suite for one adapter.
 * @param startSimulator starts a simulator whose callbacks go to the given address
 */
export function describeAdapter(subject: Conforming, startSimulator: StartSimulator): void {
  let opened: AdapterTrial
  const trial = () => opened
  describe(`the adapter of ${subject.name}`, () => {
    beforeAll(async () => {
      opened = await openAdapterTrial(subject, startSimulator)
    })
    afterEach(() => opened.simulator.reset())
    afterAll(() => opened.close())

    describePurchases(subject, trial)
    describeSilence(subject, trial)
    describeResends(trial)
    describeRefusalsOfUs(subject, trial)
    describeCallbacks(subject, trial)
  })
}

/** Counts the supplier's requests with an attempt's reference. */
async function countRequests({ simulator }: AdapterTrial, { outgoingReference }: OutgoingAttempt): Promise<number> {
  const { requests } = await readJson<{ requests: unknown[] }>(`${simulator.url}/requests?reference=${outgoingReference}`)
  return requests.length
}

type Trial = () => AdapterTrial

/** The meaning of this supplier's look-up where the suite expects `meaning`: some suppliers answer less exactly. */
function inWordsOf(subject: Conforming, meaning: AnswerMeaning): AnswerMeaning {
  return subject.lookUpSays?.[meaning] ?? meaning
}

/** The answer that the adapter must give when the supplier refuses a purchase because our float is empty. */
function floatRefusedBy(subject: Conforming) {
  return subject.suspectsFloat === true
    ? { meaning: 'unknown', suspects: 'float' }
    : { meaning: 'rejected_platform', cause: 'float' }
}

function requestTo(subject: Conforming) {
  const [network = ''] = subject.networks
  return { network, volumeGb: 1, recipient: recipient('000'), packageCode: subject.packageCode }
}

function describePurchases(subject: Conforming, trial: Trial): void {
  it.concurrent.each(endings)('reads ending $ending as $send when sent and $status when asked', async (expected) => {
    const attempt = newAttempt()
    const number = recipient(expected.ending)
    const sent = await trial().buy(attempt, number)
    const wanted = expected.send === 'rejected_platform' ? floatRefusedBy(subject) : { meaning: expected.send }
    expect(sent).toMatchObject({ ...wanted, evidence: expect.stringMatching(/./) })
    const byTheirCode = subject.statusByTheirCode?.[expected.ending]
    const status = byTheirCode === undefined ? inWordsOf(subject, expected.status) : byTheirCode
    expect(status === null ? null : await trial().askUntilSettled(attempt, number, sent)).toBe(status)
    expect(await trial().countDeliveries(attempt)).toBe(expected.deliveries)
  })

  it.each(subject.networks)('sells on %s', async (network) => {
    const attempt = newAttempt()
    const number = recipient('000')
    const sent = await trial().buy(attempt, number, network)
    expect(sent).toMatchObject({ meaning: 'accepted' })
    expect(await trial().askUntilSettled(attempt, number, sent)).toBe('delivered')
  })

  it('does not sell on a network it has no word for', async () => {
    expect(await trial().buy(newAttempt(), recipient('000'), 'constructor')).toMatchObject({ meaning: 'rejected_request' })
  })
}

/** Tests of a supplier that stays silent, of an address where nothing listens, and of a purchase that is sent too late. */
function describeSilence(subject: Conforming, trial: Trial): void {
  it.each(outages)('never takes an outage ($outage) for the end of an order', async ({ outage, send }) => {
    // Reopened, because after a 429 the adapter starts nothing for a while. Only a hanging call needs the short time-out.
    trial().reopen({ times: outage === 'hang' ? simulatedTimes : patientTimes })
    await trial().setOutage(outage)
    const attempt = newAttempt()
    const number = recipient('000')
    const { meaning } = await trial().buy(attempt, number)
    // On a busy machine the time limit may pass before the purchase is sent; the answer is then rightly `unreachable`.
    const hasStayed = outage === 'hang' && (await countRequests(trial(), attempt)) === 0
    expect(hasStayed ? ['unreachable'] : send).toContain(meaning)
    expect(await trial().supplier().askStatus(attempt, signal())).toMatchObject({ meaning: 'unknown' })
    await trial().setOutage('none')
    trial().reopen()
    // A supplier that is asked by a re-send gets the purchase here for the first time.
    const isBought = trial().supplier().statusNeedsSupplierReference === true
    expect(await trial().askUntilSettled(attempt, number)).toBe(isBought ? 'delivered' : inWordsOf(subject, 'never_received'))
    expect(await trial().countDeliveries(attempt)).toBe(isBought ? 1 : 0)
  })

  it('says that nothing left when nobody listens, and that a look-up there is unknown', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    const nobody = trial().open({}, `http://127.0.0.1:${port}`)
    const attempt = newAttempt()
    const request = requestTo(subject)
    expect(await nobody.buyData(request, attempt, signal())).toMatchObject({ meaning: 'unreachable' })
    expect(await nobody.askStatus(attempt, signal())).toMatchObject({ meaning: 'unknown' })
    expect(await nobody.readFloat(signal())).toMatchObject({ meaning: 'unknown' })
  })

  it('sends nothing once the time to send has passed', async () => {
    const attempt = newAttempt(() => false)
    expect(await trial().buy(attempt, recipient('000'))).toMatchObject({ meaning: 'not_sent' })
    expect(await countRequests(trial(), attempt)).toBe(0)
    const status = trial().supplier().statusNeedsSupplierReference === true ? 'unknown' : inWordsOf(subject, 'never_received')
    expect(await trial().supplier().askStatus(attempt, signal())).toMatchObject({ meaning: status })
  })
}

function describeResends(trial: Trial): void {
  it.each(['000', '903', '905', '909'])(
    'keeps its re-send class for ending %s: the same reference never buys twice',
    async (ending) => {
      const { resendClass } = trial().supplier()
      if (resendClass !== 'returns-original' && resendClass !== 'rejects-duplicate') return
      const attempt = newAttempt()
      const number = recipient(ending)
      await trial().buy(attempt, number)
      const again = await trial().buy(attempt, number)
      const original: AnswerMeaning[] = ending === '905' ? ['failed'] : ['accepted', 'delivered']
      expect(resendClass === 'returns-original' ? original : ['duplicate_exists']).toContain(again.meaning)
      await trial().askUntilSettled(attempt, number, again)
      await trial().buy(attempt, number)
      expect(await trial().countDeliveries(attempt)).toBe(ending === '905' ? 0 : 1)
    },
  )
}

function describeRefusalsOfUs(subject: Conforming, trial: Trial): void {
  it('reads the float, also while a purchase is refused for it', async () => {
    await trial().setOutage('float_empty')
    expect(await trial().buy(newAttempt(), recipient('000'))).toMatchObject(floatRefusedBy(subject))
    const float = await trial().supplier().readFloat(signal())
    expect(float).toMatchObject({ meaning: 'read' })
    expect(float.meaning === 'read' && float.floatPesewas).toBeGreaterThan(trial().supplier().minimumFloatPesewas)
  })

  it('says of wrong credentials that they are refused, by purchase and by balance read', async () => {
    const credentials = Object.fromEntries(subject.adapter.credentialNames.map((name) => [name, 'wrong-credential']))
    const stranger = trial().open({ credentials })
    const request = requestTo(subject)
    const sent = await stranger.buyData(request, newAttempt(), signal())
    expect(sent).toMatchObject({ meaning: 'rejected_platform', cause: 'auth' })
    expect(sent.evidence).not.toContain('wrong-credential')
    expect(await stranger.readFloat(signal())).toMatchObject({ meaning: 'refused', cause: 'auth' })
  })
}

function describeCallbacks(subject: Conforming, trial: Trial): void {
  it.each([
    { ending: '000', meaning: 'delivered' },
    { ending: '907', meaning: 'failed' },
  ])('reads the callback of ending $ending as $meaning, and takes no forged one', async ({ ending, meaning }) => {
    const { readCallback, readAddressedCallback } = trial().supplier()
    if (!readCallback && !readAddressedCallback) return
    const attempt = newAttempt()
    await trial().buy(attempt, recipient(ending))
    const isOurs = (each: Callback) => each.body.includes(attempt.outgoingReference)
    const giveUpAt = performance.now() + settledWithinMilliseconds
    while (!trial().callbacks.received.some(isOurs) && performance.now() < giveUpAt) await sleep(20)
    const callback = trial().callbacks.received.find(isOurs)
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
}
