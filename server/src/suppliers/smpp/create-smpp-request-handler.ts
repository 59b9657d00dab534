import type { SmsLinkEvents } from '../sms-ports.ts'
import type { SmppConnection } from './connection.ts'
import type { Pdu } from './pdu.ts'
import { readReceipt, readReply } from './translate.ts'

/** ESME_RX_T_APPN: what came could not be stored, and must be sent again. */
const temporaryError = 0x64
const invalidCommand = 0x03

function handleDelivery(connection: SmppConnection, events: SmsLinkEvents, pdu: Pdu): void {
  const receipt = readReceipt(pdu)
  const reply = receipt ? undefined : readReply(pdu)
  const answer = (status: number) => connection.respond(pdu, `${pdu.command}_resp`, { command_status: status })
  // A message that is no receipt and no reply is acknowledged too: the SMSC would send it again otherwise.
  const taken = receipt ? events.onReceipt(receipt) : reply ? events.onReply(reply) : Promise.resolve()
  taken.then(
    () => answer(0),
    () => answer(temporaryError),
  )
}

/**
 * An SMSC sends an enquire_link every few seconds. One that sends more requests a second than this is broken, and its requests
 * would fill our memory.
 */
const emptyRequestsPerSecondMax = 100

/**
 * Counts requests within a second.
 * @returns whether there are too many
 */
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
 * Answers the requests of an SMSC. Receipts and replies have no limit, because receipts may come as fast as texts were sent.
 * Too many other requests in a second cut the connection.
 */
export function createSmppRequestHandler(events: SmsLinkEvents): (connection: SmppConnection, pdu: Pdu) => void {
  const isFlooded = createFloodGauge()
  return (connection, pdu) => {
    if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') {
      handleDelivery(connection, events, pdu)
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
