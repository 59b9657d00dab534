import { expect, it } from 'vitest'
import { type MessageMove, type MessageState, messageMoves, stateAfter } from './message-life.ts'

const moves: readonly (readonly [string, MessageMove])[] = Object.entries(messageMoves)
const namesOf = (from: MessageState, to: MessageState) =>
  moves.filter(([, move]) => move.from.includes(from) && move.to === to).map(([name]) => name)

it('a message is in flight only after it was claimed and a window named it', () => {
  const into = (to: MessageState) => moves.filter(([, move]) => move.to === to).flatMap(([, move]) => move.from)
  expect(into('in_flight')).toEqual(['entering'])
  expect(into('entering')).toEqual(['claimed'])
  expect(new Set(into('claimed'))).toEqual(new Set(['waiting', 'entering']))
})

it.each(['in_flight', 'unanswered'] as const)(
  'a message that is %s waits again only by proof that it was not taken, or where the operator allows it',
  (state) => {
    expect(namesOf(state, 'waiting')).toEqual(['refusedHere', 'notSent', 'unknownAndResubmitted'])
    expect(namesOf(state, 'claimed')).toEqual([])
  },
)

it('a message that has ended stays as it is, and every other one can end', () => {
  expect(moves.filter(([, { from }]) => from.includes('answered'))).toEqual([])
  // Each round removes the states with a move to a state that was removed before.
  let open: MessageState[] = ['waiting', 'claimed', 'entering', 'in_flight', 'unanswered']
  while (open.length > 0) {
    const left = open.filter((state) => !moves.some(([, { from, to }]) => from.includes(state) && !open.includes(to)))
    expect(left.length).toBeLessThan(open.length)
    open = left
  }
})

it('a message ends with a status exactly when nothing is open any more', () => {
  for (const [, move] of moves) expect('end' in move).toBe(move.to === 'answered')
})

it('a move that does not begin where the message stands is a mistake', () => {
  expect(stateAfter('entering', messageMoves.send)).toBe('in_flight')
  expect(() => stateAfter('claimed', messageMoves.send)).toThrow('a message that is claimed cannot become in_flight')
  expect(() => stateAfter('in_flight', messageMoves.claim)).toThrow('cannot become claimed')
})
