import { type DeskDeps, openSupplierDesk, type SupplierDesk } from '../desk/open-supplier-desk.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import { dataKazinaCodePrefix } from './view-order.ts'

/** The simulated DataKazina. It sends no callbacks; its orders must be asked about. */
export type DataKazinaDesk = SupplierDesk &
  SimulatedSupplier & {
    /** Returns whether the answer to this purchase was lost before, and marks it as lost. */
    wasLostBefore(reference: string): boolean
  }

/** Above this number, all lost references are dropped to save memory. Each can then be lost once more. */
const lostReferencesMax = 100_000

/** Opens DataKazina's orders and resumes open deliveries of the last process. */
export async function openDataKazinaDesk(deps: DeskDeps): Promise<DataKazinaDesk> {
  const { apiKey, floatPesewas } = deps.config.datakazina
  const desk = await openSupplierDesk(deps, {
    name: 'datakazina',
    codePrefix: dataKazinaCodePrefix,
    apiKey,
    floatPesewas,
  })
  const lost = new Set<string>()
  return {
    ...desk,
    sendWebhook: () => false,
    wasLostBefore: (reference) => {
      if (lost.has(reference)) return true
      if (lost.size >= lostReferencesMax) lost.clear()
      lost.add(reference)
      return false
    },
  }
}
