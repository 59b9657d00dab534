import { listResellerNotices } from '../../notices/list-reseller-notices.ts'
import { type NoticeKind, noticeKinds } from '../../notices/notice-kinds.ts'
import { resellerSmsNotices } from '../../notices/notices.settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { NoticeChoices, NoticeChoicesBody, NoticeListQuery, NoticePage } from './notices.schemas.ts'
import { type AccountNotices, readAccountNotices, setAccountNotices } from './set-account-notices.ts'

export type NoticeRouteDeps = {
  readonly db: Db
  /** Reads a Ghanaian phone number. Returns 0 and nine digits; undefined for any other text. */
  readonly readPhoneNumber: (text: string) => string | undefined
}

const pageNotices = 30

async function choicesOf(db: Db, email: string, { lowBalancePesewas, phone, muted }: AccountNotices) {
  return {
    email,
    lowBalancePesewas,
    phone: phone === null ? null : `0${phone.slice(3)}`,
    isSmsAllowed: await readSetting(db, resellerSmsNotices),
    kinds: (Object.keys(noticeKinds) as NoticeKind[]).map((kind) => ({
      kind,
      email: !noticeKinds[kind].mayMute || !muted.includes(`${kind}/email`),
      sms: !muted.includes(`${kind}/sms`),
      mayMuteEmail: noticeKinds[kind].mayMute,
    })),
  }
}

function registerChoices(api: Api, { db, readPhoneNumber }: NoticeRouteDeps): void {
  api.get(
    '/notices/choices',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readNoticeChoices',
        tags: ['Notices'],
        summary: 'Read which notices the account gets',
        response: { 200: Envelope(NoticeChoices) },
      },
    },
    async ({ membership: { accountId, accountEmail } }) =>
      ok(await choicesOf(db, accountEmail, await readAccountNotices(db, accountId))),
  )
  api.post(
    '/notices/choices',
    {
      config: { permission: 'manage_account' },
      schema: {
        operationId: 'setNoticeChoices',
        tags: ['Notices'],
        summary: 'Choose which notices the account gets',
        body: NoticeChoicesBody,
        response: { 200: Envelope(NoticeChoices) },
      },
    },
    async ({ membership: { accountId, accountEmail }, person, body }) => {
      const number = body.phone.trim() === '' ? null : readPhoneNumber(body.phone)
      if (number === undefined) throw new RefusalError(refusals.invalidRequest('phone must be a Ghanaian number.'))
      const chosen = await inTransaction(db, (tx) =>
        setAccountNotices(tx, {
          accountId,
          lowBalancePesewas: body.lowBalancePesewas === 0 ? null : body.lowBalancePesewas,
          phone: number === null ? null : `233${number.slice(1)}`,
          muted: [...new Set(body.muted)].toSorted(),
          actor: person.email,
        }),
      )
      return ok(await choicesOf(db, accountEmail, chosen))
    },
  )
}

export function registerNoticeMemberRoutes(api: Api, deps: NoticeRouteDeps): void {
  registerChoices(api, deps)
  api.get(
    '/notices',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listNotices',
        tags: ['Notices'],
        summary: 'List the notices to the account, newest first',
        querystring: NoticeListQuery,
        response: { 200: Envelope(NoticePage) },
      },
    },
    async ({ membership: { accountId }, query: { after } }) => {
      const limit = pageNotices + 1
      const rows = await listResellerNotices(deps.db, { accountId, limit, ...(after !== undefined && { after }) })
      const shown = rows.slice(0, pageNotices)
      return ok({
        notices: shown.map(({ id, body, sent_to, created_at, ...notice }) => ({
          ...notice,
          noticeId: id,
          text: body,
          sentTo: sent_to,
          createdAt: created_at,
        })),
        next: rows.length > pageNotices ? (shown.at(-1)?.id ?? null) : null,
      })
    },
  )
}
