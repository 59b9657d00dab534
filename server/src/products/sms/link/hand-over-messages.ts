import { setTimeout as sleep } from 'node:timers/promises'
import { shutdownSeconds } from '../../../platform/shutdown-seconds.ts'
import type { OutgoingSms, SmsAnswer, SmsLink, SmsSupplier } from '../../../suppliers/sms-ports.ts'
import { nameGoneReason } from '../sms-statuses.ts'
import { type ClaimAhead, createClaimAhead } from './claim-ahead.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import { commitWindow, type LinkHolder, LinkTakenOverError, windowSizeOf } from './commit-window.ts'
import { type LinkWriter, openLinkWriter } from './link-writer.ts'
import { moveByAnswer } from './message-life.ts'
import { createMessagesInHand, type MessagesInHand } from './messages-in-hand.ts'
import { optOutByReply } from './opt-out-by-reply.ts'
import { hasOtherSupplier } from './plan-claims.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'
import type { MessageAnswer } from './write-answers.ts'

/** While more answers than this wait to be written, nothing more is sent. */
const backlogMax = 1_000

/** The longest wait of messages and answers for a shared commit, when it is not urgent. */
const patienceMilliseconds = 10

/** Pause after a failed commit. */
const retryMilliseconds = 500

const notSent: SmsAnswer = { meaning: 'not_sent', evidence: 'the link is not open', messageIds: [] }

const nameGone: SmsAnswer = { meaning: 'rejected', evidence: nameGoneReason, messageIds: [] }

export type HandOver = {
  open(): void
  /** Claims messages, because some may be waiting in the database. */
  wake(): void
  /** Sends claimed messages, or gives them back when the link is down. */
  sendOrRelease(): void
  isBound(): boolean
  /** Sends a text that belongs to no campaign. */
  submit(sms: OutgoingSms): Promise<SmsAnswer>
  /** Closes the link, then writes the received answers. */
  stop(isGraceful: boolean): Promise<void>
}

type HandOverDeps = Omit<SmsLinkDeps, 'registry'>
type LinkedSupplier = Pick<SmsSupplier, 'name' | 'submitsAtOnce' | 'submitsPerSecond' | 'resubmitsUnanswered' | 'openSmsLink'>

type Work = {
  readonly deps: HandOverDeps
  readonly supplier: LinkedSupplier
  readonly holder: LinkHolder
  readonly messages: MessagesInHand
  readonly claims: ClaimAhead
  readonly writer: LinkWriter
  link: SmsLink | undefined
  /**
   * `stopping`: nothing more is sent, but received answers are still stored. `over`: another process holds the link, so this
   * one can store nothing more.
   */
  phase: 'working' | 'stopping' | 'over'
  /** True while a commit of the window is running; there is never more than one. */
  isCommitting: boolean
  patience: NodeJS.Timeout | undefined
}

/**
 * Sends a supplier's messages while its link is bound. Claims many at a time, because that is cheap, but sends only messages in
 * the window. The window is small and is committed before its messages are sent, so a crash leaves at most these messages
 * unknown. The window has up to twice as many messages as the link sends without an answer: the rest waits inside the link, so
 * that the link goes on sending during a commit. One commit lets messages enter and leave. The messages' rows are written
 * later, hundreds at once. `message-life.ts` has the states of a message, and `messages-in-hand.ts` holds the state of each
 * one.
 */
export function openHandOver(deps: HandOverDeps, supplier: LinkedSupplier, holder: LinkHolder): HandOver {
  const work: Work = {
    deps,
    supplier,
    holder,
    messages: createMessagesInHand(windowSizeOf(supplier), supplier.resubmitsUnanswered),
    claims: createClaimAhead(deps, holder, supplier.submitsPerSecond),
    writer: openLinkWriter(deps, supplier),
    link: undefined,
    phase: 'working',
    isCommitting: false,
    patience: undefined,
  }
  return {
    wake: () => sendAndClaim(work),
    sendOrRelease: () => sendOrRelease(work),
    isBound: () => work.link?.isBound() ?? false,
    submit: async (sms) => (deps.history?.isSalesStopped() ? undefined : await work.link?.submit(sms)) ?? notSent,
    open() {
      work.link = supplier.openSmsLink({
        onReceipt: (receipt) => work.writer.addReceipt(receipt),
        onReply: (reply) => optOutByReply(deps, reply),
        onStateChange: (isBound, evidence) => {
          const fields = { supplier: supplier.name, evidence }
          if (isBound) deps.log.info(fields, 'an SMS link is bound')
          else if (work.phase === 'working') deps.log.warn(fields, 'an SMS link is down')
          else deps.log.info(fields, 'an SMS link is closed')
          sendAndClaim(work)
        },
      })
    },
    stop: (isGraceful) => stop(work, isGraceful),
  }
}

function sendAndClaim(work: Work): void {
  sendOrRelease(work)
  claimAhead(work, true)
}

function sendOrRelease(work: Work): void {
  if (work.link && !work.link.isBound()) releaseClaimed(work)
  commitWhenDue(work)
  if (isQuiet(work)) work.writer.writeNow()
}

/** Gives the claimed messages back, so that another link may claim them. */
function releaseClaimed(work: Work): void {
  const messages = work.messages.releaseClaimed()
  writeLater(
    work,
    undefined,
    messages.map((message) => answerTo(work, message, notSent, false)),
  )
}

function isQuiet({ messages, isCommitting }: Work): boolean {
  return !isCommitting && messages.isQuiet() && messages.countClaimed().all === 0
}

function claimAhead(work: Work, isFresh: boolean): void {
  if (work.phase !== 'working' || work.deps.history?.isSalesStopped() || !work.link?.isBound()) return
  const claiming = work.claims.claimIfNeeded(work.messages.countClaimed(), isFresh)
  void claiming?.then((messages) => {
    work.messages.addClaimed(messages)
    sendOrRelease(work)
  })
}

const isOver = ({ phase }: Work) => phase === 'over'

function mayEnter({ phase, writer, deps }: Work): boolean {
  return phase === 'working' && !deps.history?.isSalesStopped() && writer.backlog() <= backlogMax
}

/** Commits the window when that is urgent, or has waited long enough. */
function commitWhenDue(work: Work, isPatient = true): void {
  const urgency = work.messages.urgency(mayEnter(work))
  if (isOver(work) || work.isCommitting || urgency === 'none') return
  if (urgency === 'soon' && isPatient) {
    work.patience ??= setTimeout(() => {
      work.patience = undefined
      commitWhenDue(work, false)
    }, patienceMilliseconds)
    return
  }
  clearTimeout(work.patience)
  work.patience = undefined
  work.isCommitting = true
  commitAndSend(work)
    .catch((error: unknown) => {
      const fields = { err: error, supplier: work.supplier.name }
      if (error instanceof LinkTakenOverError) {
        work.phase = 'over'
        work.deps.log.warn(fields, 'an SMS link has another holder')
        return undefined
      }
      work.deps.log.warn(fields, 'the window of an SMS link could not be kept and is tried again')
      return sleep(retryMilliseconds)
    })
    .finally(() => {
      work.isCommitting = false
      sendOrRelease(work)
    })
}

/**
 * Commits the messages that may be in flight from now on and the answers of messages that leave the window. Then sends the new
 * messages.
 */
async function commitAndSend(work: Work): Promise<void> {
  const { messages, deps, holder } = work
  const change = messages.changeWindow(mayEnter(work))
  let keptId: string | undefined
  try {
    keptId = await commitWindow(deps.db, holder, change.named, change.leaving)
  } catch (error) {
    messages.windowNotCommitted(change)
    throw error
  }
  messages.windowCommitted(change)
  writeLater(work, keptId, change.leaving)
  for (const message of change.entering) send(work, message)
  claimAhead(work, false)
}

function send(work: Work, message: ClaimedMessage): void {
  const { sender, recipient, text } = message
  const onAnswer = (isLate: boolean) => (answer: SmsAnswer) => {
    work.messages.addAnswer(answerTo(work, message, answer, isLate))
    sendOrRelease(work)
  }
  // The commit of the window may have shown that the database lost commits.
  const link = work.deps.history?.isSalesStopped() ? undefined : work.link
  const submit = () => link?.submit({ sender, recipient, text }, onAnswer(true)) ?? Promise.resolve(notSent)
  const sent = text.segments.length === 0 ? Promise.resolve(nameGone) : submit()
  void sent.then(onAnswer(false))
}

function answerTo({ deps, supplier }: Work, message: ClaimedMessage, answer: SmsAnswer, isLate: boolean): MessageAnswer {
  return { message, answer, isLate, hasOtherSupplier: hasOtherSupplier(deps.routes, supplier.name, message) }
}

/** Adds answers to be written. When that makes messages wait again, the link claims messages anew. */
function writeLater(work: Work, keptId: string | undefined, answers: readonly MessageAnswer[]): void {
  if (answers.length === 0) return
  const { resubmitsUnanswered } = work.supplier
  const isAnyWaiting = answers.some((each) => moveByAnswer(each, resubmitsUnanswered).to === 'waiting')
  void work.writer.addAnswers(keptId, answers).then(() => (isAnyWaiting ? sendAndClaim(work) : sendOrRelease(work)))
}

async function stop(work: Work, isGraceful: boolean): Promise<void> {
  if (!isOver(work)) work.phase = 'stopping'
  if (isGraceful) await work.link?.close()
  else work.link?.destroy()
  const endsAt = performance.now() + shutdownSeconds.worker.links.news * 1_000
  const isBusy = () => work.claims.isClaiming() || work.isCommitting || !work.messages.isQuiet()
  while (isBusy() && !isOver(work) && performance.now() < endsAt) await sleep(5)
  releaseClaimed(work)
  await Promise.race([work.writer.drained(), sleep(Math.max(0, endsAt - performance.now()), undefined, { ref: false })])
}
