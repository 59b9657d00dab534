import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { pesewas } from '../money/pesewas.ts'
import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { addVouchers } from '../products/results-checker/add-vouchers.ts'
import { exampleTypeId } from '../products/results-checker/results-checker.schemas.ts'

type DemoVoucherType = {
  readonly id?: string
  readonly name: string
  readonly prefix: string
  readonly price_customer: number
  readonly price_agent: number
  readonly price_dealer: number
}

/** Invented prices in pesewas, near real ones. */
const demoVoucherTypes: readonly DemoVoucherType[] = [
  { id: exampleTypeId, name: 'WASSCE', prefix: 'WAS', price_customer: 2_000, price_agent: 1_750, price_dealer: 1_650 },
  { name: 'BECE', prefix: 'BEC', price_customer: 1_800, price_agent: 1_550, price_dealer: 1_450 },
  { name: 'NOVDEC', prefix: 'NOV', price_customer: 2_100, price_agent: 1_850, price_dealer: 1_750 },
]

const vouchersPerType = 50

/** Twelve random digits, as long as a real PIN. */
const inventedPin = () => `${randomInt(1_000_000)}`.padStart(6, '0') + `${randomInt(1_000_000)}`.padStart(6, '0')

/** Puts 50 more invented vouchers of a type into stock. */
export async function addInventedVouchers(
  tx: Tx,
  keys: SecretsKeys,
  { id: typeId, prefix, by }: { readonly id: string; readonly prefix: string; readonly by: string },
): Promise<void> {
  const first = randomInt(1_000_000) * 1_000
  const vouchers = Array.from({ length: vouchersPerType }, (_, index) => ({
    id: newId(),
    line: index + 1,
    pin: inventedPin(),
    serialNumber: `${prefix}${String(first + index + 1).padStart(9, '0')}`,
  }))
  const { added } = await addVouchers(tx, keys, typeId, vouchers)
  await sql`update voucher_types set available_count = available_count + ${added} where id = ${typeId}`.execute(tx)
  await tx
    .insertInto('voucher_batches')
    .values({ id: newId(), type_id: typeId, imported: added, skipped: vouchersPerType - added, file_name: null, imported_by: by })
    .execute()
}

export async function seedVouchers(tx: Tx, keys: SecretsKeys): Promise<void> {
  for (const { prefix, id = newId(), ...type } of demoVoucherTypes) {
    await tx
      .insertInto('voucher_types')
      .values({
        id,
        name: type.name,
        price_customer: pesewas(type.price_customer),
        price_agent: pesewas(type.price_agent),
        price_dealer: pesewas(type.price_dealer),
      })
      .execute()
    await addInventedVouchers(tx, keys, { id, prefix, by: 'demo' })
  }
}
