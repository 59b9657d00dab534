import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { acceptDeveloperPolicy, findPolicyAcceptance } from './accept-developer-policy.ts'
import { Policy, PolicyAcceptanceBody } from './developer.schemas.ts'
import { readDeveloperPolicy } from './read-developer-policy.ts'

async function readPolicy(db: Db, accountId: string) {
  const acceptance = await findPolicyAcceptance(db, accountId)
  return {
    ...readDeveloperPolicy(),
    acceptedVersion: acceptance?.version ?? null,
    acceptedAt: acceptance?.acceptedAt ?? null,
  }
}

export function registerPolicyMemberRoutes(app: Api, { db }: { readonly db: Db }): void {
  app.get(
    '/policy',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readPolicy',
        tags: ['Developer API'],
        summary: 'The developer policy in force, and what the account accepted',
        response: { 200: Envelope(Policy) },
      },
    },
    async ({ membership }) => ok(await readPolicy(db, membership.accountId)),
  )
  app.post(
    '/policy/acceptance',
    {
      config: { permission: 'manage_keys', refusals: [409] },
      schema: {
        operationId: 'acceptPolicy',
        tags: ['Developer API'],
        summary: 'Accept the developer policy in the name of the account',
        body: PolicyAcceptanceBody,
        response: { 200: Envelope(Policy) },
      },
    },
    async ({ membership: { accountId }, person, body: { version }, ip }) => {
      await inTransaction(db, (tx) => acceptDeveloperPolicy(tx, { accountId, personId: person.personId, address: ip, version }))
      return ok(await readPolicy(db, accountId))
    },
  )
}
