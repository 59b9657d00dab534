import { setTimeout as sleep } from 'node:timers/promises'
import { shutdownSeconds } from '../../../platform/shutdown-seconds.ts'
import type { OutgoingSms, SmsAnswer, SmsLink, SmsSupplier } from '../../../suppliers/sms-ports.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import { type Holder, keepWindow } from './keep-window.ts'
import { openLinkNews } from './link-news.ts'
import { hasOtherSupplier } from './plan-claims.ts'
import { openReadyMessages } from './ready-messages.ts'
import { openSendWindow } from './send-window.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'
import type { MessageAnswer } from './write-answers.ts'

/** While more answers than this wait to be written, nothing more is sent. */
const backlogMax = 1_000

const notSent: SmsAnswer = { meaning: 'not_sent', evidence: 'the link is not open', messageIds: [] }

/** A link at work. */
export type HandOver = {
  open(): void
  /** Messages may be waiting in the database: claims some. */
  wake(): void
  /** Goes on with those that are claimed, or lets go of them when the link is down. Asks nothing of the database. */
  turn(): void
  isBound(): boolean
  /** Sends a text that belongs to no campaign. */
  submit(sms: OutgoingSms): Promise<SmsAnswer>
  /** Closes the link first; then writes the answers that came. */
  stop(isGraceful: boolean): Promise<void>
}

/**
 * Hands a supplier's messages over while its link stands. They are claimed some hundreds at a time, because that is
 * cheap, but only what stands in the window may be sent, and the window of at most 50 is committed first: a crash leaves
 * no more than these unknown. What comes in and what leaves is one commit. The messages themselves are written later,
 * hundreds at once.
 */
export function openHandOver(deps: SmsLinkDeps, supplier: SmsSupplier, holder: Holder): HandOver {
  const { name } = supplier
  let link: SmsLink | undefined
  let isStopped = false
  const news = openLinkNews(deps, supplier, { isQuiet: () => window.isIdle() && ready.count() === 0, onWritten: look })
  const ready = openReadyMessages(deps, holder, {
    mayClaim: () => !isStopped && link?.isBound() === true,
    onReady: () => window.turn(),
  })
  function answerTo(message: ClaimedMessage, answer: SmsAnswer, isLate: boolean): MessageAnswer {
    return { message, answer, isLate, hasOtherSupplier: hasOtherSupplier(deps.routes, name, message) }
  }

  const canSend = () => !isStopped && news.backlog() <= backlogMax
  const window = openSendWindow({
    readyCount: () => (canSend() ? ready.count() : 0),
    take: (count) => (canSend() ? ready.take(count) : []),
    putBack: (messages) => ready.putBack(messages),
    async keep(messages, answers) {
      news.addAnswers(await keepWindow(deps.db, holder, messages, answers), answers)
      ready.look()
    },
    send(message) {
      const { sender, recipient, text } = message
      const add = (isLate: boolean) => (answer: SmsAnswer) => window.answer(answerTo(message, answer, isLate))
      const sent = link?.submit({ sender, recipient, text }, add(true)) ?? Promise.resolve(notSent)
      void sent.then(add(false))
    },
    onError: (error) =>
      deps.log.warn({ err: error, supplier: name }, 'the window of an SMS link could not be kept and is tried again'),
  })

  /** What was claimed for a link that is down may be another one's. */
  function release(): void {
    const messages = ready.take(Number.POSITIVE_INFINITY)
    news.addAnswers(
      undefined,
      messages.map((message) => answerTo(message, notSent, false)),
    )
  }

  function turn(): void {
    if (link && !link.isBound()) release()
    window.turn()
  }

  function look(): void {
    turn()
    ready.look(true)
  }

  return {
    wake: look,
    turn,
    isBound: () => link?.isBound() ?? false,
    submit: async (sms) => (await link?.submit(sms)) ?? notSent,
    open() {
      link = supplier.openSmsLink({
        onReceipt: (receipt) => news.addReceipt(receipt),
        onStateChange: (isBound, evidence) => {
          deps.log[isBound ? 'info' : 'warn'](
            { supplier: name, evidence },
            isBound ? 'an SMS link is bound' : 'an SMS link is down',
          )
          look()
        },
      })
    },
    async stop(isGraceful) {
      isStopped = true
      if (isGraceful) await link?.close()
      else link?.destroy()
      const endsAt = performance.now() + shutdownSeconds.worker.links.news * 1_000
      while ((ready.isClaiming() || !window.isIdle()) && performance.now() < endsAt) await sleep(5)
      release()
      await Promise.race([news.drained(), sleep(Math.max(0, endsAt - performance.now()), undefined, { ref: false })])
    },
  }
}
