import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'
import { SecretUnreadableError } from '../../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../../platform/secrets/secrets-keys.ts'
import { type SealedVoucher, unsealVoucher, type VoucherSecrets } from '../seal-voucher.ts'
import { endOfSerialNumber } from './find-vouchers-at-desk.ts'

/** A voucher in the clear, for the person who gave a reason to see it. */
export type ShownVoucher = VoucherSecrets & { readonly typeName: string }

type Row = SealedVoucher & { type_name: string; state: string; order_id: string | null }

async function readVoucher(db: Db, id: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select voucher.*, voucher_types.name as type_name
    from (
      select id, type_id, pin, serial_number, order_id, case when order_id is null then 'in stock' else 'sold' end as state
      from vouchers where id = ${id}
      union all
      select id, type_id, pin, serial_number, null, 'withdrawn' from withdrawn_vouchers where id = ${id}
    ) as voucher join voucher_types on voucher_types.id = voucher.type_id`.execute(db)
  return rows[0]
}

function unseal(keys: SecretsKeys, row: Row): VoucherSecrets {
  try {
    return unsealVoucher(keys, row)
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error
    throw new OperatorRequestError('This voucher cannot be read: it was altered, or its key is not given.', { cause: error })
  }
}

/**
 * Shows one voucher to one person. Before that, logs who sees which voucher, when and why; the log never has the PIN.
 * @returns undefined when there is no such voucher
 * @throws OperatorRequestError when it cannot be unsealed
 */
export async function revealVoucher(
  db: Db,
  keys: SecretsKeys,
  { id, actor, reason }: { readonly id: string; readonly actor: string; readonly reason: string },
): Promise<ShownVoucher | undefined> {
  const row = await readVoucher(db, id)
  if (!row) return undefined
  const secrets = unseal(keys, row)
  const { type_name: typeName, state, order_id } = row
  const details = { reason, type: typeName, serial_end: endOfSerialNumber(secrets.serialNumber), state, order_id }
  await inTransaction(db, (tx) => appendOperatorLog(tx, { actor, action: 'voucher reveal', subject: id, details }))
  return { ...secrets, typeName }
}
