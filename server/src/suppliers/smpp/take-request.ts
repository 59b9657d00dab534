import type { SmsLinkEvents } from '../sms-ports.ts'
import type { SmppConnection } from './connection.ts'
import type { Pdu } from './pdu.ts'
import { readReceipt } from './translate.ts'

/** ESME_RX_T_APPN: the receipt could not be stored, send it again. */
const temporaryError = 0x64
const invalidCommand = 0x03

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

/** An SMSC asks every few seconds whether we are there. One that asks this often is broken, and its questions fill our memory. */
const emptyRequestsPerSecondMax = 100

/** Counts what comes within a second. @returns whether it has become too much */
function createFloodGauge(): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const now = Math.floor(performance.now() / 1_000)
    count = now === second ? count + 1 : 1
    second = now
    return count > emptyRequestsPerSecondMax
  }
}

/**
 * Answers what an SMSC asks of us. Receipts come as fast as texts were sent; of all else so much is too much, and the
 * connection is cut.
 */
export function createRequestTaker(events: SmsLinkEvents): (connection: SmppConnection, pdu: Pdu) => void {
  const isFlooded = createFloodGauge()
  return (connection, pdu) => {
    if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') {
      takeDelivery(connection, events, pdu)
    } else if (isFlooded()) {
      connection.destroy(`it sends more than ${emptyRequestsPerSecondMax} ${pdu.command} a second`)
    } else if (pdu.command === 'enquire_link') {
      connection.respond(pdu, 'enquire_link_resp', {})
    } else if (pdu.command === 'unbind') {
      connection.respond(pdu, 'unbind_resp', {})
      connection.end()
    } else {
      connection.respond(pdu, 'generic_nack', { command_status: invalidCommand })
    }
  }
}
