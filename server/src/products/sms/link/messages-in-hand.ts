import type { ClaimedMessage } from './claim-messages.ts'
import { type MessageMove, type MessageState, messageMoves, moveByAnswer, stateAfter } from './message-life.ts'
import type { MessageAnswer } from './write-answers.ts'

export type WindowChange = {
  /** All messages that may be in flight after the commit, at most the window's size. */
  readonly named: readonly ClaimedMessage[]
  /** Messages that enter the window now; they are sent after the commit. */
  readonly entering: readonly ClaimedMessage[]
  /** Answers of messages that leave the window. */
  readonly leaving: readonly MessageAnswer[]
}

/** The messages that one link has claimed and whose answers are not in the database yet, each with its state. Only in memory. */
export type MessagesInHand = {
  addClaimed(messages: readonly ClaimedMessage[]): void
  /** How many messages are claimed and not sent: of small campaigns, and of all. */
  countClaimed(): { readonly small: number; readonly all: number }
  /**
   * Makes all claimed, unsent messages `waiting` again, so that another link may claim them.
   * @returns these messages
   */
  releaseClaimed(): ClaimedMessage[]
  addAnswer(answer: MessageAnswer): void
  /**
   * Urgency of a commit of the window.
   * @param mayEnter whether claimed messages may enter it
   */
  urgency(mayEnter: boolean): 'none' | 'soon' | 'now'
  /** The changes of the next commit; there is one commit at a time. Messages of small campaigns enter first. */
  changeWindow(mayEnter: boolean): WindowChange
  /** Call it after a successful commit: new messages are in flight from now on, and answered messages have left. */
  windowCommitted(change: WindowChange): void
  /** Call it after a failed commit. It restores the state before `changeWindow`. */
  windowNotCommitted(change: WindowChange): void
  /** True when nothing is in flight or entering, and no answer waits for a commit. */
  isQuiet(): boolean
}

/**
 * A commit is made at once when this part of the window has answers; fewer answers wait a little for others. With a third
 * answered, enough of the window is still unsent to keep the link busy during the commit.
 */
const partWorthIt = 1 / 3

/** States that only this process knows. */
type InHandState = Extract<MessageState, 'claimed' | 'entering' | 'in_flight'>
type MessagesByState = Readonly<Record<InHandState, Set<ClaimedMessage>>>

const isInHandState = (state: MessageState, held: MessagesByState): state is InHandState => state in held

/**
 * @throws Error when the move begins at `claimed`, `entering` or `in_flight` and the message is not there: it could be sent
 * twice, or lost. Other states are not known here.
 */
function move(held: MessagesByState, message: ClaimedMessage, from: MessageState, by: MessageMove): void {
  const to = stateAfter(from, by)
  if (isInHandState(from, held) && !held[from].delete(message)) {
    throw new Error(`message ${message.n} of campaign ${message.campaignId} is not ${from}`)
  }
  if (isInHandState(to, held)) held[to].add(message)
}

/**
 * Takes answers until a message would have a second one. The rest waits for the next commit, so that a late answer and the
 * time-out before it are never in one commit.
 */
function firstOfEach(answers: readonly MessageAnswer[]): MessageAnswer[] {
  const messages = new Set<ClaimedMessage>()
  for (const { message } of answers) {
    if (messages.has(message)) break
    messages.add(message)
  }
  return answers.slice(0, messages.size)
}

/**
 * Takes messages in the order of entering the window, small campaigns first.
 * @param hasSmall whether any belongs to a small campaign
 */
function takeSmallCampaignsFirst(claimed: ReadonlySet<ClaimedMessage>, count: number, hasSmall: boolean): ClaimedMessage[] {
  const taken: ClaimedMessage[] = []
  for (const isBulk of hasSmall ? [false, true] : [true]) {
    for (const message of claimed) {
      if (taken.length >= count) return taken
      if (message.isBulk === isBulk) taken.push(message)
    }
  }
  return taken
}

/**
 * @param windowSize the most messages in flight
 * @param isResubmitting true when the operator allows sending unanswered messages again
 */
export function createMessagesInHand(windowSize: number, isResubmitting: boolean): MessagesInHand {
  const answersWorthIt = Math.ceil(windowSize * partWorthIt)
  const byState: MessagesByState = { claimed: new Set(), entering: new Set(), in_flight: new Set() }
  const answers: MessageAnswer[] = []
  /** How many messages of small campaigns are claimed and not sent. */
  let small = 0

  /** Moves messages into the set of claimed ones or out of it, and counts those of small campaigns. */
  function moveAll(messages: readonly ClaimedMessage[], from: MessageState, by: MessageMove): void {
    for (const message of messages) {
      move(byState, message, from, by)
      if (!message.isBulk) small += by.to === 'claimed' ? 1 : -1
    }
  }

  return {
    addClaimed: (messages) => moveAll(messages, 'waiting', messageMoves.claim),
    countClaimed: () => ({ small, all: byState.claimed.size }),
    releaseClaimed() {
      const messages = [...byState.claimed]
      moveAll(messages, 'claimed', messageMoves.notSent)
      return messages
    },
    addAnswer: (answer) => void answers.push(answer),
    urgency(mayEnter) {
      const isPlaceWanted = mayEnter && byState.claimed.size > 0 && byState.in_flight.size < windowSize
      if (answers.length === 0 && !isPlaceWanted) return 'none'
      return answers.length >= Math.min(answersWorthIt, byState.in_flight.size) ? 'now' : 'soon'
    },
    changeWindow(mayEnter) {
      const leaving = firstOfEach(answers)
      const left = new Set(leaving.map(({ message }) => message))
      const staying = [...byState.in_flight].filter((message) => !left.has(message))
      const entering = mayEnter ? takeSmallCampaignsFirst(byState.claimed, windowSize - staying.length, small > 0) : []
      moveAll(entering, 'claimed', messageMoves.enter)
      return { named: [...staying, ...entering], entering, leaving }
    },
    windowCommitted({ entering, leaving }) {
      answers.splice(0, leaving.length)
      for (const answer of leaving) {
        move(byState, answer.message, answer.isLate ? 'unanswered' : 'in_flight', moveByAnswer(answer, isResubmitting))
      }
      for (const message of entering) move(byState, message, 'entering', messageMoves.send)
    },
    windowNotCommitted({ entering }) {
      moveAll(entering, 'entering', messageMoves.notEntered)
    },
    isQuiet: () => byState.in_flight.size === 0 && byState.entering.size === 0 && answers.length === 0,
  }
}
