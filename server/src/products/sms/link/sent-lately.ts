import type { SmsReceipt } from '../../../suppliers/sms-ports.ts'
import type { CampaignMessageId } from './commit-window.ts'
import { messageKey, recipientTail } from './receipt-keys.ts'
import type { MessageAnswer } from './write-answers.ts'

/**
 * Messages of one segment that a supplier accepted lately over this process's link and that have no final receipt yet. Most
 * receipts come some seconds after the text, and are matched here without the database. Any other receipt is matched in the
 * database, so nothing depends on this memory.
 */
export type SentLately = {
  /** Call it when these answers are committed. */
  add(answers: readonly MessageAnswer[]): void
  /** Finds and removes the message that a receipt ends. */
  take(receipt: SmsReceipt): CampaignMessageId | undefined
}

/** About 4 MB per link. The oldest are dropped first. */
const sentMax = 20_000

export function createSentLately(): SentLately {
  /** By the supplier's message id. A repeated id belongs to the text that was sent last. */
  const sent = new Map<string, MessageAnswer['message']>()
  return {
    add(answers) {
      for (const { message, answer } of answers) {
        if (answer.meaning !== 'accepted') continue
        const keys = answer.messageIds.filter((id) => id !== '').map(messageKey)
        for (const key of keys) sent.delete(key)
        if (keys[0] !== undefined && message.text.segments.length === 1) sent.set(keys[0], message)
      }
      for (const key of sent.keys()) {
        if (sent.size <= sentMax) break
        sent.delete(key)
      }
    },
    take({ messageId, recipient, state }) {
      const key = messageKey(messageId)
      const message = sent.get(key)
      const tail = recipientTail(recipient ?? '')
      if (!message || state === 'underway' || (tail !== undefined && tail !== recipientTail(message.recipient))) return undefined
      sent.delete(key)
      return message
    },
  }
}
