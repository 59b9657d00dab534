import { accountFinder } from './accounts/account-finder.ts'
import { keyFinder } from './accounts/key-finder.ts'
import { commissionMoveFinder, creditFinder, transferFinder } from './money/ledger-finder.ts'
import { topUpFinder } from './money/top-ups/top-up-finder.ts'
import { portedNumberFinder } from './networks/ported-number-finder.ts'
import { readPhoneNumber, waysOfWriting } from './networks/read-phone-number.ts'
import { attemptFinder, orderFinder } from './orders/queries/order-finder.ts'
import { approvalFinder } from './platform/approvals/approval-finder.ts'
import { readId } from './platform/database/read-id.ts'
import type { Finder, Wanted } from './platform/finding/finder.ts'
import { products } from './products/products.ts'
import { statementLineFinder } from './reconciliation/statement-line-finder.ts'

/** Everything that `makola find` and the desk's search look through, in the order in which they answer. */
export const allFinders: readonly Finder[] = [
  orderFinder(products),
  attemptFinder,
  statementLineFinder,
  accountFinder,
  keyFinder,
  creditFinder,
  commissionMoveFinder,
  transferFinder,
  topUpFinder,
  approvalFinder,
  portedNumberFinder,
  ...products.flatMap(({ finders }) => finders),
]

/** Longer than any reference or name. */
export const wantedLengthMax = 200

/** Reads what somebody typed to find something. */
export function readWanted(typed: string): Wanted {
  const text = typed.trim()
  const phoneNumber = readPhoneNumber(text)
  return { text, id: readId(text), phoneNumber, recipients: phoneNumber === undefined ? [text] : waysOfWriting(phoneNumber) }
}
