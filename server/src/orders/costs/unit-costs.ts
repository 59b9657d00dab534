import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import type { CostKey, CostSubject } from './cost-subject.ts'

export type UnitCost = {
  readonly costNo: number
  readonly product: string
  readonly key: string
  /** GHS for each unit, with up to six decimals. */
  readonly ghs: number
  /** Percent of the amount, added to `ghs`. */
  readonly percent: number
  readonly validFrom: Date
  readonly note: string | null
  readonly actor: string
  readonly createdAt: Date
}

/** Something that has a cost, such as an SMS segment, with the cost in force. Null: none was entered. */
export type CostedKey = CostKey & { readonly subject: CostSubject; readonly cost: UnitCost | null }

/** Six decimals of a GHS, because an SMS costs parts of a pesewa. */
export const costDecimals = 6
export const costGhsMax = 1_000_000

export class CostError extends OperatorRequestError {
  override readonly name = 'CostError'
}

const costColumns = sql`cost_no as "costNo", product, key, (pesewas / 100)::float8 as ghs, percent::float8 as percent,
  valid_from as "validFrom", note, actor, created_at as "createdAt"`

/** Lists everything whose cost can be entered, with its present cost. */
export async function listCosts(db: Db, subjects: readonly CostSubject[]): Promise<CostedKey[]> {
  const { rows } = await sql<UnitCost>`
    select distinct on (product, key) ${costColumns} from unit_costs
    where valid_from <= now() order by product, key, valid_from desc, cost_no desc`.execute(db)
  const lists = await Promise.all(subjects.map(async (subject) => ({ subject, keys: await subject.listKeys(db) })))
  return lists.flatMap(({ subject, keys }) =>
    keys.map((key) => ({
      ...key,
      subject,
      cost: rows.find((row) => row.product === subject.product && row.key === key.key) ?? null,
    })),
  )
}

/** Lists the entered costs, newest first. */
export async function listCostHistory(db: Db, limit: number): Promise<UnitCost[]> {
  const { rows } = await sql<UnitCost>`select ${costColumns} from unit_costs order by cost_no desc limit ${limit}`.execute(db)
  return rows
}

export type CostEntry = {
  readonly product: string
  readonly key: string
  readonly ghs: number
  readonly percent: number
  /** The moment from which it counts. Left out: the beginning of a batch, else now. */
  readonly from?: Date | undefined
  readonly note?: string | undefined
  readonly actor: string
}

/**
 * Enters a cost. The worker then computes the costs again for all days since `from`. The caller has checked that the
 * product and key exist.
 */
export async function addUnitCost(tx: Tx, entry: CostEntry & { readonly from: Date }): Promise<void> {
  const { product, key, ghs, percent, from, note, actor } = entry
  const { rows: before } = await sql<UnitCost>`
    select ${costColumns} from unit_costs where product = ${product} and key = ${key} and valid_from <= ${from}
    order by valid_from desc, cost_no desc limit 1`.execute(tx)
  await sql`
    insert into unit_costs (product, key, pesewas, percent, valid_from, note, actor)
    values (${product}, ${key}, ${ghs}::numeric * 100, ${percent}::numeric, ${from}, ${note ?? null}, ${actor})`.execute(tx)
  await sql`
    insert into cost_recounts (since) values ((${from}::timestamptz at time zone 'Africa/Accra')::date)
    on conflict do nothing`.execute(tx)
  const [known] = before
  await appendOperatorLog(tx, {
    actor,
    action: 'cost set',
    subject: key === '' ? product : `${product} ${key}`,
    details: {
      ...(known && { before: known.ghs, ...(known.percent > 0 && { before_percent: known.percent }) }),
      after: ghs,
      ...(percent > 0 && { after_percent: percent }),
      from: from.toISOString(),
      ...(note !== undefined && { note }),
    },
  })
}

/**
 * Enters the cost of a unit from a moment on.
 * @throws CostError when nothing of this name has a cost, or a percentage is given for a unit that has none
 */
export async function setUnitCost(tx: Tx, subjects: readonly CostSubject[], entry: CostEntry): Promise<CostedKey> {
  const subject = subjects.find(({ product }) => product === entry.product)
  if (!subject)
    throw new CostError(`No cost is entered for ${entry.product}; for: ${subjects.map((each) => each.product).join(', ')}.`)
  const keys = await subject.listKeys(tx)
  const key = keys.find((each) => each.key === entry.key)
  if (!key) {
    const known = keys
      .map((each) => each.key)
      .slice(0, 20)
      .join(', ')
    throw new CostError(`${subject.title} has no ${JSON.stringify(entry.key)} that costs anything; known: ${known || 'none'}.`)
  }
  if (entry.percent > 0 && !subject.takesPercent) throw new CostError(`A ${subject.unit} has a cost, and no percentage.`)
  await addUnitCost(tx, { ...entry, from: entry.from ?? key.since ?? new Date() })
  const costed = await listCosts(tx, [{ ...subject, listKeys: () => Promise.resolve([key]) }])
  return costed[0] ?? { ...key, subject, cost: null }
}
