import type { Static } from 'typebox'
import type { Purchaser } from '../../../accounts/caller.ts'
import { readNumbersLine } from '../../../networks/read-phone-number.ts'
import { checkLines } from '../../../orders/checking/check-lines.ts'
import { checkOrder } from '../../../orders/checking/check-order.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Epoch } from '../../../platform/database/epoch.ts'
import { dataKind, readFromCatalogue, sizeOf } from '../data.kind.ts'
import { dataNetworks } from '../data.schemas.ts'
import { type DataDeps, makeDataOrderItems } from '../purchase-data.ts'
import type { DataLinesBody } from './data.member.schemas.ts'

/**
 * Checks a person's lines of bundles as the purchase of a batch would.
 * @param isAsking true: the registration servers are asked about MTN numbers, which may take seconds
 */
export async function checkDataLines(
  deps: DataDeps & { readonly db: Db; readonly epoch: Epoch },
  purchaser: Purchaser,
  { lines }: Static<typeof DataLinesBody>,
  isAsking: boolean,
) {
  // Right before a purchase, a person must not confirm a price that another process has just changed.
  if (isAsking) await deps.epoch.refresh()
  const [plan, catalogue] = await Promise.all([deps.numberPlan(), deps.packages()])
  const now = deps.epoch.databaseNow()
  return checkLines(deps, purchaser.accountId, {
    lines,
    read: (text) => readNumbersLine(plan, dataNetworks, text),
    networkOf: ({ network }) => network,
    kind: dataKind.name,
    now,
    varietyOf: ({ volume_gb }) => sizeOf(volume_gb),
    decide: async (good) => {
      const bodies = good.map(({ line, number, network }) => ({
        network,
        volume_gb: line.volume_gb,
        recipient: number,
        // This check places no order, so it needs no reference.
        reference: '',
      }))
      const { items } = await makeDataOrderItems(deps, purchaser, bodies, 'skip', isAsking)
      const known = {
        purchaser,
        now,
        catalogueVersion: catalogue.version,
        read: readFromCatalogue(catalogue),
      }
      return items.map((item) => checkOrder(dataKind, item, known))
    },
  })
}
