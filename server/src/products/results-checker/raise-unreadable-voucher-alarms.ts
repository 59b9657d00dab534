import { sql } from 'kysely'
import type { Logger } from 'pino'
import { matchAlarms } from '../../notices/match-alarms.ts'
import type { Db } from '../../platform/database/database.ts'
import { SecretUnreadableError } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type SealedVoucher, unsealVoucher } from './seal-voucher.ts'

export const unreadableVoucherAlarm = 'vouchers_unreadable'

/**
 * How many of the next vouchers of each type are checked, so that the staff learn of an unreadable voucher before a buyer gets
 * it.
 */
const lookedAheadMax = 100

type NextVoucher = SealedVoucher & { readonly type_name: string }

async function listNextVouchers(db: Db): Promise<NextVoucher[]> {
  const { rows } = await sql<NextVoucher>`
    select voucher_types.name as type_name, voucher.id, voucher.pin, voucher.serial_number
    from voucher_types cross join lateral (
      select id, pin, serial_number from vouchers
      where vouchers.type_id = voucher_types.id and order_id is null
      order by id limit ${lookedAheadMax}
    ) as voucher
    where voucher_types.is_active`.execute(db)
  return rows
}

function isReadable(keys: SecretsKeys, voucher: SealedVoucher): boolean {
  try {
    unsealVoucher(keys, voucher)
    return true
  } catch (error) {
    if (error instanceof SecretUnreadableError) return false
    throw error
  }
}

/** Raises an alarm for each type on sale whose next vouchers cannot all be unsealed, and clears the alarms of the others. */
export async function raiseUnreadableVoucherAlarms(
  db: Db,
  keys: SecretsKeys,
  log: Pick<Logger, 'error' | 'info'>,
): Promise<void> {
  const unreadable = (await listNextVouchers(db)).filter((voucher) => !isReadable(keys, voucher))
  const causes = [...Map.groupBy(unreadable, (voucher) => voucher.type_name)].map(([subject, vouchers]) => ({
    subject,
    message: `${vouchers.length} of the next vouchers of ${subject} cannot be read, first ${vouchers[0]?.id}. A purchase that comes to one answers 500 and charges nothing.`,
  }))
  await matchAlarms(db, log, unreadableVoucherAlarm, causes)
}
