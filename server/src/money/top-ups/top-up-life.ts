/**
 * Where a top-up stands.
 *
 * - `pending`: a gateway was asked to take the payment, and nothing is proven yet
 * - `waiting`: a transfer of the reseller's own waits for a person who confirms it
 * - `credited`: the wallet has the money
 * - `failed`, `expired`: nothing was paid; proof that comes later still credits it, once
 * - `held`: something was paid that is not what was asked for; a person decides
 * - `declined`: a person said no
 */
export type TopUpState = 'pending' | 'waiting' | 'credited' | 'failed' | 'expired' | 'held' | 'declined'

/** The moves that there are; every other one is refused. */
export const topUpMoves: Readonly<Record<TopUpState, readonly TopUpState[]>> = {
  pending: ['credited', 'failed', 'expired', 'held'],
  waiting: ['credited', 'declined'],
  failed: ['credited', 'held'],
  expired: ['credited', 'held'],
  held: ['declined'],
  credited: [],
  declined: [],
}

/** Whether a top-up may still come to money by what a gateway says. */
export function isAskable(state: TopUpState): boolean {
  return topUpMoves[state].includes('credited') && state !== 'waiting'
}

/** @throws Error for a move that is not in the table, which is a bug */
export function checkTopUpMove(from: TopUpState, to: TopUpState): void {
  if (!topUpMoves[from].includes(to)) throw new Error(`a top-up does not go from ${from} to ${to}`)
}
