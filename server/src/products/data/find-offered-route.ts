import type { Route } from '../../suppliers/route-ports.ts'
import type { DataPackage } from './package-catalogue.ts'

/**
 * The route for a package: the first of the ranked routes whose supplier offers it.
 * @returns undefined when no supplier offers it, so that it cannot be sold
 */
export function findOfferedRoute(ranked: readonly Route[], wanted: Pick<DataPackage, 'suppliers'>): Route | undefined {
  return ranked.find(({ supplier }) => wanted.suppliers.has(supplier))
}
