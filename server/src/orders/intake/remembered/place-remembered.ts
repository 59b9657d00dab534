import type { Logger } from 'pino'
import { provesRollback } from '../../../platform/database/database-errors.ts'
import type { OrderCall } from '../books.ts'
import { tooBusy, type WaitingCall } from '../waiting-call.ts'
import { type BatchDeps, type BatchListener, forgetWallets, placeBatch } from './place-batch.ts'

/** The calls that a batch did not place, for `placeExactly`: at once, or after a rest because their wallet was busy. */
export type LeftWaiting = { readonly atOnce: readonly WaitingCall[]; readonly afterRest: readonly WaitingCall[] }

/** Decides a batch of waiting calls from memory and places it. Answers the placed and the refused calls. */
export async function placeRemembered(
  deps: BatchDeps & { readonly log: Logger },
  batch: readonly WaitingCall[],
): Promise<LeftWaiting> {
  for (const waitingCall of batch) if (!waitingCall.isInTime()) waitingCall.answer(tooBusy)
  const waiting = new Map(batch.map((waitingCall) => [waitingCall.call, waitingCall]))
  const waitingOf = (calls: readonly OrderCall[]) => calls.map((call) => waiting.get(call) as WaitingCall)
  const listener = keepDoubt(waiting)
  try {
    const { busy, unfit } = await placeBatch(deps, [...waiting.keys()].filter(listener.isWaiting), listener)
    return { atOnce: waitingOf(unfit), afterRest: waitingOf(busy) }
  } catch (error) {
    deps.log.warn({ err: error }, 'a batch on remembered books failed; its calls are placed the exact way')
    listener.onFailed(error)
    forgetWallets(deps.books, [...waiting.keys()])
    return { atOnce: batch.filter((waitingCall) => !waitingCall.isAnswered()), afterRest: [] }
  }
}

/**
 * Marks the calls of a batch as in doubt from its send to its answer. A call in doubt is answered only with its orders or
 * with `outcome_unknown`.
 */
function keepDoubt(waiting: ReadonlyMap<OrderCall, WaitingCall>): BatchListener & { onFailed(error: unknown): void } {
  let sent: readonly OrderCall[] = []
  const setDoubt = (isInDoubt: boolean): void => {
    for (const call of sent) (waiting.get(call) as WaitingCall).isInDoubt = isInDoubt
  }
  return {
    isWaiting: (call) => waiting.get(call)?.isAnswered() === false,
    onSent: (placing) => {
      sent = placing
      setDoubt(true)
    },
    onAnswered: (outcomes) => {
      setDoubt(false)
      sent = []
      for (const [call, outcome] of outcomes) waiting.get(call)?.answer(outcome)
    },
    onFailed: (error) => {
      if (provesRollback(error)) setDoubt(false)
    },
  }
}
