import type { Route } from '../../suppliers/route-ports.ts'
import type { DataPackage } from './package-catalogue.ts'

/**
 * The route on which a package is bought: the first of the ranked ones whose supplier offers it.
 *
 * @returns undefined when nobody who could be asked offers it, so that it cannot be sold
 */
export function findOfferedRoute(ranked: readonly Route[], wanted: Pick<DataPackage, 'suppliers'>): Route | undefined {
  return ranked.find(({ supplier }) => wanted.suppliers.has(supplier))
}
