import { sql } from 'kysely'
import type { Role } from '../../../accounts/caller.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import { type PackageEdit, PackageEditError } from '../edits/package-edit.ts'
import { type EditPreview, editError, previewEdit } from '../edits/preview-edit.ts'
import { PackagesChangedError } from '../history/fingerprint-changes.ts'
import { differingColumns } from '../history/package-cells.ts'
import { type PackageChange, packageName, type StoredPackage } from '../stored-packages.ts'
import { priceField, readPackagesBefore } from './waiting-prices.ts'

/** A requested set of prices, with the minute at which they come into force. */
export type PriceSetRequest = {
  readonly edit: PackageEdit
  /** A whole minute. */
  readonly effectiveAt: Date
  readonly note?: string | undefined
  /** Accepts prices below a supplier's cost; the note then gives the reason. */
  readonly isBelowCostAllowed: boolean
  /** Fingerprint of the shown changes; absent where nothing was shown, as on the command line. */
  readonly seen?: string
  readonly actor: string
}

/** A set that cannot be made, changed or cancelled. The message gives the reason. */
export class PriceSetError extends OperatorRequestError {
  override readonly name: string = 'PriceSetError'
}

/** A time at which no prices can come into force. */
class PriceSetTimeError extends PriceSetError {
  override readonly name = 'PriceSetTimeError'
  override readonly isWrongValue = true
}

const daysAheadMax = 366

async function checkTime(db: Db, effectiveAt: Date): Promise<void> {
  if (effectiveAt.getTime() % 60_000 !== 0) throw new PriceSetTimeError('Prices come into force at a whole minute.')
  const { rows } = await sql<{ is_over: boolean; is_far: boolean }>`
    select ${effectiveAt}::timestamptz <= clock_timestamp() as is_over,
      ${effectiveAt}::timestamptz > clock_timestamp() + make_interval(days => ${daysAheadMax}::integer) as is_far`.execute(db)
  if (rows[0]?.is_over) throw new PriceSetTimeError('This minute is over. To change prices now, save them.')
  if (rows[0]?.is_far) throw new PriceSetTimeError('Prices are scheduled a year ahead at most.')
}

const isPriceColumn = (column: string) => Object.keys(priceField).some((role) => column === `price_${role}`)

/** Refuses an edit of anything but prices. Only prices can be scheduled; other changes are made at once. */
function mustBePricesAlone(changes: readonly PackageChange[]): void {
  const problems = changes.flatMap(({ stored, next }) => {
    if (!stored) return [`${packageName(next)} is new`]
    const others = [...differingColumns(stored, next).keys()].filter((column) => !isPriceColumn(column))
    return others.length === 0 ? [] : [`${packageName(next)}: ${others.join(', ')}`]
  })
  if (problems.length > 0) throw new PackageEditError([`only prices of packages can be scheduled, not: ${problems.join('; ')}`])
}

/**
 * Removes from the rows of a file the offers that equal the stored ones. Otherwise the edit would reopen closed offers, but
 * only prices can be scheduled.
 */
function withoutSameOffers(edit: PackageEdit, stored: ReadonlyMap<string, StoredPackage>): PackageEdit {
  if (edit.kind !== 'file') return edit
  const rows = edit.rows.map(({ line, wanted }) => {
    const known = stored.get(packageName(wanted))?.offers
    const offers = [...wanted.offers].filter(([supplier, offer]) => {
      const kept = known?.get(supplier)
      return offer ? offer.code !== kept?.code || offer.costPesewas !== kept.costPesewas : kept !== undefined
    })
    return { line, wanted: { ...wanted, offers: new Map(offers) } }
  })
  return { kind: 'file', rows }
}

/**
 * Calculates the changes that a set would make at its minute, after the waiting sets before it.
 * @throws an OperatorRequestError when it cannot be scheduled
 */
export async function previewPriceSet(
  db: Db,
  { edit, effectiveAt }: Pick<PriceSetRequest, 'edit' | 'effectiveAt'>,
  setId: string = newId(),
): Promise<EditPreview> {
  await checkTime(db, effectiveAt)
  const stored = await readPackagesBefore(db, { effectiveAt, setId })
  const preview = await previewEdit(db, withoutSameOffers(edit, stored), stored)
  mustBePricesAlone(preview.changes)
  return preview
}

export type PriceLine = { readonly packageId: string; readonly role: Role; readonly before: number; readonly after: number }

const roles = Object.keys(priceField) as Role[]

export function priceLinesOf(changes: readonly PackageChange[]): PriceLine[] {
  return changes.flatMap(({ stored, next }) =>
    roles.flatMap((role) => {
      const [before, after] = [stored?.[priceField[role]] ?? 0, next[priceField[role]]]
      return before === after ? [] : [{ packageId: next.id, role, before, after }]
    }),
  )
}

/**
 * Checks a request again under the lock of the schedule, and returns its changes.
 * @throws PackagesChangedError when they differ from the shown ones, PackageEditError or PackageFileError when nothing
 *   would change or when it would sell at a loss without permission, and the errors of `previewPriceSet`
 */
export async function decidePriceSet(tx: Tx, request: PriceSetRequest, setId: string): Promise<readonly PackageChange[]> {
  const { changes, losses, seen } = await previewPriceSet(tx, request, setId)
  if (request.seen !== undefined && request.seen !== seen) throw new PackagesChangedError()
  if (changes.length === 0) throw new PackageEditError(['the prices would be the same'])
  if (losses.length > 0 && !request.isBelowCostAllowed) {
    throw editError(request.edit, losses)
  }
  return changes
}
