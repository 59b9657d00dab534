import { type Refusals, refuse } from '../../platform/http/refusals.ts'
import { formatGhs, type Pesewas } from '../pesewas.ts'

/** No money has moved when a request is refused with one of these. */
export const topUpRefusals = {
  notFound: refuse(404, 'top_up_not_found', 'There is no such top-up of this account.'),
  referenceTaken: refuse(409, 'reference_taken', 'This reference belongs to another top-up. Begin a new one.'),
  feeChanged: refuse(409, 'fee_changed', 'The fee has changed. Look at the new total, then go on.'),
  wayClosed: refuse(503, 'way_closed', 'This way to pay is not open at the moment. Choose another one.'),
  amountOutside: (smallest: Pesewas, largest: Pesewas) =>
    refuse(400, 'amount_outside', `One top-up is between ${formatGhs(smallest)} and ${formatGhs(largest)}.`),
  overDailyLimit: (left: Pesewas) =>
    refuse(400, 'daily_limit', `This is more than you can top up today. Left for today: ${formatGhs(left)}.`),
  tooManyOpen: refuse(
    400,
    'too_many_open',
    'Too many of your top-ups are not finished yet. Finish one, or wait until the oldest has ended.',
  ),
  notOpened: refuse(
    503,
    'payment_not_opened',
    'The payment page could not be opened. You were not charged. Try again in a moment.',
  ),
  phoneNeeded: refuse(400, 'phone_needed', 'Say which number is asked to pay.'),
  notAsked: refuse(
    503,
    'payer_not_asked',
    'The payment company did not ask this number to pay. You were not charged. Try again in a moment.',
  ),
  transferNoted: refuse(409, 'transfer_noted', 'You have noted this transfer already.'),
  noPicture: refuse(404, 'picture_not_found', 'There is no picture with this top-up.'),
  pictureTooLate: refuse(409, 'top_up_decided', 'This top-up is decided. A picture can be added only before.'),
  pictureUnreadable: refuse(400, 'picture_unreadable', 'Send a PNG or JPEG picture of at most 1 MB.'),
  noReceipt: refuse(409, 'not_credited', 'There is a receipt once the money is in the wallet.'),
} as const satisfies Refusals
