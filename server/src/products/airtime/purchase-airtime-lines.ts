import type { Purchaser } from '../../accounts/caller.ts'
import { type Refusal, RefusalError } from '../../platform/http/refusals.ts'
import type { AirtimePurchaseBody } from './airtime.schemas.ts'
import { purchaseAirtime } from './purchase-airtime.ts'

type Bought = Awaited<ReturnType<typeof purchaseAirtime>>

export type AirtimeLineOutcome = { readonly reference: string } & (
  | { readonly bought: Bought; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly bought?: undefined }
)

/**
 * Buys airtime for several numbers, each line like a purchase over the API: a refused line does not affect the others. The
 * lines reach the intake together, which places them in few transactions.
 */
export function purchaseAirtimeLines(
  deps: Parameters<typeof purchaseAirtime>[0],
  purchaser: Purchaser,
  orders: readonly AirtimePurchaseBody[],
): Promise<AirtimeLineOutcome[]> {
  return Promise.all(
    orders.map(async (order) => {
      const { reference } = order
      try {
        return { reference, bought: await purchaseAirtime(deps, purchaser, order) }
      } catch (error) {
        if (!(error instanceof RefusalError)) throw error
        return { reference, refusal: error.refusal }
      }
    }),
  )
}
