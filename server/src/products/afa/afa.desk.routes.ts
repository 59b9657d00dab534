import type { Static } from 'typebox'
import { ghs, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { oneAtATime } from '../../platform/http/one-at-a-time.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import {
  AfaClaimed,
  AfaEnded,
  AfaIdentityView,
  AfaQueue,
  type AfaQueueEntry,
  AfaQueueQuery,
  ClaimAfaBody,
  CompleteAfaBody,
  ExportAfaBody,
  ReasonAfaBody,
} from './afa.desk.schemas.ts'
import type { AfaStatus } from './afa.schemas.ts'
import { afaRefundOnCancel } from './afa.settings.ts'
import { countRegistrations } from './count-registrations.ts'
import { exportRegistrations } from './export-registrations.ts'
import { type AfaApplication, listRegistrations, maskIdentity, type RegistrationQuery } from './list-registrations.ts'
import { logSight } from './log-sight.ts'
import type { AfaIdentity } from './seal-identity.ts'
import {
  cancelRegistration,
  claimNextRegistrations,
  claimRegistrations,
  completeRegistration,
  findAccountOf,
  RegistrationStateError,
  takeOverRegistration,
} from './work-registrations.ts'

type AfaDeskDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

const tags = ['AFA']
const everyStatus: readonly AfaStatus[] = ['pending', 'processing', 'completed', 'cancelled']

/** Translates a request for the list into a query. A list with ended registrations begins with the newest. */
function queryOf({ state, reference, after, limit }: Static<typeof AfaQueueQuery>, me: string): RegistrationQuery {
  const page = { limit, ...(after !== undefined && { after }), ...(reference !== undefined && { reference }) }
  const choices: Readonly<Record<typeof state, Omit<RegistrationQuery, 'limit'>>> = {
    open: { statuses: ['pending', 'processing'] },
    waiting: { statuses: ['pending'] },
    mine: { statuses: ['processing'], claimedBy: me },
    others: { statuses: ['processing'], claimedByOthersThan: me },
    completed: { statuses: ['completed'], isNewestFirst: true },
    cancelled: { statuses: ['cancelled'], isNewestFirst: true },
    all: { statuses: everyStatus, isNewestFirst: true },
  }
  return { ...page, ...choices[state] }
}

const viewIdentity = ({ notes, ...identity }: AfaIdentity): Static<typeof AfaIdentityView> => ({
  ...identity,
  notes: notes ?? null,
})

/** @param isShown whether the person works on registrations: nobody else sees the applicants' data */
function viewEntry(registration: AfaApplication, me: string, isShown: boolean): Static<typeof AfaQueueEntry> {
  const identity = isShown ? registration.identity : undefined
  return {
    order_id: registration.orderId,
    reference: registration.reference,
    account_id: registration.accountId,
    account_name: registration.accountName,
    status: registration.status,
    fee: ghs(pesewas(registration.feePesewas)),
    created_at: registration.createdAt.toISOString(),
    moved_at: registration.movedAt.toISOString(),
    claimed_by: registration.claimedBy,
    is_mine: registration.claimedBy === me,
    identity: identity ? viewIdentity(maskIdentity(identity)) : null,
    is_unreadable: registration.isUnreadable,
  }
}

function registerQueueRoute(desk: Api, { db, secretsKeys }: AfaDeskDeps): void {
  desk.get(
    '/afa',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListAfa',
        tags,
        summary: 'AFA registrations: open ones that wait longest first, ended ones newest first',
        querystring: AfaQueueQuery,
        response: { 200: Envelope(AfaQueue) },
      },
    },
    async ({ query, staff: { actor, permissions } }) => {
      const isShown = permissions.includes('settle_orders')
      const [found, counts, isFeeRefunded] = await Promise.all([
        listRegistrations(db, secretsKeys, queryOf(query, actor)),
        countRegistrations(db, actor),
        readSetting(db, afaRefundOnCancel),
      ])
      return ok({
        orders: found.map((registration) => viewEntry(registration, actor, isShown)),
        next: found.length < query.limit ? null : (found.at(-1)?.orderId ?? null),
        counts: {
          waiting: counts.waiting,
          oldest_waiting: counts.oldestWaiting?.toISOString() ?? null,
          mine: counts.mine,
          others: counts.others,
          oldest_claimed: counts.oldestClaimed?.toISOString() ?? null,
        },
        is_fee_refunded: isFeeRefunded,
      })
    },
  )
}

function registerClaimRoutes(desk: Api, { db }: AfaDeskDeps): void {
  desk.post(
    '/afa/claim',
    {
      config: { permission: 'settle_orders', refusals: [400, 409] },
      schema: {
        operationId: 'deskClaimAfa',
        tags,
        summary: 'Claim registrations to work on: named ones, all or none, or those that wait longest',
        body: ClaimAfaBody,
        response: { 200: Envelope(AfaClaimed) },
      },
    },
    async ({ body: { references, next }, staff: { actor } }) => {
      if ((references === undefined) === (next === undefined)) {
        throw new RefusalError(refusals.invalidRequest('Exactly one of references and next says which are meant.'))
      }
      if (references) await claimRegistrations(db, references, actor)
      return ok({ references: references ?? (await claimNextRegistrations(db, next ?? 1, actor)) })
    },
  )
  desk.post(
    '/afa/take-over',
    {
      config: { permission: 'settle_orders', refusals: [400, 409] },
      schema: {
        operationId: 'deskTakeOverAfa',
        tags,
        summary: 'Take a registration over from whoever works on it',
        body: ReasonAfaBody,
        response: { 200: Envelope(AfaEnded) },
      },
    },
    async ({ body: { reference, reason }, staff: { actor } }) => {
      await takeOverRegistration(db, { reference, reason: reason.trim(), by: actor })
      return ok({ reference, status: 'processing' as const, refund: 0 })
    },
  )
}

function registerEndRoutes(desk: Api, { db }: AfaDeskDeps): void {
  desk.post(
    '/afa/complete',
    {
      config: { permission: 'settle_orders', refusals: [400, 409] },
      schema: {
        operationId: 'deskCompleteAfa',
        tags,
        summary: 'Note that the person is registered, with the receipt',
        body: CompleteAfaBody,
        response: { 200: Envelope(AfaEnded) },
      },
    },
    async ({ body: { reference, receipt }, staff: { actor, mustNotOwn } }) => {
      mustNotOwn(await findAccountOf(db, reference))
      await completeRegistration(db, { reference, reason: receipt.trim(), by: actor, isLeftToClaimer: true })
      return ok({ reference, status: 'completed' as const, refund: 0 })
    },
  )
  desk.post(
    '/afa/cancel',
    {
      config: { permission: 'settle_orders', isConfirmationNeeded: true, refusals: [400, 409] },
      schema: {
        operationId: 'deskCancelAfa',
        tags,
        summary: 'Cancel a registration; its fee goes back unless `afa_refund_on_cancel` is off',
        body: ReasonAfaBody,
        response: { 200: Envelope(AfaEnded) },
      },
    },
    async ({ body: { reference, reason }, staff: { actor, mustNotOwn } }) => {
      mustNotOwn(await findAccountOf(db, reference))
      const refund = await cancelRegistration(db, { reference, reason: reason.trim(), by: actor, isLeftToClaimer: true })
      return ok({ reference, status: 'cancelled' as const, refund: ghs(pesewas(refund)) })
    },
  )
}

function registerSightRoutes(desk: Api, { db, secretsKeys }: AfaDeskDeps): void {
  desk.post(
    '/afa/reveal',
    {
      config: { permission: 'settle_orders', isConfirmationNeeded: true, refusals: [400, 409] },
      schema: {
        operationId: 'deskRevealAfa',
        tags,
        summary: 'See a person’s data in the clear; who saw it and why is logged',
        body: ReasonAfaBody,
        response: { 200: Envelope(AfaIdentityView) },
      },
    },
    async ({ body: { reference, reason }, staff: { actor } }, reply) => {
      const [found] = await listRegistrations(db, secretsKeys, { statuses: everyStatus, reference, limit: 1 })
      if (!found) throw new RegistrationStateError(`There is no AFA registration ${JSON.stringify(reference)}.`)
      const { identity, isUnreadable } = found
      if (!identity) {
        const why = isUnreadable
          ? 'cannot be read: it was altered, or its key is not given'
          : 'was deleted, as it is some time after the end'
        throw new RegistrationStateError(`The identity data of ${reference} ${why}.`)
      }
      await logSight(db, { actor, action: 'afa reveal', reason: reason.trim() }, [found])
      reply.header('cache-control', 'no-store')
      return ok(viewIdentity(identity))
    },
  )
}

function registerExport(desk: Api, { db, secretsKeys }: AfaDeskDeps): void {
  desk.post(
    '/afa/export',
    {
      config: {
        longWork: 'The data of every registration is decrypted.',
        permission: 'settle_orders',
        isConfirmationNeeded: true,
        refusals: [400, 409],
      },
      schema: {
        operationId: 'deskExportAfa',
        tags,
        summary: 'The registrations that the person works on, with the data in the clear, as CSV',
        body: ExportAfaBody,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ body, staff: { actor } }, reply) => {
      const query: RegistrationQuery = { statuses: ['processing'], claimedBy: actor, limit: Number.MAX_SAFE_INTEGER }
      // Every registration is decrypted: a large export keeps the process busy for seconds.
      const text = await oneAtATime(db, 'afa export', async () => {
        const found = await listRegistrations(db, secretsKeys, query)
        if (found.length === 0) throw new RegistrationStateError('You work on no registration. Claim some first.')
        await logSight(db, { actor, action: 'afa export', reason: body.reason.trim() }, found)
        return exportRegistrations(found)
      })
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="afa-registrations.csv"')
        .type('text/csv; charset=utf-8')
        .send(text as never)
    },
  )
}

export function registerAfaDeskRoutes(desk: Api, deps: AfaDeskDeps): void {
  registerQueueRoute(desk, deps)
  registerClaimRoutes(desk, deps)
  registerEndRoutes(desk, deps)
  registerSightRoutes(desk, deps)
  registerExport(desk, deps)
}
