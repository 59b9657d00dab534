import { setTimeout as sleep } from 'node:timers/promises'
import { evidenceOf } from '../evidence.ts'
import type { OutgoingSms, SmsAnswer, SmsLink, SmsLinkEvents } from '../sms-ports.ts'
import { connectSmpp, type SmppAddress, type SmppConnection } from './connection.ts'
import { paceSubmits, type SubmitPace, waitWithJitter } from './pace-submits.ts'
import type { Pdu } from './pdu.ts'
import type { SmppVocabulary } from './settings.ts'
import { buildSubmits, describeStatus, meaningOfStatus, readReceipt } from './translate.ts'

export type SmppLinkOptions = {
  /** Asked at each connection, because a simulator that was restarted is elsewhere. @throws when nobody is there */
  readonly findAddress: () => Promise<SmppAddress>
  readonly systemId: string
  readonly password: string
  readonly vocabulary: SmppVocabulary
  readonly windowSize: number
  readonly perSecond: number | null
}

/** A bind of SMPP 3.4; its answer and that to an unbind are waited for this long. */
const interfaceVersion = 0x34
const bindSeconds = 10
const unbindSeconds = 2

/** ESME_RX_T_APPN: the receipt could not be stored, send it again. */
const temporaryError = 0x64

type Bind = { readonly connection: SmppConnection; readonly pace: SubmitPace }

/** Where the parts of one text stand. */
type Progress = { readonly messageIds: string[] }

const answerOf = (meaning: SmsAnswer['meaning'], evidence: string, { messageIds }: Progress): SmsAnswer => ({
  meaning,
  evidence: evidenceOf(evidence),
  messageIds,
})

/** A part that provably was not sent. After others were taken, the text can never arrive whole. */
function neverSent(evidence: string, progress: Progress): SmsAnswer {
  return answerOf(progress.messageIds.length > 0 ? 'rejected' : 'not_sent', evidence, progress)
}

/** A part that was refused; the same holds for the text it belongs to. */
function refusal(meaning: 'rejected' | 'refused_us', evidence: string, progress: Progress): SmsAnswer {
  return answerOf(progress.messageIds.length > 0 ? 'rejected' : meaning, evidence, progress)
}

/** Sends one submit until it is taken or refused. @returns undefined when it was taken */
async function submitPart(
  bind: Bind,
  fields: Readonly<Record<string, unknown>>,
  vocabulary: SmppVocabulary,
  progress: Progress,
): Promise<SmsAnswer | undefined> {
  for (;;) {
    if (!(await bind.pace.turn())) return neverSent('the link ended', progress)
    const exchange = await bind.connection.request('submit_sm', fields, vocabulary.responseSeconds)
    if (!exchange.response) {
      bind.pace.done('other')
      return exchange.isSent ? answerOf('unknown', exchange.why, progress) : neverSent(exchange.why, progress)
    }
    const { command_status: status, message_id: messageId } = exchange.response
    if (status === 0) {
      bind.pace.done('taken')
      progress.messageIds.push(evidenceOf(messageId ?? ''))
      return undefined
    }
    const meaning = meaningOfStatus(vocabulary, status)
    bind.pace.done(meaning === 'throttled' ? 'throttled' : 'other')
    if (meaning === 'unknown') return answerOf('unknown', describeStatus(status), progress)
    if (meaning !== 'throttled') return refusal(meaning, describeStatus(status), progress)
  }
}

/** Keeps asking a silent link whether it stands. @returns a function that stops it */
function watchSilence(connection: SmppConnection, { enquireSeconds, responseSeconds }: SmppVocabulary): () => void {
  let isAsking = false
  const timer = setInterval(
    () => {
      if (isAsking || performance.now() - connection.lastHeardAt() < enquireSeconds * 1_000) return
      isAsking = true
      void connection.request('enquire_link', {}, responseSeconds).then((exchange) => {
        isAsking = false
        if (!exchange.response) connection.destroy(`enquire_link: ${exchange.why}`)
      })
    },
    (enquireSeconds * 1_000) / 4,
  ).unref()
  return () => clearInterval(timer)
}

function takeDelivery(connection: SmppConnection, events: SmsLinkEvents, pdu: Pdu): void {
  const receipt = readReceipt(pdu)
  const answer = (status: number) => connection.respond(pdu, `${pdu.command}_resp`, { command_status: status })
  // What a subscriber wrote to us has nobody to read it; it is taken, or it would come again and again.
  if (!receipt) {
    answer(0)
    return
  }
  events.onReceipt(receipt).then(
    () => answer(0),
    () => answer(temporaryError),
  )
}

function takeRequest(connection: SmppConnection, events: SmsLinkEvents, pdu: Pdu): void {
  switch (pdu.command) {
    case 'deliver_sm':
    case 'data_sm':
      takeDelivery(connection, events, pdu)
      break
    case 'enquire_link':
      connection.respond(pdu, 'enquire_link_resp', {})
      break
    case 'unbind':
      connection.respond(pdu, 'unbind_resp', {})
      connection.end()
      break
    default:
      connection.respond(pdu, 'generic_nack', { command_status: 3 })
  }
}

/** Opens a transceiver link and keeps it open (SMPP 3.4): bind, window, pace, enquire_link, reconnection. */
export function openSmppLink(options: SmppLinkOptions, events: SmsLinkEvents): SmsLink {
  const { vocabulary } = options
  const stopping = new AbortController()
  const underWay = new Set<Promise<SmsAnswer>>()
  let bound: Bind | undefined
  let opened: SmppConnection | undefined
  let joinNumber = Math.floor(Math.random() * 256)
  let isClosing = false

  async function bindOnce(): Promise<string> {
    let closed: (why: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => {
      closed = resolve
    })
    const connection: SmppConnection = await connectSmpp(await options.findAddress(), {
      onRequest: (pdu) => opened && takeRequest(opened, events, pdu),
      onClose: (why) => closed(why),
    })
    opened = connection
    const { systemId: system_id, password } = options
    const fields = { system_id, password, system_type: vocabulary.systemType, interface_version: interfaceVersion }
    const exchange = await connection.request('bind_transceiver', fields, bindSeconds)
    if (exchange.response?.command_status !== 0) {
      const why = exchange.response ? `bind refused: ${describeStatus(exchange.response.command_status)}` : exchange.why
      connection.destroy(why)
      return why
    }
    const pace = paceSubmits(options.windowSize, options.perSecond)
    const stopWatching = watchSilence(connection, vocabulary)
    bound = { connection, pace }
    events.onStateChange(true, 'bound')
    const why = await ended
    bound = undefined
    stopWatching()
    pace.stop()
    events.onStateChange(false, why)
    return why
  }

  async function keepBound(): Promise<void> {
    let waitSeconds = vocabulary.reconnectSeconds
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const why = await bindOnce().catch((error: unknown) => String(error))
      // A bind that held for a while was a good one: the next is tried soon.
      const held = performance.now() - startedAt > vocabulary.reconnectSecondsMax * 1_000
      waitSeconds = held ? vocabulary.reconnectSeconds : waitSeconds
      if (stopping.signal.aborted) return
      events.onStateChange(false, evidenceOf(why))
      await waitWithJitter(waitSeconds, stopping.signal)
      waitSeconds = Math.min(vocabulary.reconnectSecondsMax, waitSeconds * 2)
    }
  }
  const keeping = keepBound()

  async function submitAll(sms: OutgoingSms): Promise<SmsAnswer> {
    const progress: Progress = { messageIds: [] }
    const bind = bound
    if (!bind || isClosing) return answerOf('not_sent', 'the link is not bound', progress)
    joinNumber = (joinNumber + 1) % 256
    for (const fields of buildSubmits(vocabulary, sms, joinNumber)) {
      const ended = await submitPart(bind, fields, vocabulary, progress)
      if (ended) return ended
    }
    return answerOf('accepted', 'taken', progress)
  }

  return {
    isBound: () => bound !== undefined && !isClosing,
    submit(sms) {
      const answer = submitAll(sms)
      underWay.add(answer)
      return answer.finally(() => underWay.delete(answer))
    },
    async close() {
      isClosing = true
      stopping.abort()
      // What has not been written yet is not written any more; what has is waited for.
      bound?.pace.stop()
      await Promise.race([Promise.allSettled(underWay), sleep(vocabulary.responseSeconds * 1_000)])
      await bound?.connection.request('unbind', {}, unbindSeconds)
      opened?.destroy('closed')
      await keeping
    },
    destroy() {
      isClosing = true
      stopping.abort()
      opened?.destroy('cut')
    },
  }
}
