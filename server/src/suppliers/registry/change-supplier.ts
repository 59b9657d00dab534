import Type from 'typebox'
import { defineLoosening, type LooseningResult, lockWaiting } from '../../guards/loosening.ts'
import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type PreparedSupplier, prepareSupplier, type SupplierChange, storeSupplier } from './write-supplier.ts'

const SupplierRequest = Type.Object({
  name: Type.String(),
  /** The change without its secrets. */
  change: Type.Unsafe<SupplierChange>({ type: 'object' }),
  credentialsSet: Type.Array(Type.String()),
  secretId: Type.String(),
})

/**
 * Whoever controls a supplier's address gets our orders and our money, and can report orders as delivered. So this takes two
 * people.
 */
const setting = defineLoosening({
  name: 'supplier set',
  schema: SupplierRequest,
  subjectOf: ({ name }) => name,
  describe: ({ name, change, credentialsSet }) =>
    `use supplier ${name}${change.baseUrl === undefined ? '' : ` at ${change.baseUrl}`}${credentialsSet.length === 0 ? '' : ` with another ${credentialsSet.join(', ')}`}`,
  async lockAndPreview(tx, { name, change, credentialsSet }) {
    const stored = await tx.selectFrom('suppliers').select('base_url').where('name', '=', name).forUpdate().executeTakeFirst()
    if (!stored) throw new ApprovalRefusedError(`There is no supplier ${name}.`)
    const before = stored.base_url ?? 'its usual address'
    return { before, after: [change.baseUrl ?? before, ...credentialsSet].join(', new ') }
  },
  async do(tx, { name, change, credentialsSet, secretId }, { looseningId, actor }) {
    const proposed = await tx
      .deleteFrom('proposed_supplier_credentials')
      .where('name', '=', name)
      .where('id', '=', secretId)
      .returning('credentials')
      .executeTakeFirst()
    if (!proposed) throw new ApprovalRefusedError('The proposed credentials are gone: refuse this, and propose them anew.')
    await storeSupplier(tx, name, change, actor, { credentials: proposed.credentials, credentialsSet, looseningId })
  },
})

export const supplierKind = setting.kind

export type SupplierChangeRequest = { readonly name: string; readonly change: SupplierChange; readonly person: Person }

/** True when a supplier with credentials gets other credentials, another adapter, another host or its first address. */
function isGuarded({ stored, isOther, sealed }: PreparedSupplier, { baseUrl }: SupplierChange): boolean {
  if (!stored || stored.credentials === null) return false
  const isFirstAddress = baseUrl !== undefined && stored.base_url === null
  return sealed !== undefined || isOther || isFirstAddress
}

/**
 * Adds or changes a supplier. Once a supplier has credentials, two people must agree to other credentials, another adapter,
 * another host or its first address; anything else takes one.
 * @throws SupplierChangeError and SupplierExistsError as `prepareSupplier` does
 */
export function changeSupplier(
  db: Db,
  keys: SecretsKeys,
  { name, change, person }: SupplierChangeRequest,
): Promise<LooseningResult> {
  return inTransaction(db, async (tx) => {
    await lockWaiting(tx, setting.kind, name)
    const prepared = await prepareSupplier(tx, keys, name, change)
    const { sealed } = prepared
    if (!isGuarded(prepared, change)) {
      await storeSupplier(tx, name, change, person.by, { credentials: sealed })
      return { state: 'done' }
    }
    const secretId = newId()
    const secret = { id: secretId, credentials: sealed ?? null }
    await tx
      .insertInto('proposed_supplier_credentials')
      .values({ name, ...secret })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(secret))
      .execute()
    const { credentials, ...shown } = change
    const request = { name, change: shown, credentialsSet: Object.keys(credentials ?? {}), secretId }
    return setting.ask(tx, { request, reason: change.reason ?? '', person })
  })
}
