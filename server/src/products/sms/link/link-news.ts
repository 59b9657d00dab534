import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { tryPatiently } from '../../../platform/back-off.ts'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { endOfTurn, gather } from '../../../platform/gathering/gather.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import { settleCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsReceiptDays } from '../sms.settings.ts'
import { type Claim, endClaims, leaveClaims } from './claim-messages.ts'
import { forgetKeptAnswers } from './keep-window.ts'
import { fateOf, type MessageAnswer, writeAnswers } from './write-answers.ts'
import { writeReceipts } from './write-receipts.ts'

/** The answers and receipts of a link that are not written to the messages yet. */
export type LinkNews = {
  /** Adds answers. `keptId` is the id under which they are kept; undefined when they are not kept. */
  addAnswers(keptId: string | undefined, answers: readonly MessageAnswer[]): void
  /** Resolves when the receipt is stored. */
  addReceipt(receipt: SmsReceipt): Promise<void>
  /** Answers that are not written yet. */
  backlog(): number
  /** Resolves when everything was written, or given up. */
  drained(): Promise<void>
}

type Group = { readonly keptId: string | undefined; readonly answers: readonly MessageAnswer[] }
type WaitingReceipt = { readonly receipt: SmsReceipt; readonly resolve: () => void; readonly reject: (error: unknown) => void }
type News = Group | WaitingReceipt

/** The pauses between tries to write answers. If an answer were lost, the message's outcome would be unknown. */
const retrySeconds = [0.1, 0.5, 1, 2, 5, 10]

/** While more receipts than this wait to be stored, the supplier is asked to send further ones later. */
const receiptsMax = 5_000
const batchMax = 500

/** Answers and receipts wait this long for others, because writing hundreds together costs little more than ten. */
const gatherMilliseconds = 25

export type LinkNewsDeps = { readonly db: Db; readonly settings: Settings; readonly log: Pick<Logger, 'warn' | 'error'> }

/**
 * Writes a link's answers and receipts, one transaction at a time. So a receipt and the answer to its submit are never
 * written by two transactions that cannot see each other.
 */
export function openLinkNews(
  deps: LinkNewsDeps,
  supplier: { readonly name: string; readonly resubmitsUnanswered: boolean },
  events: { isQuiet(): boolean; onWritten(): void },
): LinkNews {
  const groups: Group[] = []
  let answersCount = 0
  const receipts: WaitingReceipt[] = []
  let isDraining = false
  let hurry: () => void = () => undefined

  async function write(batch: readonly Group[], came: readonly WaitingReceipt[]): Promise<void> {
    const receiptDays = await deps.settings.read(smsReceiptDays)
    const answers = batch.flatMap((group) => group.answers)
    const settling = await inTransaction(deps.db, async (tx) => {
      const ids = await writeAnswers(tx, supplier.name, answers, supplier.resubmitsUnanswered)
      await endClaims(tx, endedClaims(answers))
      const waiting = answers.filter((each) => !each.isLate && fateOf(each, supplier.resubmitsUnanswered).submit === 'waiting')
      await leaveClaims(
        tx,
        waiting.map(({ message }) => message),
      )
      await forgetKeptAnswers(
        tx,
        batch.flatMap(({ keptId }) => keptId ?? []),
      )
      // For a text of one segment, a receipt that came early is matched now and names its message itself.
      const several = answers.filter(({ message }) => message.text.segments.length > 1)
      const justSent = several.map(({ message }) => ({ campaign_id: message.campaignId, n: message.n }))
      const heard = came.map(({ receipt }) => receipt)
      await writeReceipts(tx, supplier.name, heard, receiptDays, justSent)
      return ids
    })
    if (settling.length > 0) await settleCampaigns(deps.db)
  }

  /** Claims of which these are the last answers. */
  function endedClaims(answers: readonly MessageAnswer[]): string[] {
    const counts = new Map<Claim, number>()
    for (const { message, isLate } of answers) if (!isLate) counts.set(message.claim, (counts.get(message.claim) ?? 0) + 1)
    return [...counts].flatMap(([claim, count]) => (claim.openCount === count ? claim.id : []))
  }

  async function writeSurely(batch: readonly Group[], came: readonly WaitingReceipt[]): Promise<void> {
    const onFailure = (error: unknown) =>
      deps.log.warn({ err: error, supplier: supplier.name }, 'answers of an SMS link could not be written and are tried again')
    await tryPatiently(retrySeconds, () => write(batch, came), onFailure)
  }

  /** Each group holds one answer per message: a late answer is written in a later transaction than its time-out. */
  function takeGroups(): Group[] {
    const messages = new Set<MessageAnswer['message']>()
    let count = 0
    for (const { answers } of groups) {
      if (messages.size >= batchMax || answers.some(({ message }) => messages.has(message))) break
      for (const { message } of answers) messages.add(message)
      count += 1
    }
    return groups.splice(0, count)
  }

  /** Answers and receipts wait apart and are taken together. */
  const line = {
    push: (news: News) => ('answers' in news ? groups.push(news) : receipts.push(news)),
    take: (): News[] => [...takeGroups(), ...receipts.splice(0, batchMax)],
    count: () => groups.length + receipts.length,
  }

  async function pause(): Promise<void> {
    // What comes in the same turn of the process goes into the same transaction.
    await endOfTurn()
    if (line.count() === 0 || isWorthIt()) return
    const late = new AbortController()
    const full = new Promise<void>((resolve) => {
      hurry = resolve
    })
    await Promise.race([full, sleep(gatherMilliseconds, undefined, { signal: late.signal }).catch(() => undefined)])
    late.abort()
    hurry = () => undefined
  }

  function isWorthIt(): boolean {
    return isDraining || answersCount >= batchMax || receipts.length >= batchMax || (answersCount > 0 && events.isQuiet())
  }

  async function work(batch: readonly News[]): Promise<void> {
    const taken = batch.filter((news) => 'answers' in news)
    const came = batch.filter((news) => 'receipt' in news)
    try {
      await writeSurely(taken, came)
      for (const { resolve } of came) resolve()
      for (const { message, isLate } of taken.flatMap((group) => group.answers)) if (!isLate) message.claim.openCount -= 1
    } catch (error) {
      // The messages stay claimed and the answers stay kept: the next holder of the link writes them.
      deps.log.error({ err: error, supplier: supplier.name, groups: taken.length }, 'answers of an SMS link were not written')
      for (const { reject } of came) reject(error)
    }
    for (const { answers } of taken) answersCount -= answers.length
    if (taken.length > 0) events.onWritten()
  }
  const news = gather({ line, work, pause })

  function add(one: News): void {
    news.add(one)
    if (isWorthIt()) hurry()
  }

  return {
    addAnswers(keptId, answers) {
      if (answers.length === 0) return
      answersCount += answers.length
      add({ keptId, answers })
    },
    addReceipt: (receipt) => {
      if (receipts.length >= receiptsMax) return Promise.reject(new Error('too many receipts wait for the database'))
      return new Promise((resolve, reject) => add({ receipt, resolve, reject }))
    },
    backlog: () => answersCount,
    drained: async () => {
      isDraining = true
      hurry()
      await news.drained()
    },
  }
}
