import { ghs } from '../../money/pesewas.ts'
import type { Order } from '../../orders/order.ts'
import type { FindOrder } from '../../orders/queries/find-order.ts'
import { listNewestOrders } from '../../orders/queries/list-newest-orders.ts'
import { linkTo } from '../../platform/http/document/link-to.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import type { AfaStatus } from './afa.schemas.ts'
import { AfaOrder, AfaOrderList, AfaReferenceParams, AfaRegisterBody, AfaRegistration } from './afa.schemas.ts'
import { afaLimits, afaSwitchedOff } from './afa.settings.ts'
import { type AfaDeps, registerAfa } from './register-afa.ts'

/** A registration as its owner sees it, without the applicant's data (contract, AFA registration order). */
export function viewAfaOrder(order: Order) {
  return { id: order.id, reference: order.reference, status: order.status as AfaStatus }
}

/** Registers the endpoints to submit, list and look up AFA registrations (contract, Endpoints). */
export function registerAfaRoutes(api: Api, deps: AfaDeps & { readonly findOrder: FindOrder }): void {
  api.post(
    '/afa/register',
    {
      config: { keyType: 'standard', limit: afaLimits.register, refusals: [400, 409, afaSwitchedOff] },
      links: linkTo('findAfaOrder', 'reference', 'reference'),
      schema: {
        tags: ['AFA'],
        operationId: 'registerAfa',
        summary: 'Register a customer for AFA',
        description:
          'The fee of your role is debited and we work the registration off: poll GET /afa/orders/{reference}. A taken reference always answers 409, never a silent success; after a lost answer, look the reference up. The identity data is kept encrypted and is never shown again.',
        body: AfaRegisterBody,
        response: { 200: Envelope(AfaRegistration) },
      },
    },
    async (request) => {
      const { order, balancePesewas } = await registerAfa(deps, request.caller, request.body)
      const { id: order_id, ...rest } = viewAfaOrder(order)
      return ok({ order_id, ...rest, new_balance: ghs(balancePesewas) })
    },
  )

  api.get(
    '/afa/orders',
    {
      config: { keyType: 'standard', limit: afaLimits.orders },
      schema: {
        tags: ['AFA'],
        operationId: 'listAfaOrders',
        summary: 'List the newest registrations',
        description: 'At most 30, newest first.',
        response: { 200: Envelope(AfaOrderList) },
      },
    },
    async (request) => {
      const orders = await listNewestOrders(deps.db, { accountId: request.caller.accountId, kind: 'afa' })
      return ok({ orders: orders.map(viewAfaOrder) })
    },
  )

  api.get(
    '/afa/orders/:reference',
    {
      config: { keyType: 'standard', limit: afaLimits.order, refusals: [refusals.orderNotFound] },
      schema: {
        tags: ['AFA'],
        operationId: 'findAfaOrder',
        summary: 'Read a registration by its reference',
        params: AfaReferenceParams,
        response: { 200: Envelope(AfaOrder) },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const order = await deps.findOrder({ accountId, kind: 'afa', reference: request.params.reference })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok(viewAfaOrder(order))
    },
  )
}
