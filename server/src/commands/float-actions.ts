import { readConfig } from '../config.ts'
import { describeLoosening } from '../guards/loosening.ts'
import { formatGhs, ghs } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { compareFloats, daysBetween, type FloatDay, viewDayOfFloat } from '../reconciliation/compare-floats.ts'
import { moveFloat } from '../suppliers/float/move-float.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import { personOf } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readMoment, readPeriod, readSignedGhs, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type FloatTopUpOptions = { amount: string; by: string; note: string; at?: string }
export type ReconcileFloatOptions = { supplier?: string; from?: string; to?: string }

const dayMilliseconds = 24 * 3_600_000

/** The number of days of the period when `--from` is not given. */
const usualDays = 7
const daysMax = 366

export async function runFloatTopUp(supplier: string, options: FloatTopUpOptions): Promise<void> {
  const amountPesewas = readSignedGhs('--amount', options.amount)
  const note = readText('--note', options.note)
  const actor = readText('--by', options.by, 100)
  const movedAt = options.at === undefined ? undefined : readMoment('--at', options.at)
  const config = readConfig()
  const isLive = config.suppliers === 'live'
  const movement = { supplier, amountPesewas, note, person: personOf(actor), isLive, ...(movedAt && { movedAt }) }
  const moved = await withDatabase(config, (db) => inTransaction(db, (tx) => moveFloat(tx, movement)))
  if (moved.loosened.state !== 'done') {
    const { approvalId } = moved.loosened
    return printResult({ approval_id: approvalId, status: 'pending' }, `Nothing is noted yet. ${describeLoosening(approvalId)}`)
  }
  const at = moved.movedAt.toISOString()
  printResult(
    { id: moved.id, supplier, amount: ghs(amountPesewas), note, at },
    `${formatGhs(amountPesewas)} at ${supplier} is noted as moved at ${at}.`,
  )
}

type ReadView = ReturnType<typeof viewDayOfFloat>['opening']
const viewRead = (read: ReadView) => read && { float: read.float, read_at: read.at }

/** Amounts in GHS. Scripts rely on the names of these fields. */
function viewFloatDay(compared: FloatDay) {
  const { day, opening, closing, ...sums } = viewDayOfFloat(compared)
  return { day, opening: viewRead(opening), closing: viewRead(closing), ...sums }
}

function describeFloatDay(day: ReturnType<typeof viewFloatDay>): string {
  if (day.moved === null || day.expected === null || day.drift === null) return `${day.day}  not read twice`
  const parts = `orders cost ${day.costs.toFixed(2)}, refunds ${day.refunds.toFixed(2)}, top-ups ${day.top_ups.toFixed(2)}`
  const doubts = [
    ...(day.in_doubt === 0 ? [] : [`in doubt ${day.in_doubt.toFixed(2)}`]),
    ...(day.orders_without_cost === 0 ? [] : [`${day.orders_without_cost} orders without a cost`]),
  ]
  const doubt = doubts.length === 0 ? '' : `; ${doubts.join(', ')}`
  return `${day.day}  moved ${day.moved.toFixed(2)}, expected ${day.expected.toFixed(2)} (${parts}${doubt}): drift ${day.drift.toFixed(2)}`
}

function readFloatDays(options: ReconcileFloatOptions): Date[] {
  const period = readPeriod(options)
  const to = period.to ?? new Date()
  const days = daysBetween(period.from ?? new Date(to.getTime() - (usualDays - 1) * dayMilliseconds), to)
  if (days.length <= daysMax) return days
  throw new UsageError(`--from and --to must be at most ${daysMax} days apart.`)
}

export async function runReconcileFloat(options: ReconcileFloatOptions): Promise<void> {
  const days = readFloatDays(options)
  const { supplier } = options
  if (supplier === undefined) throw new UsageError('Say whose float it is, with --supplier.')
  const compared = await withDatabase(readConfig(), async (db) => {
    const known = await db.selectFrom('suppliers').select('name').where('name', '=', supplier).executeTakeFirst()
    if (!known) throw new CommandError(`There is no supplier ${JSON.stringify(supplier)}; see \`makola supplier list\`.`)
    return compareFloats(db, supplier, days)
  })
  const shown = compared.map(viewFloatDay)
  printResult({ supplier, days: shown }, shown.map(describeFloatDay).join('\n'))
}
