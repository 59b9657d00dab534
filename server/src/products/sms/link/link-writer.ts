import type { Logger } from 'pino'
import { tryPatiently } from '../../../platform/back-off.ts'
import type { Db } from '../../../platform/database/database.ts'
import { createBatcher, waitForEventLoopTurn } from '../../../platform/gathering/create-batcher.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import { createSentLately, type SentLately } from './sent-lately.ts'
import type { MessageAnswer } from './write-answers.ts'
import { writeAnswersAndReceipts } from './write-answers-and-receipts.ts'

/** Answers and receipts of a link that are not yet written to the messages. */
export type LinkWriter = {
  /**
   * Adds answers. Resolves when they were written, or when all tries have failed.
   * @param keptId the id of the row in which `commitWindow` stored them; it is deleted when they are written. Undefined: there is none
   */
  addAnswers(keptId: string | undefined, answers: readonly MessageAnswer[]): Promise<void>
  /** Resolves when the receipt is committed. Rejects when too many wait, or when the commit failed. */
  addReceipt(receipt: SmsReceipt): Promise<void>
  /** How many answers are not written yet. */
  backlog(): number
  /** Writes the waiting answers at once, because no more will come soon. */
  writeNow(): void
  /** Resolves when everything was written, or when all tries have failed. */
  drained(): Promise<void>
}

type Group = { readonly keptId: string | undefined; readonly answers: readonly MessageAnswer[]; readonly resolve: () => void }
type WaitingReceipt = { readonly receipt: SmsReceipt; readonly resolve: () => void; readonly reject: (error: unknown) => void }
type Waiting = Group | WaitingReceipt

/** Pauses between tries to write answers. A lost answer would leave the message's outcome unknown. */
const retrySeconds = [0.1, 0.5, 1, 2, 5, 10]

/** While more receipts than this wait, the supplier is asked to send further ones later. */
const receiptsMax = 5_000
const batchMax = 500

/** Answers and receipts wait this long for others, because writing hundreds together costs little more than ten. */
const gatherMilliseconds = 25

type LinkWriterDeps = { readonly db: Db; readonly settings: Settings; readonly log: Pick<Logger, 'warn' | 'error'> }

/** Takes at most one answer per message: a late answer is written in a later transaction than its time-out. */
function takeGroups(groups: Group[]): Group[] {
  const messages = new Set<MessageAnswer['message']>()
  let count = 0
  for (const { answers } of groups) {
    if (messages.size >= batchMax || answers.some(({ message }) => messages.has(message))) break
    for (const { message } of answers) messages.add(message)
    count += 1
  }
  return groups.splice(0, count)
}

/** Two lists, of answers and of receipts, that are taken together. */
function createWaitingLists() {
  const groups: Group[] = []
  const receipts: WaitingReceipt[] = []
  return {
    push: (one: Waiting) => void ('answers' in one ? groups.push(one) : receipts.push(one)),
    take: (): Waiting[] => [...takeGroups(groups), ...receipts.splice(0, batchMax)],
    count: () => groups.length + receipts.length,
    receiptsCount: () => receipts.length,
  }
}

/** A pause that can be ended early. */
function createRest() {
  let end: () => void = () => undefined
  return {
    end: () => end(),
    take: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** Writes answers and receipts, retries a failure, and resolves or rejects the receipts. */
async function writeTaken(
  deps: LinkWriterDeps,
  supplier: { readonly name: string; readonly resubmitsUnanswered: boolean },
  groups: readonly Group[],
  receipts: readonly WaitingReceipt[],
  sentLately: SentLately,
): Promise<void> {
  const answers = groups.flatMap((group) => group.answers)
  const keptIds = groups.flatMap(({ keptId }) => keptId ?? [])
  const batch = { answers, keptIds, receipts: receipts.map(({ receipt }) => receipt) }
  const onFailure = (error: unknown) =>
    deps.log.warn({ err: error, supplier: supplier.name }, 'answers of an SMS link could not be written and are tried again')
  try {
    await tryPatiently(retrySeconds, () => writeAnswersAndReceipts(deps, supplier, batch, sentLately), onFailure)
    for (const { resolve } of receipts) resolve()
    for (const { message, isLate } of answers) if (!isLate) message.claim.openCount -= 1
  } catch (error) {
    // The messages stay claimed and the answers stay kept: the next holder of the link writes them.
    deps.log.error({ err: error, supplier: supplier.name, groups: groups.length }, 'answers of an SMS link were not written')
    for (const { reject } of receipts) reject(error)
  }
}

/**
 * Writes a link's answers and receipts, one transaction at a time, so that a receipt and the answer to its submit are never
 * in two transactions that cannot see each other.
 */
export function openLinkWriter(
  deps: LinkWriterDeps,
  supplier: { readonly name: string; readonly resubmitsUnanswered: boolean },
): LinkWriter {
  const queue = createWaitingLists()
  const rest = createRest()
  const sentLately = createSentLately()
  let answersCount = 0
  let isHurried = false
  let isDraining = false

  const isWorthIt = () => isDraining || isHurried || answersCount >= batchMax || queue.receiptsCount() >= batchMax

  async function pause(): Promise<void> {
    // Answers and receipts of the same turn of the event loop are written in the same transaction.
    await waitForEventLoopTurn()
    if (queue.count() > 0 && !isWorthIt()) await rest.take(gatherMilliseconds)
    isHurried = false
  }

  async function work(batch: readonly Waiting[]): Promise<void> {
    const groups = batch.filter((one) => 'answers' in one)
    const receipts = batch.filter((one) => 'receipt' in one)
    await writeTaken(deps, supplier, groups, receipts, sentLately)
    for (const { answers } of groups) answersCount -= answers.length
    for (const { resolve } of groups) resolve()
  }
  const gathering = createBatcher({ queue, work, pause })

  function add(one: Waiting): void {
    gathering.add(one)
    if (isWorthIt()) rest.end()
  }

  return {
    addAnswers(keptId, answers) {
      if (answers.length === 0) return Promise.resolve()
      answersCount += answers.length
      return new Promise((resolve) => add({ keptId, answers, resolve }))
    },
    addReceipt: (receipt) => {
      if (queue.receiptsCount() >= receiptsMax) return Promise.reject(new Error('too many receipts wait for the database'))
      return new Promise((resolve, reject) => add({ receipt, resolve, reject }))
    },
    backlog: () => answersCount,
    writeNow: () => {
      if (answersCount === 0) return
      isHurried = true
      rest.end()
    },
    drained: async () => {
      isDraining = true
      rest.end()
      await gathering.drained()
    },
  }
}
