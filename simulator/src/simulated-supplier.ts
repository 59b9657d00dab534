import type { SupplierBehaviour } from './control/behaviour.ts'

/** A webhook that a test orders. Its content need not be true. */
export type WebhookOrder = {
  readonly reference: string
  readonly orderStatus: string
  readonly signature: 'valid' | 'forged' | 'missing'
}

/** A supplier as the control endpoints see it: DataMart, DataKazina and Hubtel. */
export type SimulatedSupplier = {
  readonly name: string
  readonly behaviour: SupplierBehaviour
  resetBehaviour(): void
  setFloatGhs(amount: number): void
  /** Ends every open purchase now. */
  finishAll(): Promise<void>
  /** @returns false when there is no such order, or the supplier sends no webhooks */
  sendWebhook(webhook: WebhookOrder): boolean
  /** Figures for `GET /requests`. */
  counts(): Record<string, number>
  /** Resolves when everything accepted is on disk. Open deliveries continue at the next start. */
  close(): Promise<void>
}
