import { numberKey } from '../../money/by-people/receipt-number.ts'
import { readPicture } from '../../money/top-ups/keep-picture.ts'
import { readTopUp } from '../../money/top-ups/read-top-up.ts'
import { fileHeaders, PictureFile } from '../../money/top-ups/top-up-files.member.routes.ts'
import { topUpRefusals } from '../../money/top-ups/top-ups.refusals.ts'
import { TopUpPath } from '../../money/top-ups/top-ups.schemas.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { findAccount } from '../find-account.ts'
import { readTopUpDetails, readTopUpPage } from './read-top-ups.ts'
import { ConfirmedTopUp, DeclineTopUpBody, DeskTopUpDetails, DeskTopUpPage, DeskTopUpQuery } from './top-ups.desk.schemas.ts'
import { confirmTransfer, declineTopUp } from './transfer-decisions.ts'

type TopUpDeskDeps = {
  readonly db: Db
  readonly isLive: boolean
}

const tags = ['Top-ups']
const forPeople = ['waiting', 'held'] as const

async function readDetails({ db, isLive }: TopUpDeskDeps, id: string, reader: string) {
  const details = await readTopUpDetails(db, id, { reader, isLive })
  if (!details) throw new RefusalError(topUpRefusals.notFound)
  return details
}

function registerTopUpLists(desk: Api, deps: TopUpDeskDeps): void {
  const { db } = deps
  desk.get(
    '/top-ups',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListTopUps',
        tags,
        summary: 'Money that resellers pay in by themselves, newest first',
        querystring: DeskTopUpQuery,
        response: { 200: Envelope(DeskTopUpPage) },
      },
    },
    async ({ query: { account: idOrEmail, state, is_for_people: isForPeople, transfer, after, limit } }) => {
      const account = idOrEmail === undefined ? undefined : await findAccount(db, idOrEmail)
      if (idOrEmail !== undefined && !account) return ok({ top_ups: [], next: null })
      const states = state === undefined ? (isForPeople ? forPeople : undefined) : [state]
      const transferNumber = transfer === undefined ? undefined : numberKey(transfer)
      return ok(await readTopUpPage(db, { accountId: account?.accountId, states, transferKey: transferNumber, after, limit }))
    },
  )
  desk.get(
    '/top-ups/:top_up_id',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadTopUp',
        tags,
        summary: 'One top-up, with all that is known about it',
        params: TopUpPath,
        response: { 200: Envelope(DeskTopUpDetails) },
      },
    },
    async ({ staff, params }) => ok(await readDetails(deps, params.top_up_id, staff.actor)),
  )
  desk.get(
    '/top-ups/:top_up_id/picture',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadTopUpPicture',
        tags,
        summary: 'The picture that came with a transfer',
        params: TopUpPath,
        response: { 200: PictureFile },
      },
    },
    async ({ params }, reply) => {
      const topUp = await readTopUp(db, params.top_up_id)
      const picture = topUp && (await readPicture(db, topUp.id))
      if (!picture) throw new RefusalError(topUpRefusals.noPicture)
      return reply.headers(fileHeaders).type(picture.media_type).send(picture.bytes)
    },
  )
}

function registerTopUpDecisions(desk: Api, deps: TopUpDeskDeps): void {
  const { db, isLive } = deps
  desk.post(
    '/top-ups/:top_up_id/confirm',
    {
      config: { permission: 'manage_money', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskConfirmTopUp',
        tags,
        summary: 'Say that the money of a transfer is there: the wallet is credited',
        description:
          'Above what one person may credit within 24 hours it is proposed; a second person confirms the proposal by its id.',
        params: TopUpPath,
        response: { 200: Envelope(ConfirmedTopUp) },
      },
    },
    async ({ staff, params: { top_up_id: topUpId } }) => {
      staff.mustNotOwn((await readDetails(deps, topUpId, staff.actor)).account_id)
      const outcome = await inTransaction(db, (tx) => confirmTransfer(tx, { topUpId, person: staff.person, isLive }))
      if (outcome.state === 'credited')
        return ok({ top_up_id: topUpId, outcome: 'credited' as const, approval_id: null, why: null })
      const outcomes = { done: 'credited', pending: 'proposed', same_waits: 'same_waits' } as const
      return ok({
        top_up_id: topUpId,
        outcome: outcomes[outcome.status],
        approval_id: outcome.approvalId,
        why: outcome.status === 'done' ? null : (outcome.why ?? null),
      })
    },
  )
  desk.post(
    '/top-ups/:top_up_id/decline',
    {
      config: { permission: 'manage_money', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskDeclineTopUp',
        tags,
        summary: 'End a transfer, or a top-up that is held, without money; the reseller reads why',
        params: TopUpPath,
        body: DeclineTopUpBody,
        response: { 200: Envelope(DeskTopUpDetails) },
      },
    },
    async ({ staff, params: { top_up_id: topUpId }, body: { reason } }) => {
      staff.mustNotOwn((await readDetails(deps, topUpId, staff.actor)).account_id)
      await inTransaction(db, (tx) => declineTopUp(tx, { topUpId, person: staff.person, reason }))
      return ok(await readDetails(deps, topUpId, staff.actor))
    },
  )
}

export function registerTopUpDeskRoutes(desk: Api, deps: TopUpDeskDeps): void {
  registerTopUpLists(desk, deps)
  registerTopUpDecisions(desk, deps)
}
