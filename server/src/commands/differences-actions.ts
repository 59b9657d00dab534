import Type from 'typebox'
import { readConfig } from '../config.ts'
import { ghs, pesewas } from '../money/pesewas.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { isId } from '../platform/database/read-id.ts'
import { Uuid } from '../platform/http/schemas.ts'
import { WithWireName } from '../platform/operations/fields.ts'
import { toWire } from '../platform/operations/wire.ts'
import { assignDifference, closeDifference } from '../reconciliation/explain-difference.ts'
import { type ListedDifference, listDifferences } from '../reconciliation/list-differences.ts'
import { Difference } from '../reconciliation/reconciliation.schemas.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { readCount, readCursor, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type DifferencesOptions = { supplier?: string; open?: true; limit: string; after?: string }
export type AssignDifferenceOptions = { to?: string; by: string }
export type CloseDifferenceOptions = { reason: string; by: string }

const limitMax = 1_000

const { id: _id, reference, file_name, ...others } = Difference.properties

/** Scripts rely on the names of these fields. */
const Printed = Type.Object({
  id: Uuid(),
  reference: WithWireName('our_reference', reference),
  file_name: WithWireName('file', file_name),
  ...others,
})

const money = (amount: number | null) => (amount === null ? '-' : ghs(pesewas(amount)).toFixed(2))

function describeDifference(difference: ListedDifference): string {
  const { closed_by: closedBy, close_reason: reason, assigned_to: assignedTo } = difference
  const state = closedBy === null ? (assignedTo === null ? 'open' : `open, ${assignedTo}`) : `closed by ${closedBy}: ${reason}`
  const kind = difference.why === null ? difference.kind : `${difference.kind} (${difference.why})`
  const amounts = `theirs ${money(difference.amount_theirs)}, ours ${money(difference.amount_ours)}, by ${money(difference.amount_by)}`
  const line = `${difference.id}  ${difference.supplier}  ${kind}  ${difference.reference}  ${amounts}  ${state}`
  return line.replaceAll(/\p{Cc}/gu, '\ufffd')
}

export async function runDifferences(options: DifferencesOptions): Promise<void> {
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const { supplier } = options
  const after = options.after === undefined ? undefined : readCursor(options.after)
  const rows = await withDatabase(readConfig(), (db) =>
    listDifferences(db, {
      isOpen: options.open === true,
      ...(supplier !== undefined && { supplier }),
      ...(after !== undefined && { after }),
      // One more than is shown, to know whether there is a next page.
      limit: limit + 1,
    }),
  )
  const differences = rows.slice(0, limit)
  const next = rows.length > limit ? (differences.at(-1)?.id ?? null) : null
  const more = next === null ? [] : [`There is more: --after ${next}`]
  printResult(
    { differences: toWire(Type.Array(Printed), differences), next },
    [...differences.map(describeDifference), ...more].join('\n') || 'There is no such difference.',
  )
}

async function onDifference(id: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  if (!isId(id)) throw new UsageError('The difference is named by its id; see `makola reconcile differences`.')
  await withDatabase(readConfig(), (db) => inTransaction(db, work))
}

export async function runAssign(id: string, options: AssignDifferenceOptions): Promise<void> {
  const to = readText('--to', options.to, 100)
  const by = readText('--by', options.by, 100)
  await onDifference(id, (tx) => assignDifference(tx, { id, to, by }))
  printResult({ id, assigned_to: to }, `${to} finds out about ${id}.`)
}

export async function runClose(id: string, options: CloseDifferenceOptions): Promise<void> {
  const reason = readText('--reason', options.reason)
  const by = readText('--by', options.by, 100)
  await onDifference(id, (tx) => closeDifference(tx, { id, reason, by }))
  printResult({ id, closed_by: by, close_reason: reason }, `${id} is closed.`)
}
