import { setTimeout as sleep } from 'node:timers/promises'
import { patienceSeconds } from '../../../test/patience.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { Adapter, AdapterOptions, SupplierTimes } from '../adapter.ts'
import { simulatedTimesWith } from '../calling/supplier-times.ts'
import { type AnswerMeaning, type DataSupplier, type OutgoingAttempt, type SupplierAnswer, sellsData } from '../ports.ts'
import { simulatedCredentials } from '../registry/load-suppliers.ts'
import { collectCallbacks } from './collect-callbacks.fixture.ts'

/** An adapter, and what the tests of every adapter need to know of it. */
export type Conforming = {
  /** The adapter's name in `adapters`. The simulator plays its supplier under a path of that name, such as `/datamart`. */
  readonly name: string
  readonly adapter: Adapter
  readonly settings: unknown
  /** Our networks that the supplier serves, and its code for one package on them. */
  readonly networks: readonly string[]
  readonly packageCode: string
  /**
   * For a supplier whose look-up accepts only its own code: the final answer of that look-up, by the scripted ending. Null:
   * the supplier gave no code, so no look-up is possible.
   */
  readonly statusByTheirCode?: Readonly<Record<string, AnswerMeaning | null>>
  /** For a supplier whose look-up is less exact: its answers in place of `never_received` or `failed`. */
  readonly lookUpSays?: Readonly<Partial<Record<AnswerMeaning, AnswerMeaning>>>
  /** True when the supplier's report of an empty float proves nothing: the answer is then `unknown`, with `suspects`. */
  readonly suspectsFloat?: boolean
  /** True when the adapter sends a query before each purchase. Outages then affect only the purchase. */
  readonly asksBeforeBuying?: boolean
}

/** All scripted endings happen within this time, even on a busy machine. */
export const settledWithinMilliseconds = patienceSeconds * 1_000

/** Enough time for an answer on a busy machine. The simulator closes the connection of a lost answer before that. */
export const patientTimes: SupplierTimes = simulatedTimesWith(patienceSeconds)

/** The part of a running simulator that the suite needs. Its waiting times may be shorter than usual. */
export type SimulatorUnderTest = {
  readonly url: string
  control(behaviour: Record<string, unknown>): Promise<void>
  reset(): Promise<void>
  stop(): Promise<void>
}

export type StartSimulator = (callbackBaseUrl: string) => Promise<SimulatorUnderTest>

export async function readJson<T>(url: string): Promise<T> {
  const response = await fetch(url)
  return (await response.json()) as T
}

let lastNumber = 0
/** Returns another number with this ending at each call. */
export function recipient(ending: string): string {
  lastNumber += 1
  return `024${String(lastNumber).padStart(4, '0')}${ending}`
}

export function newAttempt(mayStillSend: () => boolean = () => true): OutgoingAttempt {
  return { outgoingReference: newId().replaceAll('-', ''), supplierReference: null, mayStillSend }
}

export const signal = () => AbortSignal.timeout(settledWithinMilliseconds)

type Callbacks = Awaited<ReturnType<typeof collectCallbacks>>
type Changed = Partial<Pick<AdapterOptions, 'credentials' | 'times'>>

/** An open adapter with its own simulator, which sends callbacks. */
export type AdapterTrial = {
  readonly simulator: SimulatorUnderTest
  readonly callbacks: Callbacks
  supplier(): DataSupplier
  /** Opens the adapter again, at the simulator or at another address. `supplier()` stays the same. */
  open(changed?: Changed, baseUrl?: string): DataSupplier
  /** Replaces `supplier()` by a newly opened one, which no throttle delays. */
  reopen(changed?: Changed): void
  buy(attempt: OutgoingAttempt, number: string, network?: string): Promise<SupplierAnswer>
  /** Asks until the answer is no longer `accepted`. */
  askUntilSettled(attempt: OutgoingAttempt, number: string, sent?: SupplierAnswer): Promise<AnswerMeaning>
  countDeliveries(attempt: OutgoingAttempt): Promise<number>
  setOutage(outage: string): Promise<void>
  close(): Promise<void>
}

/** Opens a subject's adapter, and closes all opened ones. */
function createOpener(subject: Conforming, callbacks: Callbacks) {
  const opened: DataSupplier[] = []
  return {
    open(
      baseUrl: string,
      { credentials = simulatedCredentials[subject.name] ?? {}, times = patientTimes }: Changed,
    ): DataSupplier {
      const supplier = subject.adapter.open({
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
      if (!sellsData(supplier)) throw new Error(`${subject.name} does not sell data`)
      opened.push(supplier)
      return supplier
    },
    closeAll: () => Promise.all(opened.map((each) => each.close())),
  }
}

/** @param startSimulator starts a simulator whose callbacks go to the given address */
export async function openAdapterTrial(subject: Conforming, startSimulator: StartSimulator): Promise<AdapterTrial> {
  const callbacks = await collectCallbacks()
  const simulator = await startSimulator(callbacks.url)
  const opener = createOpener(subject, callbacks)
  const open: AdapterTrial['open'] = (changed = {}, baseUrl = `${simulator.url}/${subject.name}`) => opener.open(baseUrl, changed)
  let supplier = open()
  const buy: AdapterTrial['buy'] = (attempt, number, network = subject.networks[0] ?? '') =>
    supplier.buyData({ network, volumeGb: 1, recipient: number, packageCode: subject.packageCode }, attempt, signal())

  /**
   * Asks as the worker does: by look-up, or by sending the same reference again where the look-up needs a code that we do
   * not have.
   */
  async function ask(attempt: OutgoingAttempt, number: string): Promise<SupplierAnswer> {
    const isCodeMissing = supplier.statusNeedsSupplierReference === true && attempt.supplierReference === null
    return isCodeMissing ? buy(attempt, number) : supplier.askStatus(attempt, signal())
  }

  return {
    simulator,
    callbacks,
    supplier: () => supplier,
    open,
    reopen: (changed) => {
      supplier = open(changed)
    },
    buy,
    askUntilSettled: (attempt, number, sent) => settle(attempt, sent, (known) => ask(known, number)),
    async countDeliveries(attempt) {
      const url = `${simulator.url}/effects?reference=${encodeURIComponent(attempt.outgoingReference)}`
      return (await readJson<{ effects: unknown[] }>(url)).effects.length
    },
    setOutage(outage) {
      const outageOn = subject.asksBeforeBuying === true ? 'purchases' : 'everything'
      return simulator.control({ [subject.name]: { outage, outageOn } })
    },
    async close() {
      await opener.closeAll()
      await simulator.stop()
      callbacks.stop()
    },
  }
}

async function settle(
  attempt: OutgoingAttempt,
  sent: SupplierAnswer | undefined,
  ask: (known: OutgoingAttempt) => Promise<SupplierAnswer>,
): Promise<AnswerMeaning> {
  const giveUpAt = performance.now() + settledWithinMilliseconds
  let known: OutgoingAttempt = { ...attempt, supplierReference: sent?.supplierReference ?? null }
  for (;;) {
    const { meaning, supplierReference } = await ask(known)
    known = { ...known, supplierReference: known.supplierReference ?? supplierReference ?? null }
    const isTaken = meaning === 'accepted' || meaning === 'duplicate_exists'
    if (!isTaken || performance.now() > giveUpAt) return meaning
    await sleep(50)
  }
}
