import type { SimulatedSupplier } from '../simulated-supplier.ts'
import { openSupplierStandIn, type StandInDeps, type SupplierStandIn } from '../stand-in/open-supplier-stand-in.ts'
import { dataKazinaCodePrefix } from './view-order.ts'

/** The simulated DataKazina. It sends no callbacks; its orders must be asked about. */
export type DataKazinaStandIn = SupplierStandIn &
  SimulatedSupplier & {
    /** Returns whether the answer to this purchase was lost before, and marks it as lost. */
    wasLostBefore(reference: string): boolean
  }

/** Above this number, all lost references are dropped to save memory. Each can then be lost once more. */
const lostReferencesMax = 100_000

/** Opens DataKazina's orders and resumes open deliveries of the last process. */
export async function openDataKazinaStandIn(deps: StandInDeps): Promise<DataKazinaStandIn> {
  const { apiKey, floatPesewas } = deps.config.datakazina
  const standIn = await openSupplierStandIn(deps, {
    name: 'datakazina',
    codePrefix: dataKazinaCodePrefix,
    apiKey,
    floatPesewas,
  })
  const lost = new Set<string>()
  return {
    ...standIn,
    sendWebhook: () => false,
    wasLostBefore: (reference) => {
      if (lost.has(reference)) return true
      if (lost.size >= lostReferencesMax) lost.clear()
      lost.add(reference)
      return false
    },
  }
}
