import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Inbox, openInbox } from './open-inbox.ts'
import { readSubmit, type Submit } from './read-submit.ts'
import { createReceiptQueue, type ReceiptQueue, type ReceiptState, type Reply } from './receipt-queue.ts'
import { defaultSmscBehaviour, type SmscBehaviour } from './smsc-behaviour.ts'
import { openSmscSession, type SmscBind, type SmscRequest, type SmscSession } from './smsc-session.ts'

/** A short message service centre that speaks SMPP 3.4 on a socket of its own. */
export type Smsc = {
  readonly port: number
  readonly behaviour: SmscBehaviour
  readonly inbox: Inbox
  /** Changes some fields. Sends the held answers when no answer is to be held any more. */
  changeBehaviour(change: Partial<SmscBehaviour>): void
  resetBehaviour(): void
  /** Cuts connections without an unbind, as a broken network does: all, or those with this kind of bind. */
  cut(mode?: SmscBind['mode']): void
  /** Sends a subscriber's text to a bound client. Resolves when one has taken it. */
  reply(reply: Reply): Promise<void>
  bound(): readonly SmscBind[]
  unbinds(): number
  close(): Promise<void>
}

export type SmscConfig = {
  readonly systemId: string
  readonly password: string
  readonly timeScale: number
  readonly deliveryMilliseconds: number
}

const ok = 0
const invalidCommand = 0x03
const invalidBindState = 0x04
const alreadyBound = 0x05
const invalidRecipient = 0x0b
const bindFailed = 0x0d
const invalidPassword = 0x0e
const queueFull = 0x14
const systemError = 0x08
const throttled = 0x58

/** Scripted endings: the last three digits of a recipient. */
const rejectedEnding = '921'
const undeliveredEnding = '922'
const expiredEnding = '923'
const awkwardEnding = '924'

type StandIn = {
  readonly behaviour: SmscBehaviour
  readonly inbox: Inbox
  readonly receipts: ReceiptQueue
  readonly takenAt: number[]
  /** Functions that send the held answers, in the order of the submits. */
  readonly held: (() => void)[]
  /** Number of sessions that ended with an `unbind`. */
  unbinds: number
  nextId: number
}

/** The command_status that refuses a submit; undefined when it is accepted. */
function refusalOf(standIn: StandIn, submit: Submit): number | undefined {
  const { behaviour, takenAt } = standIn
  if (behaviour.refuseWith !== 0) return behaviour.refuseWith
  if (behaviour.fullQueues > 0) {
    behaviour.fullQueues -= 1
    return queueFull
  }
  if (behaviour.systemErrors > 0) {
    behaviour.systemErrors -= 1
    return systemError
  }
  if (behaviour.perSecond > 0) {
    const now = performance.now()
    while (takenAt[0] !== undefined && takenAt[0] < now - 1_000) takenAt.shift()
    if (takenAt.length >= behaviour.perSecond) return throttled
    takenAt.push(now)
  }
  const isNumber = /^233\d{9}$/.test(submit.recipient)
  return !isNumber || submit.recipient.endsWith(rejectedEnding) ? invalidRecipient : undefined
}

async function sendReceipt(standIn: StandIn, systemId: string, submit: Submit, messageId: string): Promise<void> {
  const { behaviour, receipts } = standIn
  if (!behaviour.sendsReceipts || !submit.wantsReceipt) return
  const { recipient, sender } = submit
  const send = (state: ReceiptState) => receipts.send({ messageId, recipient, sender, systemId, state })
  const ending = submit.recipient.slice(-3)
  if (ending === expiredEnding) {
    await sleep(behaviour.expiryMilliseconds, undefined, { ref: false })
    await send('EXPIRED')
    return
  }
  if (ending !== awkwardEnding) await sleep(behaviour.deliveryMilliseconds, undefined, { ref: false })
  await send(ending === undeliveredEnding ? 'UNDELIV' : 'DELIVRD')
  if (ending !== awkwardEnding) return
  await send('DELIVRD')
  await send('ACCEPTD')
}

/** Delays the answer to a submit, as the behaviour demands. */
async function delayAnswer({ behaviour, held }: StandIn, milliseconds: number): Promise<void> {
  if (behaviour.holdsAnswers) await new Promise<void>((resolve) => held.push(resolve))
  if (milliseconds > 0) await sleep(milliseconds)
}

async function handleSubmit(standIn: StandIn, session: SmscSession, request: SmscRequest): Promise<void> {
  if (!session.bind || session.bind.mode === 'receiver') return session.respond(request, { command_status: invalidBindState })
  const { systemId } = session.bind
  const submit = readSubmit(request.bytes)
  const refusal = refusalOf(standIn, submit)
  if (refusal !== undefined) {
    await delayAnswer(standIn, standIn.behaviour.refusalMilliseconds)
    return session.respond(request, { command_status: refusal })
  }
  standIn.nextId += 1
  const messageId = standIn.nextId.toString(16)
  await standIn.inbox.take(submit, messageId)
  const isEarly = submit.recipient.endsWith(awkwardEnding)
  // For numbers with this ending, the receipt is sent before the answer to the submit.
  if (isEarly) void sendReceipt(standIn, systemId, submit, messageId)
  if (standIn.behaviour.lostAnswers > 0) standIn.behaviour.lostAnswers -= 1
  else {
    await delayAnswer(standIn, standIn.behaviour.answerMilliseconds + (isEarly ? 100 : 0))
    session.respond(request, { message_id: messageId })
  }
  if (!isEarly) void sendReceipt(standIn, systemId, submit, messageId)
}

/** The command_status that refuses a bind; 0 when it is accepted. */
function bindStatus(config: SmscConfig, { behaviour }: StandIn, session: SmscSession, request: SmscRequest): number {
  const { command, system_id: systemId, password } = request.pdu
  if (command === 'bind_transceiver' && behaviour.refuseTransceiversWith !== ok) return behaviour.refuseTransceiversWith
  if (command === 'bind_transmitter' && behaviour.refuseTransmittersWith !== ok) return behaviour.refuseTransmittersWith
  if (behaviour.refusesBinds) return bindFailed
  if (session.bind) return alreadyBound
  return systemId === config.systemId && password === config.password ? ok : invalidPassword
}

function handleBind(
  config: SmscConfig,
  standIn: StandIn,
  session: SmscSession,
  request: SmscRequest,
  mode: SmscBind['mode'],
): void {
  const status = bindStatus(config, standIn, session, request)
  if (status !== ok) {
    session.refuse(request, status)
    return
  }
  session.bind = { systemId: config.systemId, mode }
  session.respond(request, { system_id: 'makola-simulator' })
}

function handleRequest(config: SmscConfig, standIn: StandIn, session: SmscSession, request: SmscRequest): void {
  switch (request.pdu.command) {
    case 'bind_transceiver':
      handleBind(config, standIn, session, request, 'transceiver')
      break
    case 'bind_receiver':
      handleBind(config, standIn, session, request, 'receiver')
      break
    case 'bind_transmitter':
      handleBind(config, standIn, session, request, 'transmitter')
      break
    case 'submit_sm':
      handleSubmit(standIn, session, request).catch(() => session.cut())
      break
    case 'unbind':
      standIn.unbinds += 1
      session.bind = undefined
      session.respond(request, {})
      break
    case 'enquire_link':
      session.respond(request, {})
      break
    default:
      session.refuse(request, invalidCommand)
  }
}

/** Starts the SMSC on a free port of this machine. Texts are kept in `folder`. */
export async function startSmsc(config: SmscConfig, folder: string): Promise<Smsc> {
  const behaviour = defaultSmscBehaviour(config)
  const inbox = await openInbox(folder)
  const sessions = new Set<SmscSession>()
  const receipts = createReceiptQueue(sessions, behaviour)
  // Ids are so large that their hexadecimal and decimal forms differ. They continue from the stored count, so that a restart
  // repeats none.
  const standIn: StandIn = { behaviour, inbox, receipts, takenAt: [], held: [], unbinds: 0, nextId: 0x1000_0000 + inbox.count() }
  const server = createServer((socket) => {
    const session = openSmscSession(socket, (from, request) => handleRequest(config, standIn, from, request))
    sessions.add(session)
    socket.on('close', () => sessions.delete(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (mode?: SmscBind['mode']) => {
    for (const session of sessions) if (mode === undefined || session.bind?.mode === mode) session.cut()
  }
  const changeBehaviour = (change: Partial<SmscBehaviour>) => {
    Object.assign(behaviour, change)
    if (!behaviour.holdsAnswers) for (const sendHeldAnswer of standIn.held.splice(0)) sendHeldAnswer()
  }
  return {
    port: (server.address() as AddressInfo).port,
    behaviour,
    inbox,
    changeBehaviour,
    resetBehaviour: () => changeBehaviour(defaultSmscBehaviour(config)),
    cut,
    reply: (reply) => receipts.sendReply(reply),
    bound: () => [...sessions].flatMap(({ bind }) => bind ?? []),
    unbinds: () => standIn.unbinds,
    close: async () => {
      receipts.stop()
      cut()
      server.close()
      await inbox.close()
    },
  }
}
