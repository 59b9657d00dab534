import { sql } from 'kysely'
import { gatewayKind } from '../src/gateways/change-gateway.ts'
import { type GatewayChange, prepareGateway, storeGateway } from '../src/gateways/write-gateway.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { newId } from '../src/platform/database/new-id.ts'
import type { SecretsKeys } from '../src/platform/secrets/secrets-keys.ts'
import { prepareSupplier, type SupplierChange, storeSupplier } from '../src/suppliers/registry/write-supplier.ts'

type GatewayAct = { readonly name: string; readonly change: GatewayChange; readonly actor: string }

/** Changes a gateway as two people who agreed. */
export function writeGateway(db: Db, keys: SecretsKeys, { name, change, actor }: GatewayAct): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { row } = await prepareGateway(tx, keys, name, change)
    const looseningId = newId()
    await sql`
      insert into loosenings (id, kind, subject, value, at) values (${looseningId}, ${gatewayKind.name}, ${name}, '{}', 'epoch')`.execute(
      tx,
    )
    await storeGateway(tx, name, row, { actor, credentialsSet: Object.keys(change.credentials ?? {}), looseningId })
  })
}

/** Changes a supplier as two people who agreed. */
export function writeSupplier(
  db: Db,
  keys: SecretsKeys,
  name: string,
  change: SupplierChange,
  actor: string,
): Promise<{ isNew: boolean }> {
  return inTransaction(db, async (tx) => {
    const { stored, sealed } = await prepareSupplier(tx, keys, name, change)
    await storeSupplier(tx, name, change, actor, { credentials: sealed })
    return { isNew: stored === undefined }
  })
}
