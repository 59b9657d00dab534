import { type Transaction, transactionIdOf } from './open-transaction-book.ts'
import { accountHolder, commissionOf, findService, isUnknownAccount } from './services.ts'

function commissionText(transaction: Transaction): string {
  const service = findService(transaction.serviceId)
  return service ? commissionOf(service, transaction.amountPesewas) : '0.0000'
}

export function viewTaken(transaction: Transaction) {
  return {
    ClientReference: transaction.reference,
    Amount: transaction.amountPesewas / 100,
    TransactionId: transactionIdOf(transaction),
    Meta: { Commission: commissionText(transaction) },
  }
}

/** The account holder's name for bills; empty for phones and for unknown accounts. */
function recipientName({ serviceId, recipient }: Transaction): string {
  const isBill = findService(serviceId)?.product === 'utilities'
  return isBill && !isUnknownAccount(recipient) ? accountHolder(recipient) : ''
}

/** `Data` of a callback, without `Description`, which `sendCallback` adds. */
export function viewTransaction(transaction: Transaction) {
  return {
    AmountDebited: transaction.amountPesewas / 100,
    ...viewTaken(transaction),
    ExternalTransactionId: String(transaction.sequence).padStart(10, '0'),
    Charges: 0,
    RecipientName: recipientName(transaction),
  }
}

/** `data` of the transaction status at `now` (milliseconds since 1970). */
export function viewStatus(transaction: Transaction, now: number, blindMilliseconds: number) {
  const isBlind = now - transaction.createdAt < blindMilliseconds
  const isPaid = transaction.status !== 'failed' && !isBlind
  return {
    date: new Date(transaction.updatedAt).toISOString(),
    status: isPaid ? 'Paid' : 'Unpaid',
    transactionId: transactionIdOf(transaction),
    externalTransactionId: null,
    paymentMethod: 'prepaid',
    clientReference: transaction.reference,
    currencyCode: null,
    amount: transaction.amountPesewas / 100,
    charges: 0,
    isFulfilled: transaction.status === 'delivered' && !isBlind,
  }
}
