import { type RawBuilder, sql } from 'kysely'

/**
 * The order with this id, as the part `orders` of a `from`. Each is looked up by its id, in the part of its month. In a plain join
 * PostgreSQL reads the orders of all years as soon as it expects some thousand ids, which it does where it cannot count them.
 *
 * @param id an expression with columns of the parts before
 */
export const orderById = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lateral (select * from orders where orders.id = ${id} offset 0) as orders`
