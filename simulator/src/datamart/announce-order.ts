import { createHmac } from 'node:crypto'
import type { SupplierBehaviour } from '../control/behaviour.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { SimulatedOrder } from '../stand-in/open-order-book.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { viewOrder } from './view-order.ts'

export type Announcement = {
  readonly webhooks: WebhookQueue
  readonly behaviour: SupplierBehaviour
  readonly secret: string
}

type WebhookShape = {
  readonly orderStatus: string
  readonly signature: 'valid' | 'forged' | 'missing'
  readonly delayMilliseconds: number
}

/** Delay between the first webhook and one that contradicts it. */
const contradictionAfterMilliseconds = 500

/** Orders with these outcomes get no callback, so that the buyer must look them up. */
const silentOutcomes: ReadonlySet<ScriptedOutcome> = new Set(['answer_lost', 'page_then_failed', 'duplicate', 'unreadable'])

/** Sends the webhooks of an ended order, as the behaviour demands. */
export function announceOrder(announcement: Announcement, order: SimulatedOrder): void {
  const { isEnabled, delayMilliseconds, copies, signature, isContradicted, alsoForSilentEndings } =
    announcement.behaviour.webhooks
  if (!isEnabled || (silentOutcomes.has(order.outcome) && !alsoForSilentEndings)) return
  for (let copy = 0; copy < copies; copy += 1) {
    sendOrderWebhook(announcement, order, { orderStatus: order.status, signature, delayMilliseconds })
  }
  if (!isContradicted) return
  sendOrderWebhook(announcement, order, {
    orderStatus: order.status === 'completed' ? 'failed' : 'completed',
    signature,
    delayMilliseconds: delayMilliseconds + contradictionAfterMilliseconds,
  })
}

/** Sends one webhook about an order. Its status need not be the true one. */
export function sendOrderWebhook(announcement: Announcement, order: SimulatedOrder, shape: WebhookShape): void {
  const { createdAt: _created, updatedAt: _updated, ...data } = viewOrder(order, Date.now())
  const event = `order.${shape.orderStatus}`
  const body = JSON.stringify({ event, timestamp: new Date().toISOString(), data: { ...data, orderStatus: shape.orderStatus } })
  const secret = shape.signature === 'forged' ? 'not the secret' : announcement.secret
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  announcement.webhooks.send({
    path: '/callbacks/datamart',
    headers: {
      'content-type': 'application/json',
      'x-datamart-event': event,
      ...(shape.signature === 'missing' ? {} : { 'x-datamart-signature': signature }),
    },
    body,
    delayMilliseconds: shape.delayMilliseconds,
  })
}
