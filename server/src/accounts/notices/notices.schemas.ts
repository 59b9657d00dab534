import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { mutableNotices, type NoticeKind, noticeKinds } from '../../notices/notice-kinds.ts'
import { decimalsKeyword } from '../../platform/http/describe-schema-error.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'

export const NoticeChoices = Type.Object(
  {
    email: Type.String({ description: 'Where mails go: the account’s address.' }),
    lowBalancePesewas: Nullable(Ghs({ description: 'The balance below which it gets a notice, in GHS; null: never.' })),
    phone: Nullable(Type.String({ description: 'Where SMS go, as 0 and nine digits; null: nowhere.' })),
    isSmsAllowed: Type.Boolean({ description: 'Whether the operator sends SMS at all.' }),
    kinds: Type.Array(
      Type.Object({
        kind: OneOf(Object.keys(noticeKinds) as NoticeKind[]),
        email: Type.Boolean(),
        sms: Type.Boolean(),
        mayMuteEmail: Type.Boolean(),
      }),
    ),
  },
  { title: 'NoticeChoices' },
)

export const NoticeChoicesBody = Type.Object({
  lowBalancePesewas: Ghs({ minimum: 0, maximum: 1_000_000_000, [decimalsKeyword]: 2, description: 'In GHS; 0: never.' }),
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
          noticeId: Uuid(),
          channel: OneOf(['sms', 'email']),
          subject: Type.String(),
          text: Type.String(),
          state: OneOf(['queued', 'sending', 'sent', 'failed']),
          sentTo: Nullable(Type.String()),
          createdAt: Timestamp(),
        },
        { title: 'SentNotice' },
      ),
    ),
    next: Nullable(Uuid({ description: 'Where the next page begins; null: this is the last one.' })),
  },
  { title: 'NoticePage' },
)
