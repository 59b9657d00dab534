import type { Db } from '../../../platform/database/database.ts'
import type { OfferedPackage } from '../../../suppliers/adapter.ts'
import { adapters } from '../../../suppliers/adapters.ts'
import { listOffers } from '../offers/list-offers.ts'

/** The parts of a supplier's row on which the codes of its packages depend. */
export type CodedSupplier = { readonly name: string; readonly adapter: string; readonly settings: Record<string, unknown> }

export function readCodedSuppliers(db: Db): Promise<CodedSupplier[]> {
  return db.selectFrom('suppliers').select(['name', 'adapter', 'settings']).orderBy('name').execute()
}

/** Returns the fault that the adapter finds in a supplier's code of a package; undefined when it finds none. */
export function findCodeProblem(supplier: CodedSupplier, offered: OfferedPackage): string | undefined {
  const adapter = Object.hasOwn(adapters, supplier.adapter) ? adapters[supplier.adapter] : undefined
  return adapter?.findCodeProblem?.(supplier.settings, offered)
}

/** An offer whose code cannot be right, and the reason. */
export type FaultyCode = { readonly network: string; readonly volumeGb: number; readonly code: string; readonly problem: string }

/** Finds a supplier's offers whose codes cannot be right by its present settings. */
export async function findFaultyCodes(db: Db, supplierName: string): Promise<FaultyCode[]> {
  const supplier = (await readCodedSuppliers(db)).find(({ name }) => name === supplierName)
  if (!supplier) return []
  const offers = (await listOffers(db)).filter((offer) => offer.supplier === supplierName)
  return offers.flatMap(({ network, volumeGb, code }) => {
    const problem = findCodeProblem(supplier, { network, volumeGb, packageCode: code })
    return problem === undefined ? [] : [{ network, volumeGb, code, problem }]
  })
}
