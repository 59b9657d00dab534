import { allCostSubjects } from '../all-cost-subjects.ts'
import { readConfig } from '../config.ts'
import {
  type CostedKey,
  costDecimals,
  costGhsMax,
  listCostHistory,
  listCosts,
  setUnitCost,
  type UnitCost,
} from '../orders/costs/unit-costs.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { UsageError } from './frame/command-error.ts'
import { layOutTable } from './frame/lay-out-table.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readCount, readDecimal, readMoment, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type CostSetOptions = { of?: string; amount?: string; percent?: string; from?: string; note?: string }

const historyMax = 10_000

/** Reads the cost of a unit in GHS, which may have parts of a pesewa. @throws UsageError */
export const readCostAmount = (option: string, text: string): number =>
  readDecimal(option, text, { decimals: costDecimals, most: costGhsMax })

function viewCost(cost: UnitCost) {
  const { cost_no: _no, ghs: amount, valid_from: from, created_at: at, ...rest } = cost
  return { ...rest, amount, valid_from: from.toISOString(), entered_at: at.toISOString() }
}

const viewKey = ({ subject, key, title, cost }: CostedKey) => ({
  product: subject.product,
  key,
  title,
  unit: subject.unit,
  cost: cost && viewCost(cost),
})

function describeCost({ ghs, percent }: Pick<UnitCost, 'ghs' | 'percent'>): string {
  const amount = `GHS ${ghs.toFixed(Math.max(2, (String(ghs).split('.')[1] ?? '').length))}`
  return percent === 0 ? amount : `${percent} %${ghs === 0 ? '' : ` and ${amount}`}`
}

export async function runCostList({ history }: { history?: string }): Promise<void> {
  if (history !== undefined) {
    const count = readCount('--history', history, { least: 1, most: historyMax })
    const entries = await withDatabase(readConfig(), (db) => listCostHistory(db, count))
    const lines = entries.map((entry) => [
      entry.created_at.toISOString(),
      `${entry.product} ${entry.key}`,
      describeCost(entry),
      entry.valid_from.toISOString(),
      entry.actor,
      entry.note ?? '',
    ])
    const head = ['entered', 'of', 'cost', 'counts from', 'by', 'note']
    printResult(
      { history: entries.map(viewCost) },
      entries.length === 0 ? 'Nothing was entered yet.' : layOutTable([head, ...lines]),
    )
    return
  }
  const costs = await withDatabase(readConfig(), (db) => listCosts(db, allCostSubjects))
  const lines = costs.map((each) => [
    each.subject.product,
    each.key,
    each.title,
    each.cost ? `${describeCost(each.cost)} a ${each.subject.unit}` : 'not known',
  ])
  printResult({ costs: costs.map(viewKey) }, layOutTable([['product', '--of', 'what', 'cost'], ...lines]))
}

export async function runCostSet(product: string, options: CostSetOptions): Promise<void> {
  const { of = '', amount, percent, from, note } = options
  const validFrom = from === undefined ? undefined : readMoment('--from', from)
  if (amount === undefined && percent === undefined) throw new UsageError('Say what it costs: --amount, --percent or both.')
  const entry = {
    product,
    key: of,
    ghs: amount === undefined ? 0 : readCostAmount('--amount', amount),
    percent: percent === undefined ? 0 : readDecimal('--percent', percent, { decimals: 4, most: 100 }),
    from: validFrom,
    note: note === undefined ? undefined : readText('--note', note, 500),
    actor: operatorName(),
  }
  const costed = await withDatabase(readConfig(), (db) => inTransaction(db, (tx) => setUnitCost(tx, allCostSubjects, entry)))
  printResult(
    viewKey(costed),
    `${costed.subject.title}, ${costed.title}: ${costed.cost ? describeCost(costed.cost) : 'not known'} a ${costed.subject.unit} now. The worker counts the costs of the days since then anew.`,
  )
}
