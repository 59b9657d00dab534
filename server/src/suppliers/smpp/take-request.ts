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

/** Answers what an SMSC asks of us. */
export function takeRequest(connection: SmppConnection, events: SmsLinkEvents, pdu: Pdu): void {
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
      connection.respond(pdu, 'generic_nack', { command_status: invalidCommand })
  }
}
