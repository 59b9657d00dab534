import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../database/database.ts'
import { type Refusal, RefusalError, refuse } from '../refusals.ts'

type Window = { readonly hours: number; readonly perRecipient?: number; readonly perAccount?: number }
type Limit = { readonly windows: readonly Window[]; readonly message: string }

/**
 * Limits for actions of a person that reach somebody who did not ask for them. Every try counts, also one that the
 * recipient declined or ignored. `perRecipient` holds over all accounts.
 */
export const thirdPartyLimits = {
  paymentPrompt: {
    windows: [
      { hours: 1, perRecipient: 5, perAccount: 30 },
      { hours: 24, perRecipient: 15, perAccount: 200 },
    ],
    message: 'This number, or another one of yours, was asked to pay too often. Approve a request on the phone, or wait.',
  },
  mail: {
    windows: [{ hours: 1, perRecipient: 8 }],
    message: 'This e-mail address got too many mails from us within the hour. Look for the newest one, also in the spam folder.',
  },
  text: {
    windows: [
      { hours: 1, perRecipient: 3 },
      { hours: 24, perRecipient: 6, perAccount: 10 },
    ],
    message: 'This number got too many codes from us. Look for the newest text, or wait.',
  },
  invitation: {
    windows: [
      { hours: 1, perAccount: 30 },
      { hours: 24, perAccount: 100 },
    ],
    message: 'Too many people were invited to this account. Wait before you invite more.',
  },
  alertTest: {
    windows: [{ hours: 1, perRecipient: 10 }],
    message: 'Alerts were tested ten times within the hour. Wait before you test them again.',
  },
} as const satisfies Readonly<Record<string, Limit>>

export type ThirdPartyLimit = keyof typeof thirdPartyLimits

type Counted = { readonly recipient?: string; readonly account?: string }

const keyOf = (limit: ThirdPartyLimit, hours: number, who: string, text: string) =>
  // A hash, so that the table of counts holds no number and no e-mail.
  `third ${limit} ${hours} ${who} ${createHash('sha256').update(text.trim().toLowerCase()).digest('base64url')}`

const tooOften = (message: string, seconds: number): Refusal => ({
  ...refuse(429, 'third_party_limit', message),
  retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
})

/**
 * Counts an action that reaches a third person, before the action is done. If the transaction is rolled back, the count is too.
 * @returns the seconds to wait; 0: it may be done
 */
export async function countThirdPartyWait(db: Db | Tx, limit: ThirdPartyLimit, counted: Counted): Promise<number> {
  const { recipient, account } = counted
  const { windows }: Limit = thirdPartyLimits[limit]
  const counts = windows.flatMap(({ hours, perRecipient, perAccount }) => [
    ...(recipient === undefined || perRecipient === undefined
      ? []
      : [{ key: keyOf(limit, hours, 'recipient', recipient), hours, most: perRecipient }]),
    ...(account === undefined || perAccount === undefined
      ? []
      : [{ key: keyOf(limit, hours, 'account', account), hours, most: perAccount }]),
  ])
  const { rows } = await sql<{ key: string; points: number; seconds: number }>`
    with clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)
    insert into rate_limits as held (key, points, expire)
    select key, 1, now + hours * 3600000
    from clock, jsonb_to_recordset(${JSON.stringify(counts)}) as asked (key text, hours bigint)
    order by key
    on conflict (key) do update set
      points = case when held.expire <= (select now from clock) then 1 else held.points + 1 end,
      expire = case when held.expire <= (select now from clock) then excluded.expire else held.expire end
    returning key, points, (expire - (select now from clock)) / 1000.0::float8 as seconds`.execute(db)
  const most = new Map(counts.map((count) => [count.key, count.most]))
  return Math.max(0, ...rows.filter(({ key, points }) => points > (most.get(key) ?? 0)).map(({ seconds }) => seconds))
}

/** Counts one attempt to reach a stranger's phone or mailbox. @throws RefusalError 429 with the seconds to wait, after too many */
export async function countForThirdParty(db: Db | Tx, limit: ThirdPartyLimit, counted: Counted): Promise<void> {
  const seconds = await countThirdPartyWait(db, limit, counted)
  if (seconds > 0) throw new RefusalError(tooOften(thirdPartyLimits[limit].message, seconds))
}
