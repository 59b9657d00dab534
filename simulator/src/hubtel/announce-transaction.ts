import type { SupplierBehaviour } from '../control/behaviour.ts'
import type { ScriptedOutcome } from '../scripted-outcomes.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { answer, codes } from './answer.ts'
import type { Transaction } from './open-transaction-book.ts'
import { viewTransaction } from './view-transaction.ts'

export type Announcement = { readonly webhooks: WebhookQueue; readonly behaviour: SupplierBehaviour }

type CallbackShape = {
  readonly code: string
  /** Hubtel does not sign callbacks: the secret is part of the address. A forged callback has a wrong secret. */
  readonly signature: 'valid' | 'forged' | 'missing'
  readonly delayMilliseconds: number
}

/** Delay between the first callback and one that contradicts it. */
const contradictionAfterMilliseconds = 500

/** Orders with these outcomes get no callback, so that the buyer must look them up. */
const silentOutcomes: ReadonlySet<ScriptedOutcome> = new Set(['answer_lost', 'page_then_failed', 'duplicate', 'unreadable'])

const messages: Readonly<Record<string, string>> = {
  [codes.processed]: 'Your transaction was processed.',
  [codes.pending]: 'Your transaction is being processed.',
  [codes.failed]: 'The transaction failed.',
  [codes.floatEmpty]: 'Insufficient prepaid balance.',
}

/** Hubtel's codes for `completed`, `failed` and `pending`. Any other text is used as a code. */
export function codeOfStatus(status: string): string {
  const known: Readonly<Record<string, string>> = { completed: codes.processed, failed: codes.failed, pending: codes.pending }
  return known[status] ?? status
}

/** Sends the callbacks of an ended transaction, as the behaviour demands. */
export function announceTransaction(announcement: Announcement, transaction: Transaction): void {
  const { isEnabled, delayMilliseconds, copies, signature, isContradicted, alsoForSilentEndings } =
    announcement.behaviour.webhooks
  if (!isEnabled || (silentOutcomes.has(transaction.outcome) && !alsoForSilentEndings)) return
  const [truth, opposite] = transaction.status === 'delivered' ? [codes.processed, codes.failed] : [codes.failed, codes.processed]
  for (let copy = 0; copy < copies; copy += 1) {
    sendCallback(announcement, transaction, { code: truth, signature, delayMilliseconds })
  }
  if (!isContradicted) return
  const later = delayMilliseconds + contradictionAfterMilliseconds
  sendCallback(announcement, transaction, { code: opposite, signature, delayMilliseconds: later })
}

/** The buyer's callback address. Its last part, the secret, is kept, changed or removed. */
function addressOf({ callbackUrl }: Transaction, signature: CallbackShape['signature']): string {
  const end = callbackUrl.lastIndexOf('/')
  if (signature === 'forged') return `${callbackUrl.slice(0, end)}/${Buffer.alloc(32, 1).toString('base64url')}`
  return signature === 'missing' ? callbackUrl.slice(0, end) : callbackUrl
}

/** Sends one callback about a transaction. Its code need not be the true one. */
export function sendCallback(announcement: Announcement, transaction: Transaction, shape: CallbackShape): void {
  const message = messages[shape.code] ?? `Code ${shape.code}.`
  announcement.webhooks.send({
    path: addressOf(transaction, shape.signature),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer(shape.code, message, { ...viewTransaction(transaction), Description: message })),
    delayMilliseconds: shape.delayMilliseconds,
  })
}
