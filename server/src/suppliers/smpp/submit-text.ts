import { evidenceOf } from '../calling/evidence.ts'
import type { OutgoingSms, SmsAnswer } from '../sms-ports.ts'
import type { Exchange } from './exchanges.ts'
import type { Bind } from './open-bind.ts'
import type { SmppVocabulary } from './settings.ts'
import { buildSubmits, describeStatus, meaningOfStatus } from './translate.ts'

/** Progress of one text. `isLate`: the caller got `unknown` at the time-out, and gets another answer only if that is final. */
type Progress = { readonly messageIds: string[]; isLate: boolean }

/**
 * A text without an accepted segment that is throttled for this many response time-outs goes back to its caller as not sent:
 * the supplier surely did not accept it.
 */
const throttledResponseTimesMax = 20

type Submission = {
  readonly bind: Bind
  readonly vocabulary: SmppVocabulary
  readonly progress: Progress
  readonly onTimeout: (unknown: SmsAnswer) => void
}

const answerOf = (meaning: SmsAnswer['meaning'], evidence: string, { messageIds }: Progress): SmsAnswer => ({
  meaning,
  evidence: evidenceOf(evidence),
  messageIds: [...messageIds],
})

/** The answer for a segment that was surely not sent. If other segments were accepted, the text can never arrive complete. */
function neverSent(evidence: string, progress: Progress): SmsAnswer {
  return answerOf(progress.messageIds.length > 0 ? 'rejected' : 'not_sent', evidence, progress)
}

/** The answer for a text with a refused segment. If other segments were accepted, the text can never arrive complete. */
function refusal(meaning: 'rejected' | 'refused_us', evidence: string, progress: Progress): SmsAnswer {
  return answerOf(progress.messageIds.length > 0 ? 'rejected' : meaning, evidence, progress)
}

/** Reports `unknown` at the time-out and keeps waiting: a late response is as good as one in time. */
async function awaitLate(exchange: Exchange, { vocabulary, progress, onTimeout }: Submission): Promise<Exchange> {
  // A text that may be sent again is in flight again by then, so its late response is not awaited.
  if (exchange.response || !exchange.late || vocabulary.resubmitUnanswered) return exchange
  progress.isLate = true
  onTimeout(answerOf('unknown', exchange.why, progress))
  const response = await exchange.late
  return response ? { response } : { response: undefined, isSent: true, why: exchange.why }
}

/**
 * Sends one submit, again after each throttle.
 * @returns undefined when it was accepted, else the answer for the whole text
 */
async function submitPart(submission: Submission, fields: Readonly<Record<string, unknown>>): Promise<SmsAnswer | undefined> {
  const { bind, vocabulary, progress } = submission
  const givesUpAt = performance.now() + throttledResponseTimesMax * vocabulary.responseSeconds * 1_000
  const mayGiveUp = () => progress.messageIds.length === 0 && !progress.isLate && performance.now() > givesUpAt
  for (;;) {
    if (!(await bind.pace.waitToSubmit(progress.messageIds.length > 0))) return neverSent('the link ended', progress)
    const asked = await bind.transmitter.request('submit_sm', fields, vocabulary.responseSeconds)
    const status = asked.response?.command_status
    const meaning = status === undefined || status === 0 ? undefined : meaningOfStatus(vocabulary, status)
    // Frees the text's place in the window, even while its late response is awaited.
    bind.pace.done(status === 0 ? 'taken' : meaning === 'throttled' ? 'throttled' : 'other')
    const ended = concludePart(submission, asked.response ? asked : await awaitLate(asked, submission))
    if (ended !== 'again') return ended
    if (mayGiveUp()) return neverSent('throttled for too long', progress)
  }
}

/** `submit_sm_resp` (SMPP 3.4, section 5.1.2.1). */
const submitResponse = 0x8000_0004

function concludePart({ vocabulary, progress }: Submission, exchange: Exchange): SmsAnswer | undefined | 'again' {
  if (!exchange.response) {
    return exchange.isSent ? answerOf('unknown', exchange.why, progress) : neverSent(exchange.why, progress)
  }
  const { command_id: commandId, command_status: status, message_id: messageId } = exchange.response
  // A `generic_nack` without an error code proves nothing about the text either.
  if (status === 0 && commandId === submitResponse) {
    progress.messageIds.push(evidenceOf(messageId ?? ''))
    return undefined
  }
  const meaning = meaningOfStatus(vocabulary, status)
  if (meaning === 'throttled') return 'again'
  if (meaning === 'unknown') return answerOf('unknown', describeStatus(status), progress)
  return refusal(meaning, describeStatus(status), progress)
}

/**
 * Sends one text, segment by segment, until all are accepted or one is not.
 * @param onTimeout called when a response does not come in time and is still awaited, while the connection is open
 */
export async function submitText(
  bind: Bind,
  vocabulary: SmppVocabulary,
  sms: OutgoingSms,
  joinNumber: number,
  onTimeout: (unknown: SmsAnswer) => void,
): Promise<SmsAnswer> {
  const progress: Progress = { messageIds: [], isLate: false }
  const submission = { bind, vocabulary, progress, onTimeout }
  const submits = buildSubmits(vocabulary, sms, joinNumber)
  for (const [index, fields] of submits.entries()) {
    const ended = await submitPart(submission, fields)
    const isLast = index === submits.length - 1
    if (ended?.meaning === 'unknown' && !isLast && !vocabulary.resubmitUnanswered) {
      // The next segments were never sent, so the text can never arrive complete, whatever happened to this one.
      return answerOf('rejected', `${ended.evidence}; its other segments were not sent`, progress)
    }
    if (ended) return ended
  }
  return { meaning: 'accepted', evidence: 'taken', messageIds: progress.messageIds }
}
