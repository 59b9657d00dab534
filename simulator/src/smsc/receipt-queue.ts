import { setTimeout as sleep } from 'node:timers/promises'
import type { SmscBehaviour } from './smsc-behaviour.ts'
import type { SmscSession } from './smsc-session.ts'

export type ReceiptState = 'DELIVRD' | 'UNDELIV' | 'EXPIRED' | 'ACCEPTD'

export type Receipt = {
  readonly messageId: string
  readonly recipient: string
  readonly sender: string
  /** The system_id that sent the text. Only its sessions that can receive get the receipt. */
  readonly systemId: string
  readonly state: ReceiptState
}

export type ReceiptQueue = {
  /** Sends a receipt until a bound client accepts it. */
  send(receipt: Receipt): Promise<void>
  /** Sends a subscriber's text until a bound client accepts it. */
  sendReply(reply: Reply): Promise<void>
  stop(): void
}

const messageStates: Readonly<Record<ReceiptState, number>> = { DELIVRD: 2, EXPIRED: 3, UNDELIV: 5, ACCEPTD: 6 }
const retryMilliseconds = 500
const esmReceipt = 0x04

/** `yymmddhhmm`, as receipts write it. */
function shortDate(at: Date): string {
  return at.toISOString().replaceAll(/\D/g, '').slice(2, 12)
}

function writeReceipt(receipt: Receipt, { receiptIds, receiptForm }: SmscBehaviour): Readonly<Record<string, unknown>> {
  const { messageId, recipient, sender, state } = receipt
  const id = receiptIds === 'decimal' ? Number.parseInt(messageId, 16).toString(10).padStart(10, '0') : messageId
  const addresses = {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: recipient,
    destination_addr: sender,
    esm_class: esmReceipt,
  }
  if (receiptForm === 'tlv') {
    return { ...addresses, receipted_message_id: id, message_state: messageStates[state], short_message: Buffer.alloc(0) }
  }
  const date = shortDate(new Date())
  const delivered = state === 'DELIVRD' ? '001' : '000'
  const text = `id:${id} sub:001 dlvrd:${delivered} submit date:${date} done date:${date} stat:${state} err:000 text:`
  return { ...addresses, data_coding: 0, short_message: Buffer.from(text, 'latin1') }
}

/** A text of a subscriber to a sender. */
export type Reply = { readonly from: string; readonly to: string; readonly text: string }

/** Sends receipts to bound clients. A receipt that no client accepted is sent again. */
export function createReceiptQueue(sessions: ReadonlySet<SmscSession>, behaviour: SmscBehaviour): ReceiptQueue {
  let isStopped = false

  async function deliver(write: () => Readonly<Record<string, unknown>>, systemId?: string): Promise<void> {
    // `isStopped` may change while this waits.
    // oxlint-disable-next-line no-unmodified-loop-condition
    while (!isStopped) {
      const session = [...sessions].findLast(
        ({ bind }) => bind && bind.mode !== 'transmitter' && (systemId === undefined || bind.systemId === systemId),
      )
      const status = await session?.request('deliver_sm', write())
      if (status === 0) return
      await sleep(retryMilliseconds, undefined, { ref: false })
    }
  }

  return {
    send: (receipt) => deliver(() => writeReceipt(receipt, behaviour), receipt.systemId),
    sendReply: ({ from, to, text }) =>
      deliver(() => ({
        source_addr_ton: 1,
        source_addr_npi: 1,
        source_addr: from,
        destination_addr: to,
        data_coding: 0,
        short_message: Buffer.from(text, 'latin1'),
      })),
    stop: () => {
      isStopped = true
    },
  }
}
