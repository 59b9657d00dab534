import { shutdownSeconds } from '../../platform/shutdown-seconds.ts'
import { connectSmpp, type SmppAddress, type SmppConnection } from './connection.ts'
import { createSubmitPace, type SubmitPace } from './create-submit-pace.ts'
import type { Pdu } from './pdu.ts'
import type { BindMode, SmppVocabulary } from './settings.ts'
import { describeStatus } from './translate.ts'

export type SmppLinkOptions = {
  /**
   * Finds the address for each bind, because a restarted simulator has another one.
   * @throws when no simulator runs
   */
  readonly findAddress: () => Promise<SmppAddress>
  readonly systemId: string
  readonly password: string
  readonly vocabulary: SmppVocabulary
  readonly windowSize: number
  readonly perSecond: number | null
}

/** The connections of one bind, which end together. */
export type Bind = {
  readonly transmitter: SmppConnection
  readonly pace: SubmitPace
  /** Resolves with the reason when any of its connections is lost. */
  readonly ended: Promise<string>
  /** Unbinds and closes every open connection. */
  unbind(): Promise<void>
  /** Closes the connections at once. Submits in flight become unknown. */
  cut(why: string): void
}

/** SMPP 3.4. */
const interfaceVersion = 0x34
const bindSeconds = 10

/** The receiver is bound first, to receive the receipts of the first texts. */
const bindCommands: Readonly<Record<BindMode, readonly string[]>> = {
  transceiver: ['bind_transceiver'],
  pair: ['bind_receiver', 'bind_transmitter'],
  transmitter: ['bind_transmitter'],
}

/** ESME_RINVCMDID, ESME_RINVBNDSTS and ESME_RBINDFAIL: answers of an SMSC without transceivers. */
const bindRefusals = [0x03, 0x04, 0x0d]

function hintOf(command: string, status: number): string {
  const isHintDue = command === 'bind_transceiver' && bindRefusals.includes(status)
  return isHintDue ? '; it may want a receiver and a transmitter instead: settings.bindMode=pair' : ''
}

/** @throws Error when the SMSC refuses, or does not answer */
async function introduce(connection: SmppConnection, command: string, options: SmppLinkOptions): Promise<void> {
  const { systemId: system_id, password, vocabulary } = options
  const fields = { system_id, password, system_type: vocabulary.systemType, interface_version: interfaceVersion }
  const exchange = await connection.request(command, fields, bindSeconds)
  if (!exchange.response) throw new Error(exchange.why)
  const status = exchange.response.command_status
  if (status !== 0) throw new Error(`${command} refused: ${describeStatus(status)}${hintOf(command, status)}`)
}

/**
 * Sends an enquire_link on a silent connection, repeatedly, and closes the connection when one is not answered.
 * @returns a function that stops it
 */
function enquireWhenSilent(connection: SmppConnection, { enquireSeconds, responseSeconds }: SmppVocabulary): () => void {
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

/**
 * Binds by the supplier's settings (SMPP 3.4, section 4.1): one connection, or two that end together.
 * @param signal gives up a bind that has not succeeded yet
 * @throws Error with the reason why it is not bound
 */
export async function openBind(
  options: SmppLinkOptions,
  onRequest: (connection: SmppConnection, pdu: Pdu) => void,
  signal: AbortSignal,
): Promise<Bind> {
  const { vocabulary } = options
  const connections: SmppConnection[] = []
  let onClose: (why: string) => void = () => undefined
  const ended = new Promise<string>((resolve) => {
    onClose = resolve
  })
  const cut = (why: string) => {
    for (const connection of connections) connection.destroy(why)
  }
  const giveUp = () => cut('closed')
  signal.addEventListener('abort', giveUp)
  try {
    const address = await options.findAddress()
    const { certificateAuthority: ca, serverName } = vocabulary
    const trust = { ...(ca === undefined ? {} : { ca }), ...(serverName === undefined ? {} : { serverName }) }
    for (const command of bindCommands[vocabulary.bindMode]) {
      const connection = await connectSmpp(address, trust, { onRequest, onClose })
      connections.push(connection)
      signal.throwIfAborted()
      await introduce(connection, command, options)
    }
  } catch (error) {
    cut('the bind failed')
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  const stopWatching = connections.map((connection) => enquireWhenSilent(connection, vocabulary))
  void ended.then(() => {
    for (const stop of stopWatching) stop()
  })
  return {
    transmitter: connections.at(-1) as SmppConnection,
    pace: createSubmitPace(options.windowSize, options.perSecond),
    ended,
    async unbind() {
      await Promise.all(connections.map((connection) => connection.request('unbind', {}, shutdownSeconds.worker.links.unbind)))
      cut('closed')
    },
    cut,
  }
}
