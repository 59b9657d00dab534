import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { plainTextPattern } from '../../platform/http/document/patterns-in-words.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, OneOf } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { readKeyRights } from '../developer/generate-key.ts'
import { findBusinessRequest, requestBusinessApproval } from './request-business-approval.ts'

const BusinessBody = Type.Object({
  name: Type.String({ pattern: plainTextPattern, maxLength: 100, description: 'As it is registered.' }),
  registrationNumber: Type.String({
    pattern: plainTextPattern,
    maxLength: 40,
    description: 'Of the Registrar of Companies, such as BN123456789 or CS123456789.',
  }),
  purpose: Type.String({ pattern: plainTextPattern, maxLength: 500, description: 'To whom you will send, and what about.' }),
})

const BusinessApproval = Type.Object(
  {
    state: OneOf(['none', 'waiting', 'approved', 'declined'], { description: '`waiting`: the operator must decide.' }),
    name: Nullable(Type.String()),
    registrationNumber: Nullable(Type.String()),
    purpose: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why the operator declined.' })),
    askedAt: Nullable(Timestamp()),
    decidedAt: Nullable(Timestamp()),
  },
  { title: 'BusinessApproval' },
)

async function readApproval(db: Db, accountId: string) {
  const [{ isBusiness }, request] = await Promise.all([readKeyRights(db, accountId), findBusinessRequest(db, accountId)])
  // When the approval is withdrawn, the request keeps its state, and the account may ask again.
  const asked = request?.state === 'approved' && !isBusiness ? undefined : request
  return {
    state: isBusiness ? ('approved' as const) : (asked?.state ?? ('none' as const)),
    name: asked?.name ?? null,
    registrationNumber: asked?.registrationNumber ?? null,
    purpose: asked?.purpose ?? null,
    reason: asked?.reason ?? null,
    askedAt: asked?.askedAt ?? null,
    decidedAt: asked?.decidedAt ?? null,
  }
}

export function registerBusinessMemberRoutes(app: Api, { db }: { readonly db: Db }): void {
  app.get(
    '/business',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readBusiness',
        tags: ['Account'],
        summary: 'Whether the account is approved as a business, and its last request',
        response: { 200: Envelope(BusinessApproval) },
      },
    },
    async ({ membership }) => ok(await readApproval(db, membership.accountId)),
  )
  app.post(
    '/business',
    {
      config: { permission: 'manage_account', refusals: [409] },
      schema: {
        operationId: 'requestBusiness',
        tags: ['Account'],
        summary: 'Ask the operator to approve the account as a business',
        body: BusinessBody,
        response: { 200: Envelope(BusinessApproval) },
      },
    },
    async ({ membership: { accountId }, person, body: { name, registrationNumber, purpose } }) => {
      const actor = `person:${person.email}`
      await inTransaction(db, (tx) => requestBusinessApproval(tx, { accountId, name, registrationNumber, purpose, actor }))
      return ok(await readApproval(db, accountId))
    },
  )
}
