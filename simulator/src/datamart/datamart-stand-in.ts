import type { SimulatedSupplier } from '../simulated-supplier.ts'
import { openSupplierStandIn, type StandInDeps, type SupplierStandIn } from '../stand-in/open-supplier-stand-in.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { announceOrder, sendOrderWebhook } from './announce-order.ts'
import { dataMartCodePrefix } from './view-order.ts'

export type DataMartDeps = StandInDeps & {
  readonly webhooks: WebhookQueue
  /** Returns whether a number can receive MTN's bundles. */
  readonly isRegisteredSomewhere: (number: string) => boolean
}

/** The simulated DataMart. It sends a webhook when an order ends. */
export type DataMartStandIn = SupplierStandIn & SimulatedSupplier & Pick<DataMartDeps, 'isRegisteredSomewhere'>

/** Opens DataMart's orders and resumes open deliveries of the last process. */
export async function openDataMartStandIn(deps: DataMartDeps): Promise<DataMartStandIn> {
  const { apiKey, webhookSecret: secret, floatPesewas } = deps.config.datamart
  const { webhooks } = deps
  const standIn = await openSupplierStandIn(deps, {
    name: 'datamart',
    codePrefix: dataMartCodePrefix,
    apiKey,
    floatPesewas,
    announce: (order, behaviour) => announceOrder({ webhooks, behaviour, secret }, order),
  })
  return {
    ...standIn,
    isRegisteredSomewhere: deps.isRegisteredSomewhere,
    sendWebhook: ({ reference, orderStatus, signature }) => {
      const order = standIn.book.find(reference)
      const { behaviour } = standIn
      if (order) sendOrderWebhook({ webhooks, behaviour, secret }, order, { orderStatus, signature, delayMilliseconds: 0 })
      return order !== undefined
    },
  }
}
