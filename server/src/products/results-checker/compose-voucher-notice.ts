import type { ComposeCourtesy } from '../../notices/send-courtesy-notices.ts'
import { listOrdersById } from '../../orders/order.ts'
import type { Db } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { readVoucherDetails } from './results-checker.kind.ts'
import { listVouchersOfOrder, type UnsealedVoucher } from './unseal-vouchers.ts'

/** The longest SMS text of the platform (contract, Limits). */
const smsLengthMax = 1_000

const lineOf = ({ serialNumber, pin }: UnsealedVoucher) => `Serial ${serialNumber} PIN ${pin}`

/** Writes as many complete vouchers as fit in one text, and how many more there are. The seller has all of them. */
function smsText(title: string, vouchers: readonly UnsealedVoucher[]): string {
  let text = title
  for (const [index, voucher] of vouchers.entries()) {
    const left = vouchers.length - index
    const more = left > 1 ? `\nand ${left - 1} more: ask your seller` : ''
    const next = `${text}\n${lineOf(voucher)}`
    if (next.length + more.length > smsLengthMax) return `${text}\nand ${left} more: ask your seller`
    text = next
  }
  return text
}

/** Makes the courtesy messages of voucher orders. Unseals a message's vouchers only when it is sent. */
export function createVoucherNotices(db: Db, keys: SecretsKeys): ComposeCourtesy {
  return async (orderId, channel) => {
    const order = (await listOrdersById(db, [orderId])).get(orderId)
    if (order?.kind !== 'results_checker' || order.status !== 'completed') return undefined
    const details = readVoucherDetails(order)
    const to = channel === 'sms' ? details.recipientPhone : details.recipientEmail
    if (to === undefined) return undefined
    const vouchers = await listVouchersOfOrder(db, keys, orderId)
    const subject = `Your ${details.typeName} voucher${vouchers.length === 1 ? '' : 's'}`
    if (channel === 'sms') return { to, subject, text: smsText(`${details.typeName}:`, vouchers) }
    const text = [
      `Here ${vouchers.length === 1 ? 'is your voucher' : 'are your vouchers'} for ${details.typeName}:`,
      '',
      ...vouchers.map(lineOf),
      '',
    ].join('\n')
    return { to, subject, text }
  }
}
