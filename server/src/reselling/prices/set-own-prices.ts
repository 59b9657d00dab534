import { sql } from 'kysely'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { resellingRefusals } from '../reselling.refusals.ts'

/** A reseller's rule for its selling price of an item: a fixed price, or an amount or a percentage on top of the cost. All null: no rule. */
export type OwnPrice = {
  readonly product: string
  /** Such as `MTN 5GB`. Empty: all items of the product that have no rule of their own. */
  readonly item: string
  readonly pricePesewas: Pesewas | null
  /** Added to the cost of one unit. */
  readonly addPesewas: Pesewas | null
  /** Added to the cost, in percent of it. */
  readonly percent: number | null
}

const pricesMax = 500

type Rule = { readonly rule: 'price' | 'add' | 'percent'; readonly value: number }

function ruleOf({ pricePesewas, addPesewas, percent }: OwnPrice): Rule | undefined {
  if (pricePesewas !== null) return { rule: 'price', value: pricePesewas }
  if (addPesewas !== null) return { rule: 'add', value: addPesewas }
  return percent === null ? undefined : { rule: 'percent', value: Math.round(percent * 100) }
}

/** Lists the rules in force, by product and item. */
export async function listOwnPrices(db: Db, accountId: string): Promise<readonly OwnPrice[]> {
  const rows = await db
    .selectFrom('own_prices')
    .select(['product', 'item', 'rule', 'value'])
    .where('account_id', '=', accountId)
    .where('valid_until', 'is', null)
    .orderBy('product')
    .orderBy('item')
    .execute()
  return rows.map(({ product, item, rule, value }) => ({
    product,
    item,
    pricePesewas: rule === 'price' ? pesewas(value) : null,
    addPesewas: rule === 'add' ? pesewas(value) : null,
    percent: rule === 'percent' ? value / 100 : null,
  }))
}

/**
 * Sets or removes the rules of some items from now on. A rule that is already in force is left alone.
 * @throws RefusalError for an entry with two rules, a price without an item, a value below 0, an unknown product, or more than
 *   500 rules
 */
export async function setOwnPrices(
  db: Db,
  products: readonly { readonly name: string }[],
  accountId: string,
  prices: readonly OwnPrice[],
): Promise<void> {
  for (const price of prices) {
    const given = [price.pricePesewas, price.addPesewas, price.percent].filter((value) => value !== null)
    const problem =
      given.length > 1
        ? 'An item has one rule: a price, an amount to add, or a percentage.'
        : price.pricePesewas !== null && price.item === ''
          ? 'A price needs an item. For all of a product, add an amount or a percentage.'
          : given.some((value) => value < 0)
            ? 'A price is not below 0.'
            : products.every(({ name }) => name !== price.product)
              ? `There is no product ${price.product}.`
              : undefined
    if (problem !== undefined) throw new RefusalError(refusals.invalidRequest(problem))
  }
  const wanted = [...new Map(prices.map((price) => [`${price.product} ${price.item}`, price])).values()]
  const items = rowsOf(wanted, {
    product: ['text', ({ product }) => product],
    item: ['text', ({ item }) => item],
    rule: ['text', (price) => ruleOf(price)?.rule ?? null],
    value: ['bigint', (price) => ruleOf(price)?.value ?? null],
  })
  await inTransaction(db, async (tx) => {
    // Locks the account, so that concurrent changes keep the limit and no item gets two rules in force.
    await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
    await sql`
      update own_prices set valid_until = clock_timestamp() from ${items.as('wanted')}
      where account_id = ${accountId} and valid_until is null and own_prices.product = wanted.product
        and own_prices.item = wanted.item and (own_prices.rule, own_prices.value) is distinct from (wanted.rule, wanted.value)
    `.execute(tx)
    await sql`
      insert into own_prices (account_id, product, item, rule, value)
      select ${accountId}, product, item, rule, value from ${items.as('wanted')} where rule is not null
      on conflict (account_id, product, item) where valid_until is null do nothing`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      select count(*) from own_prices where account_id = ${accountId} and valid_until is null`.execute(tx)
    if ((rows[0]?.count ?? 0) > pricesMax) throw new RefusalError(resellingRefusals.tooManyPrices)
  })
}
