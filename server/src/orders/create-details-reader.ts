import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Order } from './order.ts'

/**
 * Makes the one function by which a product reads the details of its orders. The function throws an Error if a row's details
 * are not as the product writes them, because that is a bug. The Error names the field but not its value, which may be personal
 * data.
 */
export function createDetailsReader<Schema extends TSchema>(
  product: string,
  schema: Schema,
): (order: Pick<Order, 'details'>) => Static<Schema> {
  const shape = Compile(schema)
  return ({ details }) => {
    if (shape.Check(details)) return details
    const faults = shape.Errors(details).map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
    throw new Error(`these are not the details of an order of ${product}: ${faults.join('; ')}`)
  }
}

/**
 * Reads the details of many orders for one query that all of them share. Leaves out an order whose details cannot be read, so
 * that it does not stop the others.
 */
export function readManyDetails<Detailed, Details>(
  orders: readonly Detailed[],
  read: (order: Detailed) => Details,
): ReadonlyMap<Detailed, Details> {
  const readable = new Map<Detailed, Details>()
  for (const order of orders) {
    try {
      readable.set(order, read(order))
    } catch {
      // An order with an attempt throws the same error later, when it is worked on alone. An order that was never sent
      // is held, because nobody knows which supplier could take it.
    }
  }
  return readable
}
