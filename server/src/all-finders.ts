import { accountFinder } from './accounts/account-finder.ts'
import { keyFinder } from './accounts/key-finder.ts'
import { commissionMoveFinder, creditFinder, transferFinder } from './money/ledger-finder.ts'
import { portedNumberFinder } from './networks/ported-number-finder.ts'
import { attemptFinder, orderFinder } from './orders/queries/order-finder.ts'
import { approvalFinder } from './platform/approvals/approval-finder.ts'
import type { Finder } from './platform/finding/finder.ts'
import { products } from './products/products.ts'
import { statementLineFinder } from './reconciliation/statement-line-finder.ts'

/** Everything that `makola find` looks through, in the order in which it answers. */
export const allFinders: readonly Finder[] = [
  orderFinder(products),
  attemptFinder,
  statementLineFinder,
  accountFinder,
  keyFinder,
  creditFinder,
  commissionMoveFinder,
  transferFinder,
  approvalFinder,
  portedNumberFinder,
  ...products.flatMap(({ finders }) => finders),
]
