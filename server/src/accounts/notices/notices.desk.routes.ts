import Type from 'typebox'
import { type ListedNotice, listResellerNotices } from '../../notices/list-reseller-notices.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { AskedMoment, Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { readAccount } from '../find-account.ts'

const pageNotices = 50

const DeskNotice = Type.Object(
  {
    notice_id: Uuid(),
    account_id: Uuid(),
    account: Type.Object({ name: Type.String(), email: Type.String() }),
    kind: Type.String(),
    channel: OneOf(['sms', 'email']),
    subject: Type.String(),
    text: Type.String(),
    state: OneOf(['queued', 'sending', 'sent', 'failed']),
    tries: Type.Integer(),
    sent_to: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why the last try failed.' })),
    created_at: Moment(),
    ended_at: Nullable(Moment()),
  },
  { title: 'DeskNotice' },
)

const DeskNoticePage = Type.Object(
  {
    notices: Type.Array(DeskNotice),
    next: Nullable(Type.String({ description: 'The `after` of the next page; null: this is the last.' })),
  },
  { title: 'DeskNoticePage' },
)

const DeskNoticeQuery = Type.Object({
  account: Type.Optional(Type.String({ maxLength: 254, description: 'Its e-mail or id.' })),
  from: Type.Optional(AskedMoment()),
  to: Type.Optional(AskedMoment()),
  after: Type.Optional(Uuid()),
})

type Owner = { readonly id: string; readonly name: string; readonly email: string }

function viewDeskNotice(notice: ListedNotice, owner: Owner | undefined) {
  return {
    notice_id: notice.id,
    account_id: notice.account_id,
    account: { name: owner?.name ?? '', email: owner?.email ?? '' },
    kind: notice.kind,
    channel: notice.channel,
    subject: notice.subject,
    text: notice.body,
    state: notice.state,
    tries: notice.tries,
    sent_to: notice.sent_to,
    reason: notice.reason,
    created_at: notice.created_at.toISOString(),
    ended_at: notice.ended_at?.toISOString() ?? null,
  }
}

async function readOwners(db: Db, notices: readonly ListedNotice[]): Promise<ReadonlyMap<string, Owner>> {
  if (notices.length === 0) return new Map()
  const ids = notices.map(({ account_id: accountId }) => accountId)
  const rows = await db.selectFrom('accounts').select(['id', 'name', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export function registerNoticeDeskRoutes(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/notices',
    {
      config: { permission: 'see', refusals: [409] },
      schema: {
        operationId: 'deskListNotices',
        tags: ['Notices'],
        summary: 'List the notices to resellers, newest first',
        querystring: DeskNoticeQuery,
        response: { 200: Envelope(DeskNoticePage) },
      },
    },
    async ({ query: { account, from, to, after } }) => {
      const accountId = account === undefined ? undefined : (await readAccount(db, account)).accountId
      const rows = await listResellerNotices(db, {
        limit: pageNotices + 1,
        ...(accountId !== undefined && { accountId }),
        ...(from !== undefined && { from: new Date(from) }),
        ...(to !== undefined && { to: new Date(to) }),
        ...(after !== undefined && { after }),
      })
      const shown = rows.slice(0, pageNotices)
      const owners = await readOwners(db, shown)
      return ok({
        notices: shown.map((notice) => viewDeskNotice(notice, owners.get(notice.account_id))),
        next: rows.length > pageNotices ? (shown.at(-1)?.id ?? null) : null,
      })
    },
  )
}
