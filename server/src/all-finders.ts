import { accountFinder } from './accounts/account-finder.ts'
import { keyFinder } from './accounts/key-finder.ts'
import { commissionMoveFinder, creditFinder, transferFinder } from './money/ledger-finder.ts'
import { topUpFinder } from './money/top-ups/top-up-finder.ts'
import { portedNumberFinder } from './networks/find-ported-numbers.ts'
import { readPhoneNumber, waysOfWriting } from './networks/read-phone-number.ts'
import { attemptFinder, orderFinder } from './orders/queries/order-finder.ts'
import { approvalFinder } from './platform/approvals/approval-finder.ts'
import { readId } from './platform/database/read-id.ts'
import type { Finder, SearchText } from './platform/finding/finder.ts'
import { products } from './products/products.ts'
import { statementLineFinder } from './reconciliation/statement-line-finder.ts'

/** The finders of `makola find` and of the desk's search, in the order of their results. */
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
export const searchTextLengthMax = 200

/** An amount as people write it: `12.50`, `GHS 1,250.00`, `-5`. The sign is allowed, but not used. */
const amountPattern = /^[+−-]?(?:ghs)?\s*[+−-]?((?:[1-9]\d{0,2}(?:[ ,]\d{3})+|0|[1-9]\d{0,11}))(?:\.(\d{1,2}))?$/i

function readAmount(text: string): number | undefined {
  const [, whole, part = ''] = amountPattern.exec(text) ?? []
  if (whole === undefined) return undefined
  const pesewas = Number(whole.replaceAll(/[ ,]/g, '')) * 100 + Number(part.padEnd(2, '0'))
  return pesewas === 0 ? undefined : pesewas
}

export function readSearchText(typed: string): SearchText {
  const text = typed.trim()
  const phoneNumber = readPhoneNumber(text)
  return {
    text,
    id: readId(text),
    phoneNumber,
    amountPesewas: readAmount(text),
    recipients: phoneNumber === undefined ? [text] : waysOfWriting(phoneNumber),
  }
}
