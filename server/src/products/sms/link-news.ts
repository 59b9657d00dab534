import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { SmsReceipt } from '../../suppliers/sms-ports.ts'
import { settleCampaigns } from './settle-campaigns.ts'
import { smsReceiptDays } from './sms.settings.ts'
import { type MessageAnswer, writeAnswers } from './write-answers.ts'
import { writeReceipts } from './write-receipts.ts'

/** What a link has heard and the database does not know yet. */
export type LinkNews = {
  addAnswer(answer: MessageAnswer): void
  /** Resolves when the receipt is stored. */
  addReceipt(receipt: SmsReceipt): Promise<void>
  /** Resolves when everything was written, or given up. */
  drained(): Promise<void>
}

type WaitingReceipt = { readonly receipt: SmsReceipt; readonly resolve: () => void; readonly reject: (error: unknown) => void }

/** An answer is worth some patience: without it the message's outcome would be unknown. */
const retrySeconds = [0.1, 0.5, 1, 2, 5, 10]

/** More receipts than this are told to come again. */
const receiptsMax = 5_000
const batchMax = 500

export type LinkNewsDeps = { readonly db: Db; readonly settings: Settings; readonly log: Pick<Logger, 'warn' | 'error'> }

/**
 * Writes a link's answers and receipts, one transaction at a time: a receipt and the answer to its own submit are then
 * never written by two transactions that do not see each other.
 */
export function openLinkNews(
  deps: LinkNewsDeps,
  supplier: { readonly name: string; readonly resubmitsUnanswered: boolean },
  onWritten: (answers: number) => void,
): LinkNews {
  let answers: MessageAnswer[] = []
  let receipts: WaitingReceipt[] = []
  let writing: Promise<void> | undefined

  async function write(batch: readonly MessageAnswer[], came: readonly WaitingReceipt[]): Promise<void> {
    const receiptDays = await deps.settings.read(smsReceiptDays)
    const settling = await inTransaction(deps.db, async (tx) => {
      const ids = await writeAnswers(tx, supplier.name, batch, supplier.resubmitsUnanswered)
      // Of a text of one part, a receipt that came first is matched only now, which names its message by itself.
      const several = batch.filter(({ message }) => message.text.parts.length > 1)
      const justSent = several.map(({ message }) => ({ campaign_id: message.campaignId, n: message.n }))
      const heard = came.map(({ receipt }) => receipt)
      await writeReceipts(tx, supplier.name, heard, receiptDays, justSent)
      return ids
    })
    if (settling.length > 0) await settleCampaigns(deps.db)
  }

  async function writeSurely(batch: readonly MessageAnswer[], came: readonly WaitingReceipt[]): Promise<void> {
    for (const seconds of retrySeconds) {
      try {
        await write(batch, came)
        return
      } catch (error) {
        deps.log.warn({ err: error, supplier: supplier.name }, 'answers of an SMS link could not be written and are tried again')
        await sleep(seconds * 1_000)
      }
    }
    await write(batch, came)
  }

  async function run(): Promise<void> {
    // What comes in the same turn of the process goes into the same transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (answers.length > 0 || receipts.length > 0) {
      const batch = answers.splice(0, batchMax)
      const came = receipts.splice(0, batchMax)
      try {
        await writeSurely(batch, came)
        for (const { resolve } of came) resolve()
      } catch (error) {
        // The messages stay claimed: nobody sends them again, and at their deadline they are concluded.
        deps.log.error({ err: error, supplier: supplier.name, answers: batch.length }, 'answers of an SMS link were lost')
        for (const { reject } of came) reject(error)
      }
      onWritten(batch.length)
    }
    writing = undefined
  }

  return {
    addAnswer: (answer) => {
      answers.push(answer)
      writing ??= run()
    },
    addReceipt: (receipt) => {
      if (receipts.length >= receiptsMax) return Promise.reject(new Error('too many receipts wait for the database'))
      return new Promise((resolve, reject) => {
        receipts.push({ receipt, resolve, reject })
        writing ??= run()
      })
    },
    drained: async () => {
      // It changes while this waits.
      // oxlint-disable-next-line no-unmodified-loop-condition
      while (writing) await writing
    },
  }
}
