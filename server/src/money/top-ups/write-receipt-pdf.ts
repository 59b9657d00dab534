import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formatGhs, pesewas } from '../pesewas.ts'
import { openSheet, page } from '../statement/statement-page.ts'
import { momentInAccra } from '../statement/statement-words.ts'
import type { TopUpRow } from './read-top-up.ts'

export type ReceiptHeading = {
  readonly operatorName: string
  readonly accountName: string
  readonly accountEmail: string
  /** The name of the gateway. Not shown for a transfer. */
  readonly paidThrough: string
  /** The wallet's balance after the credit, in whole pesewas. */
  readonly balanceAfter: number
}

const grey = '#666666'
const rowHeight = 24
const valueLeft = 210

function rowsOf(topUp: TopUpRow, heading: ReceiptHeading): readonly (readonly [string, string])[] {
  const { amount, fee, way, transfer_reference: transfer, channel } = topUp
  const paidBy =
    way === 'transfer'
      ? `Transfer ${transfer ?? ''}`
      : [heading.paidThrough, channel?.replaceAll('_', ' ')].filter(Boolean).join(', ')
  return [
    ['Received from', `${heading.accountName} (${heading.accountEmail})`],
    ['Paid by', paidBy],
    ['Paid', `${formatGhs(pesewas(amount + fee))}${fee > 0 ? `, of it a fee of ${formatGhs(pesewas(fee))}` : ''}`],
    ['Into the wallet', formatGhs(pesewas(amount))],
    ['Credited at', `${momentInAccra(topUp.ended_at ?? topUp.created_at)} (Accra)`],
    ['Balance after', formatGhs(pesewas(heading.balanceAfter))],
    ['Made by', topUp.made_by],
    ['Reference', topUp.reference],
  ]
}

/** Writes the receipt of a credited top-up as a PDF of one page. */
export async function writeReceiptPdf(topUp: TopUpRow, heading: ReceiptHeading, out: Writable): Promise<void> {
  const { operatorName } = heading
  const title = `Receipt of top-up ${topUp.reference}`
  const sheet = openSheet({ title, author: operatorName, createdAt: topUp.ended_at ?? topUp.created_at })
  const written = pipeline(sheet.document as unknown as NodeJS.ReadableStream, out)
  sheet.document.addPage()
  sheet.write(operatorName, page.left, page.top, { size: 18, font: 'bold', width: 300 })
  sheet.write('Receipt', page.right, page.top + 4, { size: 14, isRight: true, colour: grey })
  sheet.line(80)
  sheet.write('Top-up', page.left, 104, { size: 10, colour: grey })
  sheet.write(formatGhs(pesewas(topUp.amount)), page.left, 118, { size: 28, font: 'bold' })
  let y = 180
  for (const [name, value] of rowsOf(topUp, heading)) {
    sheet.write(name, page.left, y, { size: 10, colour: grey })
    sheet.write(value, valueLeft, y, { size: 10, width: page.right - valueLeft })
    y += rowHeight
  }
  sheet.line(y + 4)
  sheet.write('This receipt is made by a computer and holds without a signature.', page.left, y + 14, { size: 8, colour: grey })
  sheet.document.end()
  await written
}
