import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/** The part of the `smpp` package that the baseline uses; the package has no types. */
type BarePdu = { readonly command_status: number; response(): BarePdu }
type BareSession = {
  readonly socket: Socket
  bind_transceiver(fields: Readonly<Record<string, unknown>>, onAnswer: (pdu: BarePdu) => void): void
  submit_sm(fields: Readonly<Record<string, unknown>>, onAnswer: (pdu: BarePdu) => void): void
  unbind(): void
  send(pdu: BarePdu): void
  close(): void
  on(event: 'connect', listen: () => void): void
  on(event: 'deliver_sm', listen: (pdu: BarePdu) => void): void
}
const { connect } = createRequire(import.meta.url)('smpp') as {
  readonly connect: (address: { readonly host: string; readonly port: number }) => BareSession
}

export type BareSubmits = {
  readonly port: number
  readonly systemId: string
  readonly password: string
  readonly sender: string
  /** Only characters that have the same code in GSM-7 and ASCII, so that the text needs no encoding. */
  readonly message: string
  readonly recipients: readonly string[]
  /** How many submits may be unanswered at a time. */
  readonly window: number
}

const receiptPatienceMilliseconds = 30_000

async function bind(session: BareSession, { systemId, password }: BareSubmits): Promise<void> {
  await once(session as unknown as NodeJS.EventEmitter, 'connect')
  session.socket.setNoDelay(true)
  const status = await new Promise<number>((resolve) => {
    session.bind_transceiver({ system_id: systemId, password, interface_version: 0x34 }, (pdu) => resolve(pdu.command_status))
  })
  if (status !== 0) throw new Error(`the bind was refused: ${status}`)
}

function submitAll(session: BareSession, { sender, message, recipients, window }: BareSubmits): Promise<void> {
  const text = Buffer.from(message, 'latin1')
  let next = 0
  let answered = 0
  return new Promise((resolve, reject) => {
    const send = () => {
      const fields = {
        source_addr_ton: 5,
        source_addr_npi: 0,
        source_addr: sender,
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: recipients[next++],
        registered_delivery: 1,
        data_coding: 0,
        short_message: text,
      }
      session.submit_sm(fields, ({ command_status: status }) => {
        if (status !== 0) reject(new Error(`a submit was refused: ${status}`))
        answered += 1
        if (answered === recipients.length) resolve()
        else if (next < recipients.length) send()
      })
    }
    while (next < Math.min(window, recipients.length)) send()
  })
}

/*
 * The baseline of campaigns: the `smpp` package alone, one bind, a full window, no database and no record. The bench starts
 * it, sends it `BareSubmits`, and gets the milliseconds from the first submit to the last answer. Then it waits for
 * its receipts, at most 30 s, so that no other client gets them.
 */
process.once('message', (asked: BareSubmits) => {
  void (async () => {
    const session = connect({ host: '127.0.0.1', port: asked.port })
    let receipts = 0
    session.on('deliver_sm', (pdu) => {
      receipts += 1
      session.send(pdu.response())
    })
    await bind(session, asked)
    const startedAt = performance.now()
    await submitAll(session, asked)
    process.send?.({ milliseconds: performance.now() - startedAt })
    const patientUntil = performance.now() + receiptPatienceMilliseconds
    while (receipts < asked.recipients.length && performance.now() < patientUntil) await sleep(20)
    session.unbind()
    session.close()
    process.disconnect()
  })()
})
