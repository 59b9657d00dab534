import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import Type from 'typebox'
import { ApprovalRefusedError, defineApprovalKind } from '../../platform/approvals/approval-kind.ts'
import { type Proposed, proposeApproval } from '../../platform/approvals/propose-approval.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { VoucherFileError } from './import-vouchers.ts'
import type { VoucherTypeRow } from './list-voucher-stock.ts'
import { readVoucherFile, type VoucherFileProblem } from './read-voucher-file.ts'
import { hashVoucher } from './seal-voucher.ts'

/** The most vouchers in one proposal, which lists each of them. */
const vouchersMax = 100_000

const Withdrawal = Type.Object({
  typeId: Type.String(),
  typeName: Type.String(),
  voucherIds: Type.Array(Type.String(), { minItems: 1, maxItems: vouchersMax }),
})

/** Withdraws unsold vouchers when a second person confirms. Vouchers sold before that stay with their buyers. */
export const withdrawalKind = defineApprovalKind({
  name: 'vouchers withdraw',
  schema: Withdrawal,
  describe: ({ typeName, voucherIds }) => `take ${voucherIds.length} unsold ${typeName} vouchers out of the stock`,
  async lockAndPreview(tx, { typeId, voucherIds }) {
    // Every purchase of the type takes this lock, so none of the vouchers is sold meanwhile.
    const { rows } = await sql<{ available_count: number }>`
      select available_count from voucher_types where id = ${typeId} for update`.execute(tx)
    const available = rows[0]?.available_count ?? 0
    const { rows: counted } = await sql<{ unsold: number }>`
      select count(*) as unsold from vouchers where id = any(${voucherIds}::uuid[]) and type_id = ${typeId} and order_id is null`.execute(
      tx,
    )
    const unsold = counted[0]?.unsold ?? 0
    if (unsold === 0) throw new ApprovalRefusedError('None of these vouchers is in stock any more.')
    return { before: `${available} in stock`, after: `${available - unsold} in stock` }
  },
  async carryOut(tx, { typeId, voucherIds }, { approvalId }) {
    const { rows } = await sql<{ withdrawn: number }>`
      select withdraw_vouchers(${approvalId}, ${voucherIds}::uuid[]) as withdrawn`.execute(tx)
    const withdrawn = rows[0]?.withdrawn ?? 0
    await sql`update voucher_types set available_count = available_count - ${withdrawn} where id = ${typeId}`.execute(tx)
    return { withdrawn, sold_meanwhile: voucherIds.length - withdrawn }
  },
})

/**
 * Selects unsold vouchers of a type: those imported in a period, the oldest, or both together; those of a file; those of a
 * batch; or those with these ids.
 */
export type VoucherSelection =
  | { readonly importedFrom?: Date; readonly importedTo?: Date; readonly oldest?: number }
  | { readonly file: Readable }
  | { readonly ids: readonly string[] }
  | { readonly batchId: string }

/**
 * Lists unsold vouchers of a type, imported in the period if one is given: at most `oldest`, in the order in which they would
 * be sold.
 */
async function listByImport(
  db: Db,
  typeId: string,
  {
    importedFrom: from = null,
    importedTo: to = null,
    oldest = vouchersMax + 1,
  }: { importedFrom?: Date | null; importedTo?: Date | null; oldest?: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from vouchers
    where type_id = ${typeId} and order_id is null
      and (${from}::timestamptz is null or imported_at >= ${from}) and (${to}::timestamptz is null or date_trunc('milliseconds', imported_at) <= ${to})
    order by id limit ${oldest}`.execute(db)
  return rows.map(({ id }) => id)
}

async function listById(db: Db, typeId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from vouchers where type_id = ${typeId} and order_id is null and id::text = any(${ids}) order by id`.execute(db)
  return rows.map(({ id }) => id)
}

async function listByBatch(db: Db, typeId: string, batchId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select vouchers.id
    from voucher_batches join vouchers on vouchers.type_id = voucher_batches.type_id and vouchers.imported_at = voucher_batches.imported_at
    where voucher_batches.id = ${batchId} and voucher_batches.type_id = ${typeId} and vouchers.order_id is null
    order by vouchers.id limit ${vouchersMax + 1}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Lists the ids of unsold vouchers of a type that are in a file.
 * @throws VoucherFileError with every row that cannot be read
 */
async function listByFile(db: Db, keys: SecretsKeys, typeId: string, file: Readable): Promise<string[]> {
  const problems: VoucherFileProblem[] = []
  const hashes: { pin: string; serialNumber: string }[] = []
  for await (const row of readVoucherFile(file)) {
    if ('message' in row) {
      problems.push(row)
      continue
    }
    const { pins, serialNumbers } = hashVoucher(keys, row.voucher)
    for (const [index, pin] of pins.entries()) hashes.push({ pin, serialNumber: serialNumbers[index] ?? '' })
  }
  if (problems.length > 0) throw new VoucherFileError(problems, 'Nothing was proposed.')
  const { rows } = await sql<{ id: string }>`
    select distinct vouchers.id
    from ${rowsOf(hashes, {
      pin_hash: ['text', ({ pin }) => pin],
      serial_number_hash: ['text', ({ serialNumber }) => serialNumber],
    }).as('wanted')}
    join vouchers on vouchers.type_id = ${typeId} and vouchers.pin_hash = decode(wanted.pin_hash, 'hex')
      and vouchers.serial_number_hash = decode(wanted.serial_number_hash, 'hex')
    where vouchers.order_id is null
    order by vouchers.id`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Lists the ids of the unsold vouchers of a selection, oldest first.
 * @throws VoucherFileError for a file with bad rows
 */
export function listUnsoldVouchers(db: Db, keys: SecretsKeys, typeId: string, selection: VoucherSelection): Promise<string[]> {
  if ('file' in selection) return listByFile(db, keys, typeId, selection.file)
  if ('batchId' in selection) return listByBatch(db, typeId, selection.batchId)
  return 'ids' in selection ? listById(db, typeId, selection.ids) : listByImport(db, typeId, selection)
}

export type WithdrawalRequest = {
  readonly type: Pick<VoucherTypeRow, 'id' | 'name'>
  readonly voucherIds: readonly string[]
  readonly reason: string
  readonly person: Person
}

/**
 * Proposes to withdraw these vouchers from the stock. They are still sold until a second person confirms.
 * @throws ApprovalRefusedError when there are none, or too many for one proposal
 */
export async function withdrawVouchers(tx: Tx, { type, voucherIds, reason, person }: WithdrawalRequest): Promise<Proposed> {
  if (voucherIds.length === 0) throw new ApprovalRefusedError(`No unsold ${type.name} voucher is meant by that.`)
  if (voucherIds.length > vouchersMax)
    throw new ApprovalRefusedError(`At most ${vouchersMax} vouchers are taken out at once: name a shorter period.`)
  const request = { typeId: type.id, typeName: type.name, voucherIds: [...voucherIds] }
  return proposeApproval(tx, { kind: withdrawalKind, subject: type.name, request, reason, person })
}
