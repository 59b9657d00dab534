import { createHash } from 'node:crypto'
import { mapInPieces } from '../../../platform/in-pieces.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import { type PackageChange, packageName } from '../stored-packages.ts'
import { differingColumns } from './package-cells.ts'

export class PackagesChangedError extends OperatorRequestError {
  override readonly name = 'PackagesChangedError'
  constructor() {
    super('The price list has changed since this was shown. Nothing was changed. Look at the differences again.')
  }
}

/** A scheduled price. `replaces` is the present price, or null when the package is missing. */
type PriceReplacement = {
  readonly packageId: string
  readonly role: string
  readonly replaces: number | null
  readonly after: number
}

/** Fingerprint of the old and new prices that a person was shown, to notice when one of them has changed since. */
export function fingerprintPrices(prices: readonly PriceReplacement[]): string {
  const lines = prices.map(({ packageId, role, replaces, after }) => `${packageId} ${role} ${replaces} ${after}`).toSorted()
  return createHash('sha256').update(lines.join('\n')).digest('hex')
}

/** Fingerprint of these changes, with the values before and after. */
export async function fingerprintChanges(changes: readonly PackageChange[]): Promise<string> {
  const lines = await mapInPieces(changes, ({ stored, next }) => {
    const name = packageName(next)
    return { name, text: JSON.stringify([name, ...differingColumns(stored, next)]) }
  })
  const hash = createHash('sha256')
  for (const { text } of lines.toSorted((one, other) => (one.name < other.name ? -1 : 1))) hash.update(text)
  return hash.digest('hex')
}
