import type { UndecidedPayers } from '../undecided-payers.ts'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { endingOf, type MomoBehaviour } from './momo-behaviour.ts'
import { type MomoBook, type MomoRequest, viewMomoRequest } from './momo-book.ts'

export type PayerDeps = {
  readonly book: MomoBook
  readonly behaviour: MomoBehaviour
  readonly webhooks: WebhookQueue
  readonly payers: UndecidedPayers
}

/** Sends the callback to the address in the request. Nothing is signed; a forged one has another address. */
export function sendMomoCallback({ webhooks }: Pick<PayerDeps, 'webhooks'>, request: MomoRequest, isForged = false): void {
  const { callbackUrl } = request
  if (callbackUrl === '') return
  const forged = `${callbackUrl.slice(0, callbackUrl.lastIndexOf('/'))}/${Buffer.alloc(32, 1).toString('base64url')}`
  webhooks.send({
    method: 'PUT',
    path: isForged ? forged : callbackUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(viewMomoRequest(request)),
    delayMilliseconds: 0,
  })
}

function announce(stage: PayerDeps, request: MomoRequest): void {
  const way = endingOf(request.payer) === 'callback_lost' ? 'lost' : stage.behaviour.callback
  if (way === 'lost') return
  sendMomoCallback(stage, request, way === 'forged')
  if (way === 'twice') sendMomoCallback(stage, request)
}

/** Decides for the payer after the scripted time. */
export function playPayer(stage: PayerDeps, request: MomoRequest): void {
  const { book, behaviour, payers } = stage
  const ending = endingOf(request.payer)
  if (ending === 'never_answers') return
  const delay = ending === 'approves_late' ? behaviour.slowMilliseconds : behaviour.approvalMilliseconds
  const decide = () => {
    if (ending === 'declines') book.end(request, 'FAILED', 'APPROVAL_REJECTED')
    else if (ending === 'no_funds') book.end(request, 'FAILED', 'NOT_ENOUGH_FUNDS')
    else {
      if (ending === 'pays_less') request.amount = (Number(request.amount) - 1).toFixed(2)
      if (ending === 'other_currency') request.currency = 'EUR'
      book.end(request, 'SUCCESSFUL')
    }
    announce(stage, request)
  }
  payers.wait(decide, delay)
}
