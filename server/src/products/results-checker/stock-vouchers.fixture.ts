import { sql } from 'kysely'
import type { TestApp } from '../../../test/start-test-app.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { addVouchers } from './add-vouchers.ts'

export function keysOf(app: Pick<TestApp, 'dataDir'>): Promise<SecretsKeys> {
  return loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir: app.dataDir })
}

let types = 0

/** A voucher type for GHS 20, 17.50 and 16.50, with vouchers `PIN-<name>-1` and `SERIAL-<name>-1` and so on. */
export async function stockVouchers(
  db: Db,
  keys: SecretsKeys,
  count: number,
  more: { name?: string; isActive?: boolean } = {},
): Promise<{ typeId: string; name: string }> {
  types += 1
  const typeId = newId()
  const name = more.name ?? `Type ${types}`
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('voucher_types')
      .values({
        id: typeId,
        name,
        price_customer: 2_000,
        price_agent: 1_750,
        price_dealer: 1_650,
        is_active: more.isActive ?? true,
      })
      .execute()
    const vouchers = Array.from({ length: count }, (_, index) => ({
      id: newId(),
      line: index + 1,
      pin: `PIN-${name}-${index + 1}`,
      serialNumber: `SERIAL-${name}-${index + 1}`,
    }))
    const { added } = await addVouchers(tx, keys, typeId, vouchers)
    await sql`update voucher_types set available_count = ${added} where id = ${typeId}`.execute(tx)
  })
  return { typeId, name }
}
