import Type, { type Static } from 'typebox'
import { type ListedNotice, listResellerNotices, type NoticeQuery } from '../../notices/list-reseller-notices.ts'
import type { Db } from '../../platform/database/database.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { AskedTimestamp, Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { readAccount } from '../find-account.ts'

const pageNotices = 50

const DeskNotice = Type.Object(
  {
    id: WithWireName('notice_id', Uuid()),
    account_id: Uuid(),
    account: Type.Object({ name: Type.String(), email: Type.String() }),
    kind: Type.String(),
    channel: OneOf(['sms', 'email']),
    subject: Type.String(),
    body: WithWireName('text', Type.String()),
    state: OneOf(['queued', 'sending', 'sent', 'failed']),
    tries: Type.Integer(),
    sent_to: Nullable(Type.String()),
    reason: Nullable(Type.String({ description: 'Why the last try failed.' })),
    created_at: Timestamp(),
    ended_at: Nullable(Timestamp()),
  },
  { title: 'DeskNotice' },
)

const { id: _id, account: _account, ...printedFields } = DeskNotice.properties
const PrintedNotice = Type.Object({ id: Uuid(), about: Type.String(), ...printedFields })

function describeNotice(notice: Static<typeof PrintedNotice>): string {
  const { created_at, channel, state, sent_to, account_id, subject, reason } = notice
  const to = sent_to ?? account_id
  const why = reason === null ? '' : ` (${reason})`
  return `${created_at.toISOString()}  ${channel.padEnd(5)}  ${state}${why}  ${to}  ${subject}`.replaceAll(/\p{Cc}/gu, '\ufffd')
}

async function withOwners(db: Db, notices: readonly ListedNotice[]) {
  const ids = notices.map(({ account_id: accountId }) => accountId)
  const owners = await db.selectFrom('accounts').select(['id', 'name', 'email']).where('id', 'in', ids).execute()
  const ownerOf = new Map(owners.map((owner) => [owner.id, owner]))
  return notices.map((notice) => ({ ...notice, account: ownerOf.get(notice.account_id) ?? { name: '', email: '' } }))
}

function listPage(db: Db, limit: number, query: Omit<NoticeQuery, 'limit'>) {
  return pageOf(
    limit,
    (rows) => listResellerNotices(db, { ...query, limit: rows }),
    ({ id }) => id,
  )
}

export const noticeOperations = [
  operation({
    command: 'notices list',
    example: 'makola notices list --from 2027-01-01 --to 2027-01-31 --limit 1000 --json',
    summary: 'List what resellers were told or are about to be told, newest first',
    input: Type.Object({
      accountId: Type.Optional(Uuid({ description: 'of one account: its id or e-mail' })),
      from: Type.Optional(Timestamp({ description: 'from this date or moment on, in ISO 8601' })),
      to: Type.Optional(Timestamp({ description: 'until this date or moment; a date alone counts whole' })),
      limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 50, description: 'how many at most, up to 1000' }),
      after: Type.Optional(Uuid({ description: 'what comes after this one: the `next` of the page before' })),
    }),
    output: Type.Object({ notices: Type.Array(PrintedNotice), next: Nullable(Uuid()) }),
    check: ({ from, to }) => (from && to && from > to ? '--from must not be after --to.' : undefined),
    async act({ db }, _actor, { limit, ...query }) {
      const { rows: notices, next } = await listPage(db, limit, query)
      return { notices, next }
    },
    text: ({ notices, next }) =>
      [...notices.map(describeNotice), ...(next === null ? [] : [`There is more: --after ${next}`])].join('\n') ||
      'Nobody was told anything.',
  }),
  operation({
    route: 'GET /notices',
    operationId: 'deskListNotices',
    tag: 'Notices',
    permission: 'see',
    refusals: [409],
    summary: 'List the notices to resellers, newest first',
    input: Type.Object({
      account: Type.Optional(Type.String({ maxLength: 254, description: 'Its e-mail or id.' })),
      from: Type.Optional(AskedTimestamp()),
      to: Type.Optional(AskedTimestamp()),
      after: Type.Optional(Uuid()),
    }),
    output: Type.Object(
      {
        notices: Type.Array(DeskNotice),
        next: Nullable(Type.String({ description: 'The `after` of the next page; null: this is the last.' })),
      },
      { title: 'DeskNoticePage' },
    ),
    async act({ db }, _actor, { account, ...query }) {
      const named = account === undefined ? {} : { accountId: (await readAccount(db, account)).accountId }
      const { rows, next } = await listPage(db, pageNotices, { ...query, ...named })
      return { notices: rows.length === 0 ? [] : await withOwners(db, rows), next }
    },
  }),
]
