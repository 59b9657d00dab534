import Type from 'typebox'
import { defineLoosening, type LooseningResult, lockWaiting } from '../guards/loosening.ts'
import { ApprovalRefusedError } from '../platform/approvals/approval-kind.ts'
import type { Person } from '../platform/approvals/two-people.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { type GatewayChange, prepareGateway, storeGateway } from './write-gateway.ts'

const GatewayRequest = Type.Object({
  name: Type.String(),
  /** Absent: it stays on or off as it is when the second person agrees. */
  isEnabled: Type.Optional(Type.Boolean()),
  baseUrl: Type.String(),
  credentialsSet: Type.Array(Type.String()),
  secretId: Type.String(),
})

/**
 * A person who knows a gateway's secret, or chooses its address, can forge the proof of a payment. So these changes take two
 * people.
 */
const setting = defineLoosening({
  name: 'gateway set',
  schema: GatewayRequest,
  subjectOf: ({ name }) => name,
  describe: ({ name, baseUrl, credentialsSet, isEnabled }) =>
    `ask the gateway ${name} at ${baseUrl}${credentialsSet.length === 0 ? '' : ` with another ${credentialsSet.join(', ')}`}` +
    (isEnabled === undefined ? '' : `, and switch it ${isEnabled ? 'on' : 'off'}`),
  async lockAndPreview(tx, { name, baseUrl, credentialsSet }) {
    const before = await tx.selectFrom('gateways').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()
    return { before: before?.base_url ?? 'not set up', after: [baseUrl, ...credentialsSet].join(', new ') }
  },
  async do(tx, { name, secretId, isEnabled, baseUrl, credentialsSet }, { looseningId, actor, reason }) {
    const proposed = await tx
      .deleteFrom('proposed_gateway_credentials')
      .where('name', '=', name)
      .where('id', '=', secretId)
      .returning('credentials')
      .executeTakeFirst()
    if (!proposed) throw new ApprovalRefusedError('The proposed credentials are gone: refuse this, and propose them anew.')
    const before = await tx.selectFrom('gateways').select('is_enabled').where('name', '=', name).executeTakeFirst()
    const row = { is_enabled: isEnabled ?? before?.is_enabled ?? true, base_url: baseUrl, credentials: proposed.credentials }
    await storeGateway(tx, name, row, { actor, reason, credentialsSet, looseningId })
  },
})

export const gatewayKind = setting.kind

export type GatewayChangeRequest = {
  readonly name: string
  readonly change: GatewayChange
  readonly reason?: string
  readonly person: Person
}

/**
 * Sets up a gateway, or changes it. Once money has moved, credentials and another address take two people; to switch it on or
 * off takes one.
 * @throws GatewayChangeError as `prepareGateway` does
 */
export function changeGateway(
  db: Db,
  keys: SecretsKeys,
  { name, change, reason, person }: GatewayChangeRequest,
): Promise<LooseningResult> {
  return inTransaction(db, async (tx) => {
    await lockWaiting(tx, setting.kind, name)
    const { before, row } = await prepareGateway(tx, keys, name, change)
    const credentialsSet = Object.keys(change.credentials ?? {})
    if (credentialsSet.length === 0 && before?.base_url === row.base_url) {
      await storeGateway(tx, name, row, { actor: person.by, reason, credentialsSet })
      return { state: 'done' }
    }
    const secretId = newId()
    const secret = { id: secretId, credentials: row.credentials }
    await tx
      .insertInto('proposed_gateway_credentials')
      .values({ name, ...secret })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(secret))
      .execute()
    const request = {
      name,
      ...(change.isEnabled !== undefined && { isEnabled: change.isEnabled }),
      baseUrl: row.base_url,
      credentialsSet,
      secretId,
    }
    return setting.ask(tx, { request, reason: reason ?? '', person })
  })
}
