import { setTimeout as sleep } from 'node:timers/promises'
import { backOff } from '../../platform/back-off.ts'
import { shutdownSeconds } from '../../platform/shutdown-seconds.ts'
import { evidenceOf } from '../calling/evidence.ts'
import type { SmsAnswer, SmsLink, SmsLinkEvents } from '../sms-ports.ts'
import { createSmppRequestHandler } from './create-smpp-request-handler.ts'
import { type Bind, openBind, type SmppLinkOptions } from './open-bind.ts'
import type { SmppVocabulary } from './settings.ts'
import { submitText } from './submit-text.ts'

const notBound: SmsAnswer = { meaning: 'not_sent', evidence: 'the link is not bound', messageIds: [] }

function signalled(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('closed'), { once: true }))
}

/**
 * Binds the link again whenever a bind has ended, until the signal aborts. The waits get longer while binds end soon.
 * @param bindOnce resolves when a bind has ended
 */
async function bindRepeatedly(vocabulary: SmppVocabulary, signal: AbortSignal, bindOnce: () => Promise<void>): Promise<void> {
  const { reconnectSeconds: first, reconnectSecondsMax: most } = vocabulary
  let failures = 0
  while (!signal.aborted) {
    const startedAt = performance.now()
    await bindOnce()
    // The bind lasted for a while, so the next try comes soon.
    if (performance.now() - startedAt > most * 1_000) failures = 0
    const seconds = backOff(failures, { first, most, spread: 0.5 })
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined)
    failures += 1
  }
}

type Submit = (onTimeout: (unknown: SmsAnswer) => void) => Promise<SmsAnswer>

/** Resolves with the answer, or at the time-out with `unknown`; `onLateAnswer` then gets a later answer. */
function answerInTime(submit: Submit, onLateAnswer: ((answer: SmsAnswer) => void) | undefined): Promise<SmsAnswer> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const onTimeout = (unknown: SmsAnswer) => {
      isLate = true
      resolve(unknown)
    }
    submit(onTimeout).then((answer) => {
      if (!isLate) resolve(answer)
      else if (answer.meaning !== 'unknown') onLateAnswer?.(answer)
    }, reject)
  })
}

/** Opens a link and keeps it open (SMPP 3.4): bind, window, pace, enquire_link, reconnection. */
export function openSmppLink(options: SmppLinkOptions, events: SmsLinkEvents): SmsLink {
  const { vocabulary } = options
  const stopping = new AbortController()
  const stopped = signalled(stopping.signal)
  const underWay = new Set<Promise<SmsAnswer>>()
  let bound: Bind | undefined
  let openedBind: Bind | undefined
  let joinNumber = Math.floor(Math.random() * 256)

  /** Begins no more texts. Finishes those that have begun and waits for their answers, if still possible. */
  async function finishAndUnbind(bind: Bind): Promise<void> {
    bind.pace.close()
    const seconds = Math.min(vocabulary.responseSeconds, shutdownSeconds.worker.links.answers)
    await Promise.race([Promise.allSettled(underWay), sleep(seconds * 1_000, undefined, { ref: false })])
    bind.pace.stop()
    await bind.unbind()
  }

  async function runBind(): Promise<void> {
    const bind = await openBind(options, createSmppRequestHandler(events), stopping.signal)
    openedBind = bind
    bound = bind
    events.onStateChange(true, 'bound')
    const why = await Promise.race([bind.ended, stopped])
    bound = undefined
    events.onStateChange(false, evidenceOf(why))
    await finishAndUnbind(bind)
  }
  const bindLoop = bindRepeatedly(vocabulary, stopping.signal, () =>
    runBind().catch((error: unknown) => events.onStateChange(false, evidenceOf(String(error)))),
  )

  return {
    isBound: () => bound !== undefined && !stopping.signal.aborted,
    submit(sms, onLateAnswer) {
      const bind = bound
      if (!bind || stopping.signal.aborted) return Promise.resolve(notBound)
      joinNumber = (joinNumber + 1) % 256
      const answer = answerInTime((onTimeout) => submitText(bind, vocabulary, sms, joinNumber, onTimeout), onLateAnswer)
      underWay.add(answer)
      return answer.finally(() => underWay.delete(answer))
    },
    async close() {
      stopping.abort()
      await bindLoop
    },
    destroy() {
      stopping.abort()
      openedBind?.cut('cut')
    },
  }
}
