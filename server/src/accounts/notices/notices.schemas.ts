import Type from 'typebox'
import { mutableNotices, type NoticeKind, noticeKinds } from '../../notices/notice-kinds.ts'
import { GhsAmount, Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'

export const NoticeChoices = Type.Object(
  {
    email: Type.String({ description: 'Where mails go: the account’s address.' }),
    low_balance: Nullable(Type.Number({ description: 'The balance below which it gets a notice, in GHS; null: never.' })),
    phone: Nullable(Type.String({ description: 'Where SMS go, as 0 and nine digits; null: nowhere.' })),
    is_sms_allowed: Type.Boolean({ description: 'Whether the operator sends SMS at all.' }),
    kinds: Type.Array(
      Type.Object({
        kind: OneOf(Object.keys(noticeKinds) as NoticeKind[]),
        email: Type.Boolean(),
        sms: Type.Boolean(),
        may_mute_email: Type.Boolean(),
      }),
    ),
  },
  { title: 'NoticeChoices' },
)

export const NoticeChoicesBody = Type.Object({
  low_balance: Type.Unsafe<number>({
    ...GhsAmount({ maximum: 1_000_000_000, description: 'In GHS; 0: never.' }),
    exclusiveMinimum: undefined,
    minimum: 0,
  }),
  phone: Type.String({ maxLength: 30, description: 'A number in any way of writing it; empty: no SMS.' }),
  muted: Type.Array(OneOf(mutableNotices), {
    maxItems: mutableNotices.length,
    description: 'The notices that are switched off.',
  }),
})

export const NoticeListQuery = Type.Object({
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
})

export const NoticePage = Type.Object(
  {
    notices: Type.Array(
      Type.Object(
        {
          notice_id: Uuid(),
          channel: OneOf(['sms', 'email']),
          subject: Type.String(),
          text: Type.String(),
          state: OneOf(['queued', 'sending', 'sent', 'failed']),
          sent_to: Nullable(Type.String()),
          created_at: Moment(),
        },
        { title: 'SentNotice' },
      ),
    ),
    next: Nullable(Uuid({ description: 'Where the next page begins; null: this is the last one.' })),
  },
  { title: 'NoticePage' },
)
