import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { type ListedNotice, listResellerNotices } from '../notices/list-reseller-notices.ts'
import { printResult } from './frame/print-result.ts'
import { readCount, readCursor, readPeriod } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type NoticesListOptions = { account?: string; from?: string; to?: string; limit: string; after?: string }

const limitMax = 1_000

function viewNotice(notice: ListedNotice) {
  const { created_at: createdAt, ended_at: endedAt, body: text, ...rest } = notice
  return { ...rest, text, created_at: createdAt.toISOString(), ended_at: endedAt?.toISOString() ?? null }
}

function describeNotice({ created_at, channel, state, sent_to, account_id, subject, reason }: ListedNotice): string {
  const to = sent_to ?? account_id
  const why = reason === null ? '' : ` (${reason})`
  return `${created_at.toISOString()}  ${channel.padEnd(5)}  ${state}${why}  ${to}  ${subject}`.replaceAll(/\p{Cc}/gu, '\ufffd')
}

export async function runNoticesList(options: NoticesListOptions): Promise<void> {
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const { account } = options
  const after = options.after === undefined ? undefined : readCursor(options.after)
  const period = readPeriod(options)
  const rows = await withDatabase(readConfig(), async (db) =>
    listResellerNotices(db, {
      ...period,
      ...(account !== undefined && { accountId: (await readAccount(db, account)).accountId }),
      ...(after !== undefined && { after }),
      // One more than is shown, to know whether there is a next page.
      limit: limit + 1,
    }),
  )
  const shown = rows.slice(0, limit)
  const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : null
  const more = next === null ? [] : [`There is more: --after ${next}`]
  printResult(
    { notices: shown.map(viewNotice), next },
    [...shown.map(describeNotice), ...more].join('\n') || 'Nobody was told anything.',
  )
}
