import Type from 'typebox'
import type { Db } from '../../../platform/database/database.ts'
import { RefusalError, refuse } from '../../../platform/http/refusals.ts'
import { findVoucherType, type VoucherTypeRow } from '../list-voucher-stock.ts'

export const typeNotFound = refuse(404, 'voucher_type_not_found', 'There is no such voucher type.')

/** @throws RefusalError when there is no such type */
export async function mustFindVoucherType(db: Db, id: string): Promise<VoucherTypeRow> {
  const type = await findVoucherType(db, id)
  if (type?.id !== id.toLowerCase()) throw new RefusalError(typeNotFound)
  return type
}

/** The reason for a change of the stock. */
export const VoucherReason = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Why, for the log.' })
