import { sql } from 'kysely'
import { gatewayKind } from '../src/gateways/change-gateway.ts'
import { type GatewayChange, prepareGateway, storeGateway } from '../src/gateways/write-gateway.ts'
import type { Db, Tx } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { newId } from '../src/platform/database/new-id.ts'
import type { SecretsKeys } from '../src/platform/secrets/secrets-keys.ts'
import { supplierKind } from '../src/suppliers/registry/change-supplier.ts'
import { prepareSupplier, type SupplierChange, storeSupplier } from '../src/suppliers/registry/write-supplier.ts'

type GatewayAct = { readonly name: string; readonly change: GatewayChange; readonly actor: string }

/** Writes what lets the audit accept the change of a secret. */
async function writeLoosening(tx: Tx, kind: string, subject: string): Promise<string> {
  const id = newId()
  await sql`insert into loosenings (id, kind, subject, value, at) values (${id}, ${kind}, ${subject}, '{}', 'epoch')`.execute(tx)
  return id
}

/** Changes a gateway as two people who agreed. */
export function writeGateway(db: Db, keys: SecretsKeys, { name, change, actor }: GatewayAct): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { row } = await prepareGateway(tx, keys, name, change)
    const looseningId = await writeLoosening(tx, gatewayKind.name, name)
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
    const looseningId = await writeLoosening(tx, supplierKind.name, name)
    await storeSupplier(tx, name, change, actor, { credentials: sealed, looseningId })
    return { isNew: stored === undefined }
  })
}
