import { type Refusal, type Refusals, refuse } from '../../platform/http/refusals.ts'

export const billRefusals = {
  billAccountNotFound: refuse(404, 'bill_account_not_found', 'The biller knows no such account, meter or smartcard.'),
  billerUnreachable: {
    ...refuse(
      502,
      'biller_unreachable',
      'The billing provider could not be reached. This says nothing about the account; try again.',
    ),
    retryAfterSeconds: 5,
  } satisfies Refusal as Refusal,
  /** @param retryAfterSeconds the rest of the window (decision R9: one bill twice within 30 s) */
  duplicatePayment: (retryAfterSeconds: number): Refusal => ({
    ...refuse(
      409,
      'duplicate_payment',
      'The same amount was paid to this account less than 30 seconds ago. This try placed no payment and charged nothing; wait before you pay it again.',
    ),
    retryAfterSeconds,
  }),
} as const satisfies Refusals
