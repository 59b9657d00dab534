import type { Purchaser } from '../../accounts/caller.ts'
import { type Pesewas, pesewas } from '../../money/pesewas.ts'
import { type Intake, type Placement, placeOrders } from '../../orders/intake/place-orders.ts'
import { refuseReference } from '../../orders/order-reference.ts'
import { type Refusal, RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { DataBulkBody } from './data.schemas.ts'
import { type DataDeps, makeDataOrderItems } from './purchase-data.ts'

export type DataBatch = {
  readonly placements: readonly Placement[]
  readonly skipped: readonly { readonly recipient: string; readonly reason: string }[]
  readonly chargedPesewas: Pesewas
  readonly balancePesewas: Pesewas
}

/**
 * Buys several data bundles, all or none (contract, POST /data/bulk; decisions R5: references inside a batch; R6: a batch
 * with orders placed before). If an earlier order has an entry's reference and body, the entry gets that order and is not
 * charged. Entries that the whitelist gate stops are left out: nothing is placed or charged for them.
 * @param shownPrices price of each entry that the person was shown; absent for a program
 * @throws RefusalError naming the refused entry, unless the refusal concerns the whole call; nothing was placed and no
 *   money has moved, except perhaps with `outcome_unknown`
 */
export async function purchaseDataBatch(
  deps: DataDeps & { readonly intake: Intake },
  purchaser: Purchaser,
  body: DataBulkBody,
  shownPrices?: readonly Pesewas[],
): Promise<DataBatch> {
  refuseBadReferences(body)
  const { items, registrations } = await makeDataOrderItems(deps, purchaser, body.orders, 'skip')
  const priced = items.map((item, index) => ({ ...item, shownPrice: shownPrices?.[index] }))
  const outcome = await placeOrders(deps.intake, purchaser.accountId, priced)
  if ('refusal' in outcome) throw new RefusalError(namingEntry(outcome.refusal, outcome.itemIndex))
  const skipped = outcome.skipped.map(({ itemIndex, refusal }) => ({
    recipient: items[itemIndex]?.request.recipient ?? '',
    reason: refusal.message,
  }))
  const left = skipped.map(({ recipient }) => recipient)
  if (left.length > 0) await registrations.submit(left)
  const { placements, charged } = outcome
  return { placements, skipped, chargedPesewas: pesewas(charged), balancePesewas: pesewas(outcome.balance) }
}

function refuseBadReferences({ orders }: DataBulkBody): void {
  const seen = new Set<string>()
  for (const [index, { reference }] of orders.entries()) {
    const refusal = seen.has(reference)
      ? refusals.invalidRequest('reference stands twice in this batch.')
      : refuseReference(reference)
    if (refusal) throw new RefusalError(namingEntry(refusal, index))
    seen.add(reference)
  }
}

/** Refusals of each entry that are the same for all of them, so they name none. */
const wholeCallReasons = new Set(['feature_disabled', 'account_suspended'])

function namingEntry(refusal: Refusal, index: number | undefined): Refusal {
  if (index === undefined || wholeCallReasons.has(refusal.reason)) return refusal
  return { ...refusal, message: `orders[${index}]: ${refusal.message}` }
}
