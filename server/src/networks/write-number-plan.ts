import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { mobileOperatorOf } from './number-plan.ts'

export class NumberPlanError extends OperatorRequestError {
  override readonly name = 'NumberPlanError'
}

/**
 * Reads the networks of these products, such as MTN and AT-iShare. Callers pass only products that follow the number plan,
 * because a phone number is on one of their networks.
 */
export async function readNumberNetworks(db: Db, products: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('networks').select('name').distinct().where('product', 'in', products).execute()
  return rows.map(({ name }) => name).toSorted()
}

/**
 * Finds the networks that a name means. The name of a mobile operator, such as AT, means all its networks.
 * @throws NumberPlanError for another name
 */
async function networksNamed(tx: Tx, products: readonly string[], name: string): Promise<string[]> {
  const known = await readNumberNetworks(tx, products)
  const named = known.filter((network) => network === name || mobileOperatorOf(network) === name)
  if (named.length > 0) return named
  throw new NumberPlanError(`There is no network ${JSON.stringify(name)}; there is: ${known.join(', ')}.`)
}

async function recordChange(tx: Tx, act: { actor: string; action: string; subject: string; details: object }): Promise<void> {
  await appendOperatorLog(tx, { ...act, details: { ...act.details } })
  await raiseEpoch(tx)
}

/** A prefix and its network, or a mobile operator, which means all its networks. */
type PrefixChange = { readonly prefix: string; readonly network: string; readonly actor: string }

type PortedNumber = { readonly number: string; readonly operator: string; readonly actor: string }

async function networksOf(tx: Tx, prefix: string): Promise<string[]> {
  const rows = await tx.selectFrom('number_prefixes').select('network').where('prefix', '=', prefix).orderBy('network').execute()
  return rows.map(({ network }) => network)
}

/** Only one transaction at a time changes prefixes, so that `before` in the log is the state that this change replaces. */
async function lockPrefixes(tx: Tx): Promise<void> {
  await sql`lock table number_prefixes in share row exclusive mode`.execute(tx)
}

/** As `lockPrefixes`. A row lock is not enough: mostly the number has no row yet. */
async function lockPortedNumbers(tx: Tx): Promise<void> {
  await sql`lock table ported_numbers in share row exclusive mode`.execute(tx)
}

type PrefixNetworks = { readonly prefix: string; readonly before: readonly string[]; readonly after: readonly string[] }

async function writePrefix(tx: Tx, { prefix, before, after }: PrefixNetworks): Promise<void> {
  const [removed, added] = [before.filter((each) => !after.includes(each)), after.filter((each) => !before.includes(each))]
  if (removed.length > 0) {
    await tx.deleteFrom('number_prefixes').where('prefix', '=', prefix).where('network', 'in', removed).execute()
  }
  if (added.length > 0) {
    const rows = added.map((network) => ({ prefix, network }))
    await tx.insertInto('number_prefixes').values(rows).execute()
  }
}

/**
 * Adds a prefix to a network, or to all networks of an operator. A prefix that is there already is not changed.
 * @throws NumberPlanError when there is no such network or operator
 */
export function addPrefix(db: Db, products: readonly string[], { prefix, network, actor }: PrefixChange): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockPrefixes(tx)
    const before = await networksOf(tx, prefix)
    const after = [...new Set([...before, ...(await networksNamed(tx, products, network))])].toSorted()
    if (after.length === before.length) return
    await writePrefix(tx, { prefix, before, after })
    await recordChange(tx, { actor, action: 'prefix add', subject: prefix, details: { before, after } })
  })
}

/**
 * Removes a prefix from a network, or from all networks of an operator.
 * @throws NumberPlanError when it is not there, or when there is no such network or operator
 */
export function removePrefix(db: Db, products: readonly string[], { prefix, network, actor }: PrefixChange): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockPrefixes(tx)
    const before = await networksOf(tx, prefix)
    const named = await networksNamed(tx, products, network)
    const after = before.filter((each) => !named.includes(each))
    if (after.length === before.length) throw new NumberPlanError(`The prefix ${prefix} is not one of ${network}.`)
    await writePrefix(tx, { prefix, before, after })
    await recordChange(tx, { actor, action: 'prefix remove', subject: prefix, details: { before, after } })
  })
}

/** The new networks or mobile operators of a prefix, in place of its present ones. If empty, its numbers have no network. */
type PrefixRequest = { readonly prefix: string; readonly networks: readonly string[]; readonly actor: string }

/** @throws NumberPlanError when one of the networks is not known */
export function setPrefix(db: Db, products: readonly string[], { prefix, networks, actor }: PrefixRequest): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockPrefixes(tx)
    const before = await networksOf(tx, prefix)
    const named = await Promise.all(networks.map((network) => networksNamed(tx, products, network)))
    const after = [...new Set(named.flat())].toSorted()
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await writePrefix(tx, { prefix, before, after })
    await recordChange(tx, { actor, action: 'prefix set', subject: prefix, details: { before, after } })
  })
}

/**
 * Records that a number was ported to a mobile operator, whatever its prefix says.
 * @throws NumberPlanError when there is no such operator
 */
export function setPortedNumber(db: Db, products: readonly string[], { number, operator, actor }: PortedNumber): Promise<void> {
  return inTransaction(db, async (tx) => {
    const mobileOperators = new Set((await readNumberNetworks(tx, products)).map(mobileOperatorOf))
    if (!mobileOperators.has(operator)) {
      throw new NumberPlanError(`There is no operator ${JSON.stringify(operator)}; there is: ${[...mobileOperators].join(', ')}.`)
    }
    await lockPortedNumbers(tx)
    const before = await tx.selectFrom('ported_numbers').select('network').where('number', '=', number).executeTakeFirst()
    if (before?.network === operator) return
    await tx
      .insertInto('ported_numbers')
      .values({ number, network: operator })
      .onConflict((conflict) => conflict.column('number').doUpdateSet({ network: operator, recorded_at: sql`now()` }))
      .execute()
    const details = { before: before?.network ?? null, after: operator }
    await recordChange(tx, { actor, action: 'ported set', subject: number, details })
  })
}

/**
 * Removes a ported number from the list, so that its prefix decides its network again.
 * @throws NumberPlanError when it was not on the list
 */
export function removePortedNumber(db: Db, number: string, actor: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const removed = await tx.deleteFrom('ported_numbers').where('number', '=', number).returning('network').executeTakeFirst()
    if (!removed) throw new NumberPlanError(`The number ${number} is not noted as carried to another network.`)
    await recordChange(tx, { actor, action: 'ported remove', subject: number, details: { before: removed.network, after: null } })
  })
}
