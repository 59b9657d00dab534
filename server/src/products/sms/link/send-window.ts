import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedMessage } from './claim-messages.ts'
import { windowMax } from './keep-window.ts'
import type { MessageAnswer } from './write-answers.ts'

/** The messages that a link has in flight. They enter and leave by commits. */
export type SendWindow = {
  /** Looks whether there is something to do. */
  turn(): void
  /** Takes the answer to a message that was sent. */
  answer(answer: MessageAnswer): void
  /** True when nothing is in flight and nothing is being committed. */
  isIdle(): boolean
}

export type WindowWork = {
  /** How many could go in now. */
  readyCount(): number
  take(count: number): ClaimedMessage[]
  putBack(messages: readonly ClaimedMessage[]): void
  /** Commits the messages that are in flight from now on, and the answers of those that leave. */
  keep(window: readonly ClaimedMessage[], answers: readonly MessageAnswer[]): Promise<void>
  send(message: ClaimedMessage): void
  onError(error: unknown): void
}

/** A commit is made when this many answers have come, when no more can come, or when something has waited long enough. */
const answersWorthIt = 20
const patienceMilliseconds = 10

const retryMilliseconds = 500

/**
 * Makes a window of at most 50 messages. A message is sent only after a commit that names it. Its place is free after a
 * commit that holds its answer.
 */
export function openSendWindow(work: WindowWork): SendWindow {
  const underWay = new Set<ClaimedMessage>()
  let answered: MessageAnswer[] = []
  let isKeeping = false
  let isPatient = true
  let timer: NodeJS.Timeout | undefined

  /** Takes at most one answer per message: a late answer goes into a later commit than its time-out. */
  function takeAnswered(): MessageAnswer[] {
    const messages = new Set<ClaimedMessage>()
    for (const { message } of answered) {
      if (messages.has(message)) break
      messages.add(message)
    }
    return answered.splice(0, messages.size)
  }

  async function keep(): Promise<void> {
    const answers = takeAnswered()
    const window = new Set(underWay)
    for (const { message } of answers) window.delete(message)
    const next = work.take(windowMax - window.size)
    try {
      await work.keep([...window, ...next], answers)
    } catch (error) {
      answered = [...answers, ...answered]
      work.putBack(next)
      throw error
    }
    for (const { message } of answers) underWay.delete(message)
    for (const message of next) {
      underWay.add(message)
      work.send(message)
    }
  }

  /**
   * Whether messages could leave or enter. A message without an answer must not keep the other places empty until its
   * time-out.
   */
  function isWaiting(): boolean {
    return answered.length > 0 || (underWay.size < windowMax && work.readyCount() > 0)
  }

  function isWorthIt(): boolean {
    return !isPatient || answered.length >= answersWorthIt || answered.length >= underWay.size
  }

  function turn(): void {
    if (isKeeping || !isWaiting()) return
    if (!isWorthIt()) {
      timer ??= setTimeout(losePatience, patienceMilliseconds)
      return
    }
    clearTimeout(timer)
    timer = undefined
    isPatient = true
    isKeeping = true
    keep()
      .catch((error: unknown) => {
        work.onError(error)
        return sleep(retryMilliseconds)
      })
      .finally(() => {
        isKeeping = false
        turn()
      })
  }

  function losePatience(): void {
    timer = undefined
    isPatient = false
    turn()
  }

  return {
    turn,
    answer(answer) {
      answered.push(answer)
      turn()
    },
    isIdle: () => !isKeeping && underWay.size === 0 && answered.length === 0,
  }
}
