import type { operations } from './openapi.ts'

/**
 * The name of an endpoint in the OpenAPI document, which is also its method's name. Operations named `receive…` are webhooks.
 */
export type Endpoint = Exclude<keyof operations, `receive${string}`>

/** The `data` of an endpoint's answer. */
export type Data<Name extends Endpoint> = operations[Name]['responses'] extends {
  200: { content: { 'application/json': { data: infer Found } } }
}
  ? Found
  : never

/** The body that an endpoint takes. */
export type Body<Name extends Endpoint> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Found } }
}
  ? Found
  : never

/** The query that an endpoint takes. */
export type Query<Name extends Endpoint> = NonNullable<operations[Name]['parameters']['query']>

/** The body of an order whose reference may be left out: the client then makes one, and tells it to `onReference`. */
export type WithOwnReference<Order> = Order extends unknown ? Omit<Order, 'reference'> & { reference?: string } : never
