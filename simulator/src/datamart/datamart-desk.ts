import { type DeskDeps, openSupplierDesk, type SupplierDesk } from '../desk/open-supplier-desk.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { announceOrder, sendOrderWebhook } from './announce-order.ts'
import { dataMartCodePrefix } from './view-order.ts'

export type DataMartDeps = DeskDeps & {
  readonly webhooks: WebhookQueue
  /** Returns whether a number can receive MTN's bundles. */
  readonly isRegisteredSomewhere: (number: string) => boolean
}

/** The simulated DataMart. It sends a webhook when an order ends. */
export type DataMartDesk = SupplierDesk & SimulatedSupplier & Pick<DataMartDeps, 'isRegisteredSomewhere'>

/** Opens DataMart's orders and resumes open deliveries of the last process. */
export async function openDataMartDesk(deps: DataMartDeps): Promise<DataMartDesk> {
  const { apiKey, webhookSecret: secret, floatPesewas } = deps.config.datamart
  const { webhooks } = deps
  const desk = await openSupplierDesk(deps, {
    name: 'datamart',
    codePrefix: dataMartCodePrefix,
    apiKey,
    floatPesewas,
    announce: (order, behaviour) => announceOrder({ webhooks, behaviour, secret }, order),
  })
  return {
    ...desk,
    isRegisteredSomewhere: deps.isRegisteredSomewhere,
    sendWebhook: ({ reference, orderStatus, signature }) => {
      const order = desk.book.find(reference)
      const { behaviour } = desk
      if (order) sendOrderWebhook({ webhooks, behaviour, secret }, order, { orderStatus, signature, delayMilliseconds: 0 })
      return order !== undefined
    },
  }
}
