import { type DeskDeps, openSupplierDesk, type SupplierDesk } from '../desk/open-supplier-desk.ts'
import type { SimulatedSupplier } from '../simulated-supplier.ts'
import { dataKazinaCodePrefix } from './view-order.ts'

/** DataKazina itself. It tells nothing of its own accord: who wants to know asks. */
export type DataKazinaDesk = SupplierDesk &
  SimulatedSupplier & {
    /** Whether a purchase with this reference got lost on its way here before; remembers it either way. */
    wasLostBefore(reference: string): boolean
  }

/** Lost references beyond this many are forgotten all together: they are then lost once more. */
const lostReferencesMax = 100_000

/** Opens DataKazina's books and goes on with what was not delivered when the last process ended. */
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
