import { join } from 'node:path'
import { openAppendOnlyLog } from '../effects/open-append-only-log.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { Payment } from './read-payment.ts'

/**
 * - `held`: refused because our float was empty; a test may deliver it later
 * - `open`: accepted
 */
export type TransactionStatus = 'held' | 'open' | 'delivered' | 'failed'

export type Transaction = Payment & {
  /** Hubtel's own id is made from this number. */
  readonly sequence: number
  readonly outcome: ScriptedOutcome
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly finishesAt: number
  status: TransactionStatus
  updatedAt: number
}

type JournalEntry =
  | (Omit<Transaction, 'updatedAt'> & { readonly type: 'transaction' })
  | { readonly type: 'failed'; readonly reference: string; readonly at: number }

export type TransactionBook = {
  find(reference: string): Transaction | undefined
  /** Stores a transaction. A second payment with the same reference finds it at once. Resolves when it is on disk. */
  add(payment: Payment, facts: Pick<Transaction, 'outcome' | 'finishesAt' | 'status'>): Promise<Transaction>
  fail(transaction: Transaction): Promise<void>
  /**
   * Marks a purchase as delivered. Call this after the delivery is in the effect log on disk, which is the record of
   * deliveries.
   */
  markDelivered(transaction: Transaction, at: number): void
  /** In the order of acceptance. */
  list(): Iterable<Transaction>
  /** The cost of all accepted transactions that did not fail. */
  spentPesewas(): number
  count(): number
  settled(): Promise<void>
  close(): Promise<void>
}

/** Hubtel's own id of a transaction: 32 hexadecimal digits. */
export function transactionIdOf({ sequence }: Transaction): string {
  return sequence.toString(16).padStart(32, '0')
}

function costOf(transaction: Transaction): number {
  return transaction.status === 'open' || transaction.status === 'delivered' ? transaction.amountPesewas : 0
}

/**
 * Opens the journal of Hubtel's transactions, and keeps all of them in memory.
 * @param delivered delivery times from the effect log, by the buyer's reference
 */
export async function openTransactionBook(folder: string, delivered: ReadonlyMap<string, number>): Promise<TransactionBook> {
  const transactions = new Map<string, Transaction>()
  let spentPesewas = 0

  function move(transaction: Transaction, status: TransactionStatus, at: number): void {
    spentPesewas -= costOf(transaction)
    transaction.status = status
    transaction.updatedAt = at
    spentPesewas += costOf(transaction)
  }

  function replay(entry: JournalEntry): void {
    if (entry.type === 'failed') {
      const failed = transactions.get(entry.reference)
      if (failed?.status === 'open') move(failed, 'failed', entry.at)
      return
    }
    const { type: _, ...facts } = entry
    const transaction = { ...facts, updatedAt: facts.createdAt }
    transactions.set(transaction.reference, transaction)
    spentPesewas += costOf(transaction)
    const deliveredAt = delivered.get(transaction.reference)
    if (deliveredAt !== undefined) move(transaction, 'delivered', deliveredAt)
  }

  const journal = await openAppendOnlyLog(join(folder, 'hubtel-transactions.jsonl'), (text) =>
    replay(JSON.parse(text) as JournalEntry),
  )
  const write = (entry: JournalEntry) => journal.append(JSON.stringify(entry))

  return {
    find: (reference) => transactions.get(reference),
    add: async (payment, facts) => {
      const createdAt = Date.now()
      const transaction = { ...payment, ...facts, sequence: transactions.size + 1, createdAt, updatedAt: createdAt }
      transactions.set(payment.reference, transaction)
      spentPesewas += costOf(transaction)
      const { updatedAt: _, ...stored } = transaction
      try {
        await write({ type: 'transaction', ...stored })
      } catch (error) {
        transactions.delete(payment.reference)
        spentPesewas -= costOf(transaction)
        throw error
      }
      return transaction
    },
    fail: async (transaction) => {
      const at = Date.now()
      await write({ type: 'failed', reference: transaction.reference, at })
      move(transaction, 'failed', at)
    },
    markDelivered: (transaction, at) => move(transaction, 'delivered', at),
    list: () => transactions.values(),
    spentPesewas: () => spentPesewas,
    count: () => transactions.size,
    settled: journal.settled,
    close: journal.close,
  }
}
