import { type Pesewas, pesewasFromGhs } from '../../../money/pesewas.ts'
import { RefusalError, refusals } from '../../../platform/http/refusals.ts'
import { inPieces } from '../../../platform/in-pieces.ts'
import { PackageFileError } from '../catalogue/import-packages.ts'
import { readPackageFile } from '../catalogue/read-package-file.ts'
import type { CellsEdit, PackageEdit } from '../edits/package-edit.ts'
import type { EditBody } from './packages-desk.schemas.ts'

const refuse = (message: string) => new RefusalError(refusals.invalidRequest(message))

function amountOf(ghs: number): Pesewas {
  const amount = pesewasFromGhs(ghs)
  if (amount === undefined) throw refuse('An amount must be GHS with at most 2 decimals.')
  return amount
}

function volumeOf(volumeGb: number): number {
  if (Number(volumeGb.toFixed(3)) === volumeGb) return volumeGb
  throw refuse('volume_gb must have at most 3 decimals.')
}

type Cells = NonNullable<EditBody['cells']>[number]

function readCells({ network, volume_gb: volumeGb, is_available: isAvailable, stock, ...cells }: Cells): CellsEdit {
  const { price_customer: customer, price_agent: agent, price_dealer: dealer, offers = [], offers_removed: removed = [] } = cells
  return {
    network,
    volumeGb: volumeOf(volumeGb),
    prices: {
      ...(customer !== undefined && { customer: amountOf(customer) }),
      ...(agent !== undefined && { agent: amountOf(agent) }),
      ...(dealer !== undefined && { dealer: amountOf(dealer) }),
    },
    ...(isAvailable !== undefined && { isAvailable }),
    ...(stock !== undefined && { stock }),
    offers: new Map([
      ...removed.map((supplier) => [supplier, null] as const),
      ...offers.map(({ supplier, code, cost }) => [supplier, { code: code.trim(), costPesewas: amountOf(cost) }] as const),
    ]),
  }
}

type Shift = NonNullable<EditBody['shift']>

function readShift({ package_ids: ids, network, roles, percent, amount, round_to: roundTo }: Shift): PackageEdit {
  if ((percent === undefined) === (amount === undefined))
    throw refuse('Prices move by percent or by amount: send one of the two.')
  if (ids !== undefined && network !== undefined) throw refuse('Send package_ids or network, not both.')
  const chosen = ids ? { packageIds: new Set(ids.map((id) => id.toLowerCase())) } : undefined
  return {
    kind: 'shift',
    of: chosen ?? (network === undefined ? 'all' : { network }),
    roles,
    shift: {
      by: percent === undefined ? { pesewas: amountOf(amount ?? 0) } : { basisPoints: Math.round(percent * 100) },
      roundTo,
    },
  }
}

/**
 * Reads a change of the price list in any of its three forms.
 * @throws RefusalError or PackageFileError when it is invalid
 */
export async function readEdit({ cells, shift, file }: EditBody): Promise<PackageEdit> {
  const given = [cells, shift, file].filter((each) => each !== undefined)
  if (given.length !== 1) throw refuse('Send one of cells, shift and file.')
  if (cells) return { kind: 'cells', packages: cells.map(readCells) }
  if (shift) return readShift(shift)
  const { packages, problems } = await readPackageFile(inPieces(Buffer.from(file ?? '')))
  if (problems.length > 0) throw new PackageFileError(problems)
  if (packages.length === 0) throw refuse('The file names no package.')
  return { kind: 'file', rows: packages }
}
