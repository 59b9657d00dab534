/**
 * The state of a top-up.
 *
 * - `pending`: a gateway was asked to take the payment, and nothing is proven yet
 * - `waiting`: a transfer of the reseller's own waits for a person who confirms it
 * - `credited`: the wallet has the money
 * - `failed`, `expired`: nothing was paid, as far as the gateway knows. If proof of the right payment comes later, the
 *   top-up is credited, once
 * - `held`: something was paid, but the amount, the currency or the reference is not what we asked for; a person decides
 * - `declined`: a person ended the top-up; it puts no money into the wallet
 */
export type TopUpState = 'pending' | 'waiting' | 'credited' | 'failed' | 'expired' | 'held' | 'declined'

/** The states that may follow each state. Every other move is refused. */
export const topUpMoves: Readonly<Record<TopUpState, readonly TopUpState[]>> = {
  pending: ['credited', 'failed', 'expired', 'held'],
  waiting: ['credited', 'declined'],
  failed: ['credited', 'held'],
  expired: ['credited', 'held'],
  held: ['declined'],
  credited: [],
  declined: [],
}

/** True while a gateway's answer may still credit this top-up. */
export function isAskable(state: TopUpState): boolean {
  return topUpMoves[state].includes('credited') && state !== 'waiting'
}

/** @throws Error for a move that is not in the table, which is a bug */
export function checkTopUpMove(from: TopUpState, to: TopUpState): void {
  if (!topUpMoves[from].includes(to)) throw new Error(`a top-up does not go from ${from} to ${to}`)
}
