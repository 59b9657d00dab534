import type { HubtelStandIn } from './hubtel-stand-in.ts'
import { transactionIdOf } from './open-transaction-book.ts'
import { commissionOf, findService } from './services.ts'

const header = 'client_reference,transaction_id,date,product,service,destination,amount,commission'

type Line = readonly (string | number)[]

function cell(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** All delivered transactions in the order of acceptance, with the planted differences. */
function* linesOf({ book, planted }: HubtelStandIn): Generator<Line> {
  for (const transaction of book.list()) {
    if (transaction.status !== 'delivered' || planted.omit.includes(transaction.reference)) continue
    const { reference, serviceId, recipient, amountPesewas, updatedAt } = transaction
    const service = findService(serviceId)
    const amount = planted.change[reference] ?? amountPesewas / 100
    const commission = service ? commissionOf(service, amountPesewas) : '0.0000'
    const date = new Date(updatedAt).toISOString()
    const id = transactionIdOf(transaction)
    yield [reference, id, date, service?.product ?? '', service?.name ?? '', recipient, amount.toFixed(2), commission]
  }
  for (const { reference, amount, commission } of planted.invent) {
    const date = new Date().toISOString()
    yield [reference, `invented-${reference}`, date, 'airtime', 'MTN', '0240000000', amount.toFixed(2), commission.toFixed(4)]
  }
}

/** The statement as CSV (RFC 4180): money in GHS, the commission with 4 decimals. */
export function* writeStatement(standIn: HubtelStandIn): Generator<string> {
  yield `${header}\r\n`
  for (const line of linesOf(standIn)) yield `${line.map(cell).join(',')}\r\n`
}
