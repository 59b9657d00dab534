import type { Static } from 'typebox'
import type { Purchaser } from '../../accounts/caller.ts'
import { type Pesewas, pesewasFromGhs } from '../../money/pesewas.ts'
import { readNumbersLine } from '../../networks/read-phone-number.ts'
import { checkLines } from '../../orders/checking/check-lines.ts'
import { checkOrder } from '../../orders/checking/check-order.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Epoch } from '../../platform/database/epoch.ts'
import { airtimeKind } from './airtime.kind.ts'
import type { AirtimeLinesBody } from './airtime.member.schemas.ts'
import { airtimeNetworks } from './airtime.schemas.ts'
import { type AirtimeDeps, makeAirtimeOrderItem } from './purchase-airtime.ts'

/** Checks a person's lines of airtime as their purchase would. */
export async function checkAirtimeLines(
  deps: AirtimeDeps & { readonly db: Db; readonly epoch: Epoch },
  purchaser: Purchaser,
  { lines }: Static<typeof AirtimeLinesBody>,
) {
  const [plan, commissionPlan] = await Promise.all([deps.numberPlan(), deps.commissionPlan()])
  const known = {
    purchaser,
    now: deps.epoch.databaseNow(),
    catalogueVersion: commissionPlan.version,
    read: { fresh: undefined },
  }
  return checkLines(deps, purchaser.accountId, {
    lines,
    read: (text) => readNumbersLine(plan, airtimeNetworks, text),
    networkOf: ({ network }) => network,
    kind: airtimeKind.name,
    now: known.now,
    varietyOf: ({ amount }) => String(pesewasFromGhs(amount)),
    decide: (good) =>
      Promise.all(
        good.map(async ({ line: { amount }, number, network }) => {
          // The schema allows only whole pesewas.
          const amountPesewas = pesewasFromGhs(amount) as Pesewas
          const body = { network, beneficiary_phone: number, amount, reference: '' }
          return checkOrder(airtimeKind, await makeAirtimeOrderItem(deps, purchaser, body, amountPesewas), known)
        }),
      ),
  })
}
