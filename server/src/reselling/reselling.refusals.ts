import { type Refusals, refuse } from '../platform/http/refusals.ts'

export const resellingRefusals = {
  numberTaken: (number: string, name: string) =>
    refuse(409, 'number_taken', `${number} belongs to your customer ${name} already.`),
  customerNotFound: refuse(404, 'customer_not_found', 'There is no such customer of this account.'),
  tooManyCustomers: refuse(400, 'too_many_customers', 'An account keeps at most 5,000 customers. Delete some first.'),
  badNumber: (text: string) =>
    refuse(400, 'bad_number', `“${text}” is no phone number of Ghana, and no meter or smartcard number.`),
  tooManyPrices: refuse(400, 'too_many_prices', 'An account keeps at most 500 prices. Take some out first.'),
  logoUnreadable: refuse(400, 'logo_unreadable', 'Send a PNG or JPEG picture of at most 128 KB.'),
  noLogo: refuse(404, 'logo_not_found', 'This shop has no logo.'),
  noReceipt: refuse(404, 'receipt_not_found', 'This receipt does not exist, or the seller has taken it back.'),
} as const satisfies Refusals
