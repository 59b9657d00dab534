import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ClaimedMessage } from './claim-messages.ts'
import { windowMax } from './commit-window.ts'
import { createMessagesInHand, type WindowChange } from './messages-in-hand.ts'
import type { MessageAnswer } from './write-answers.ts'

function makeMessage(n: number, isBulk = true): ClaimedMessage {
  const text = { encoding: 'gsm7', segments: [], isConcatenated: false } as unknown as ClaimedMessage['text']
  const campaignId = isBulk ? 'bulk' : 'small'
  const claim = { id: campaignId, openCount: 1 }
  return { claim, campaignId, n, recipient: '233241000000', network: 'MTN', isBulk, refusedBy: [], sender: 'Makola', text }
}

const meanings = ['accepted', 'rejected', 'refused_us', 'not_sent', 'unknown'] as const
const answerTo = (message: ClaimedMessage, meaning: (typeof meanings)[number] = 'accepted', isLate = false): MessageAnswer => ({
  message,
  answer: { meaning, evidence: 'said', messageIds: [] },
  isLate,
  hasOtherSupplier: false,
})

/** Applies the events of a link to one object, in any order, and compares with its own record of them. */
function openBook() {
  const hand = createMessagesInHand(windowMax, false)
  const sent: ClaimedMessage[] = []
  const unheard = new Set<ClaimedMessage>()
  const timedOut = new Set<ClaimedMessage>()
  let committed: readonly ClaimedMessage[] = []
  let change: WindowChange | undefined
  let n = 0
  return {
    hand,
    sent,
    claim: (count: number, isBulk: boolean) =>
      hand.addClaimed(Array.from({ length: count }, () => makeMessage((n += 1), isBulk))),
    begin() {
      change ??= hand.changeWindow(true)
    },
    end(isKept: boolean) {
      if (!change) return
      if (isKept) {
        hand.windowCommitted(change)
        committed = change.named
        sent.push(...change.entering)
        for (const message of change.entering) unheard.add(message)
      } else {
        hand.windowNotCommitted(change)
      }
      change = undefined
    },
    answer(place: number, meaning: (typeof meanings)[number]) {
      const message = [...unheard][place % Math.max(1, unheard.size)]
      if (!message) return
      unheard.delete(message)
      hand.addAnswer(answerTo(message, meaning))
      if (meaning === 'unknown') timedOut.add(message)
    },
    answerLate(place: number) {
      const message = [...timedOut][place % Math.max(1, timedOut.size)]
      if (!message) return
      timedOut.delete(message)
      hand.addAnswer(answerTo(message, 'accepted', true))
    },
    /** The broken rules; empty when all hold. */
    breaches(): string[] {
      const named = new Set(committed)
      // After a crash at this moment, the messages of the last window are unknown. So it must name every message that was
      // sent and not answered.
      const isForgotten = [...unheard].some((message) => !named.has(message))
      return [
        ...(committed.length > windowMax ? ['more than the window in flight'] : []),
        ...(isForgotten ? ['sent, and named by no window'] : []),
        ...(new Set(sent).size < sent.length ? ['sent twice'] : []),
      ]
    },
  }
}

type Book = ReturnType<typeof openBook>

const place = fc.nat(100)
const happenings = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 40 }), fc.boolean()).map(
    ([count, isBulk]) =>
      (book: Book) =>
        book.claim(count, isBulk),
  ),
  fc.constant((book: Book) => book.begin()),
  fc.boolean().map((isKept) => (book: Book) => book.end(isKept)),
  fc.tuple(place, fc.constantFrom(...meanings)).map(
    ([at, meaning]) =>
      (book: Book) =>
        book.answer(at, meaning),
  ),
  place.map((at) => (book: Book) => book.answerLate(at)),
  fc.constant((book: Book) => void book.hand.releaseClaimed()),
)

it('whatever happens in whatever order, no more than the window is in flight, each is sent once, and a committed window names it', () => {
  fc.assert(
    fc.property(fc.array(happenings, { minLength: 20, maxLength: 200 }), (list) => {
      const book = openBook()
      for (const happen of list) {
        happen(book)
        expect(book.breaches()).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})

it('a text need not wait for the answer of the one before it', () => {
  const hand = createMessagesInHand(windowMax, false)
  const [first, second] = [makeMessage(1), makeMessage(2)]
  hand.addClaimed([first])
  expect(hand.urgency(true)).toBe('now')
  hand.windowCommitted(hand.changeWindow(true))
  expect(hand.urgency(true)).toBe('none')
  hand.addClaimed([second])
  expect(hand.urgency(true)).toBe('soon')
  expect(hand.changeWindow(true)).toEqual({ named: [first, second], entering: [second], leaving: [] })
})

it('texts of small campaigns are sent before those of large ones that were claimed earlier', () => {
  const hand = createMessagesInHand(windowMax, false)
  const bulk = Array.from({ length: windowMax }, (_, n) => makeMessage(n))
  const small = makeMessage(1_000, false)
  hand.addClaimed(bulk)
  hand.addClaimed([small])
  expect(hand.countClaimed()).toEqual({ small: 1, all: windowMax + 1 })
  expect(hand.changeWindow(true).entering).toEqual([small, ...bulk.slice(0, windowMax - 1)])
})

it('the late answer to a text leaves by another commit than its time-out', () => {
  const hand = createMessagesInHand(windowMax, false)
  const message = makeMessage(1)
  hand.addClaimed([message])
  hand.windowCommitted(hand.changeWindow(true))
  const [timeOut, late] = [answerTo(message, 'unknown'), answerTo(message, 'accepted', true)]
  hand.addAnswer(timeOut)
  hand.addAnswer(late)
  const change = hand.changeWindow(true)
  expect(change).toEqual({ named: [], entering: [], leaving: [timeOut] })
  hand.windowCommitted(change)
  expect(hand.isQuiet()).toBe(false)
  expect(hand.changeWindow(true).leaving).toEqual([late])
})

it('an answer to a text that is not in flight is a mistake, which is not taken for the answer to another one', () => {
  const hand = createMessagesInHand(windowMax, false)
  hand.addAnswer(answerTo(makeMessage(7)))
  expect(() => hand.windowCommitted(hand.changeWindow(true))).toThrow('message 7 of campaign bulk is not in_flight')
})
