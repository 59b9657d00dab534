import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { packEvidence, readEvidenceHex } from '../packed-evidence.ts'
import { type Contradiction, contradictsEnd, writeContradictions } from './write-contradictions.ts'

/** The answer of a genuine callback about one of our attempts. */
export type SupplierCallback = {
  readonly supplier: string
  readonly outgoingReference: string
  readonly answer: SupplierAnswer
}

/** `unknown_reference`: no attempt of this supplier has the reference (yet). */
export type CallbackOutcome = 'noted' | 'unknown_reference'

/** A callback's answer about an attempt that its order no longer waits for. */
type CallbackAfterEnd = {
  readonly orderId: string
  readonly attemptNo: number
  readonly supplier: string
  readonly outcome: string | null
  readonly status: string
  readonly reference: string
  readonly answer: string
  readonly evidenceHex: string
}

type StoredCallbacksRow = { readonly known: number[] | null; readonly ends: CallbackAfterEnd[] | null }

/** Keeps each callback once and makes its order due, in one call to the database (function `note_callbacks`). */
async function storeCallbacks(tx: Tx, callbacks: readonly SupplierCallback[]): Promise<StoredCallbacksRow | undefined> {
  const columns = rowsOf(callbacks, {
    suppliers: ['text', ({ supplier }) => supplier],
    outgoing_references: ['text', ({ outgoingReference }) => outgoingReference],
    answers: ['text', ({ answer }) => answer.meaning],
    evidences: ['bytea', ({ answer }) => packEvidence(answer.evidence)],
    supplier_references: ['text', ({ answer: { supplierReference = null } }) => supplierReference],
    reported_costs: ['bigint', ({ answer: { reportedCostPesewas = null } }) => reportedCostPesewas],
    reported_commissions: ['bigint', ({ answer: { reportedCommissionPesewas = null } }) => reportedCommissionPesewas],
    account_names: ['text', ({ answer: { accountName = null } }) => accountName],
  })
  const { rows } = await sql<StoredCallbacksRow>`select * from note_callbacks(${columns.asArguments()})`.execute(tx)
  return rows[0]
}

function contradictionOf({
  orderId,
  attemptNo,
  reference,
  status,
  supplier,
  answer,
  evidenceHex,
}: CallbackAfterEnd): Contradiction {
  const evidence = readEvidenceHex(evidenceHex)
  return { orderId, attemptNo, reference, status, speaker: `a callback of ${supplier}`, words: `says ${answer}`, evidence }
}

/**
 * Keeps the answers of genuine callbacks about our attempts, and makes the orders' next questions due now, all in one
 * transaction. Evidence against a terminal order is stored and raises an alarm; the order stays as it is.
 *
 * @returns the result of each, in the order given
 */
export function recordCallbacks(db: Db, callbacks: readonly SupplierCallback[]): Promise<CallbackOutcome[]> {
  return inTransaction(db, async (tx) => {
    const noted = await storeCallbacks(tx, callbacks)
    // First the rows of the schedule, then the alarms: the worker locks them in this order too.
    const denied = (noted?.ends ?? []).filter((end) => contradictsEnd(end, end.answer))
    await writeContradictions(tx, denied.map(contradictionOf))
    const known = new Set(noted?.known)
    return callbacks.map((_callback, index) => (known.has(index + 1) ? 'noted' : 'unknown_reference'))
  })
}
