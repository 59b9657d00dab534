import { type ListedPackage, type SupplierRegistry, sellsData } from '../ports.ts'
import { SupplierChangeError } from './write-supplier.ts'

const readSecondsMax = 30

/**
 * Reads a supplier's own price list.
 * @throws SupplierChangeError when it has none, cannot be called, or did not answer
 */
export async function readPackageList(registry: Pick<SupplierRegistry, 'find'>, name: string): Promise<readonly ListedPackage[]> {
  const supplier = registry.find(name)
  if (!supplier) throw new SupplierChangeError(`There is no supplier "${name}" that can be used as it is configured.`)
  if (!sellsData(supplier) || !supplier.listPackages) throw new SupplierChangeError(`${name} has no price list that can be read.`)
  const answer = await supplier.listPackages(AbortSignal.timeout(readSecondsMax * 1_000))
  if (answer.meaning === 'read') return answer.packages
  throw new SupplierChangeError(`${name} did not show its price list: ${answer.evidence}`)
}
