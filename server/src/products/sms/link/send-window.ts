import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedMessage } from './claim-messages.ts'
import { windowMax } from './keep-window.ts'
import type { MessageAnswer } from './write-answers.ts'

/** What a link has under way. Messages come in and go out by commits. */
export type SendWindow = {
  /** Looks whether there is something to do. */
  turn(): void
  /** Takes the answer to a message that was sent. */
  answer(answer: MessageAnswer): void
  /** Nothing is under way, nothing is being kept. */
  isIdle(): boolean
}

export type WindowWork = {
  /** How many could go in now. */
  readyCount(): number
  take(count: number): ClaimedMessage[]
  putBack(messages: readonly ClaimedMessage[]): void
  /** Commits what is under way from now on, and the answers that leave. */
  keep(window: readonly ClaimedMessage[], answers: readonly MessageAnswer[]): Promise<void>
  send(message: ClaimedMessage): void
  onError(error: unknown): void
}

/** A commit is worth it when so many answers came, when none is to come, or when something has waited so long for one. */
const answersWorthIt = 20
const patienceMilliseconds = 10

const retryMilliseconds = 500

/** Opens a window of at most 50. A message is sent only after a commit that names it; its place is free after one that has its answer. */
export function openSendWindow(work: WindowWork): SendWindow {
  const underWay = new Set<ClaimedMessage>()
  let answered: MessageAnswer[] = []
  let isKeeping = false
  let isPatient = true
  let timer: NodeJS.Timeout | undefined

  /** Of one message once: a late answer follows that of its time-out by another commit. */
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

  /** Something could leave or come in; a place beside a text that nobody answers is not kept empty until its time runs out. */
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
