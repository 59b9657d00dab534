import { type RawBuilder, sql } from 'kysely'
import type { RecipientHash } from '../../../orders/forgetting/forget-orders.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import {
  type Forgetting,
  firstIdOfAge,
  idAfter,
  ofDays,
  ofMonths,
  rowsPerStep,
} from '../../../platform/forgetting/forget-old-data.ts'
import { numberMonths } from '../../../platform/platform.settings.ts'
import { readSetting } from '../../../platform/settings/settings.ts'
import { smsTextDays } from '../sms.settings.ts'

type Message = { readonly campaign_id: string; readonly n: number; readonly recipient: string }

/**
 * Forgets the recipients of these messages. The database leaves out messages of open campaigns and messages that are not
 * old enough.
 * @param erasure the erasure that two people agreed to, which may forget messages of any age
 */
export async function forgetMessages(
  tx: Tx,
  { hashRecipient }: Pick<RecipientHash, 'hashRecipient'>,
  messages: readonly Message[],
  erasure: string | null = null,
): Promise<number> {
  if (messages.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select forget_messages(array_agg(campaign_id), array_agg(n), array_agg(decode(hash, 'hex')), ${erasure}) as count
    from ${rowsOf(messages, {
      campaign_id: ['uuid', (message) => message.campaign_id],
      n: ['integer', ({ n }) => n],
      hash: ['text', ({ recipient }) => hashRecipient(recipient).toString('hex')],
    }).as('wanted')}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Forgets the recipients of messages, `number_months` after their campaign was placed. */
export function forgettingOfMessages(hash: RecipientHash): Forgetting {
  return {
    name: 'numbers of SMS',
    async step(tx, after) {
      const [campaignId = '', n = '0'] = after.split(' ')
      const before = await firstIdOfAge(tx, ofMonths(await readSetting(tx, numberMonths)))
      const { rows } = await sql<Message>`
        select campaign_id, n, recipient from sms_messages
        where (campaign_id, n) > (${idAfter(campaignId)}, ${Number(n)}::integer) and campaign_id < ${before}::uuid
        order by campaign_id, n limit ${rowsPerStep}`.execute(tx)
      const last = rows.at(-1)
      return {
        count: await forgetMessages(tx, hash, rows),
        through: last && `${last.campaign_id} ${last.n}`,
        isMore: rows.length === rowsPerStep,
      }
    },
  }
}

/** Few campaigns, because each may have 10,000 numbers in its row. */
const campaignsPerStep = 20

const masked = (numbers: RawBuilder<unknown>) =>
  sql`array(select masked_number(number) from unnest(${numbers}) with ordinality as each (number, place) order by place)`

/** Forgets the numbers and names in the rows of campaigns, at the same age as those of their messages. */
export const forgettingOfCampaigns: Forgetting = {
  name: 'numbers of campaigns',
  async step(tx, after) {
    const before = await firstIdOfAge(tx, ofMonths(await readSetting(tx, numberMonths)))
    const { rows } = await sql<{ id: string }>`
      update sms_campaigns set recipients = ${masked(sql`recipients`)}, left_out = ${masked(sql`left_out`)},
        names = case when settled_at is null then names end
      where id in (
        select id from sms_campaigns where id > ${idAfter(after)} and id < ${before}::uuid order by id limit ${campaignsPerStep})
      returning id`.execute(tx)
    const through = rows
      .map(({ id }) => id)
      .toSorted()
      .at(-1)
    return { count: rows.length, through, isMore: rows.length === campaignsPerStep }
  },
}

/** Forgets the texts of campaigns and the names in them, `sms_text_days` after they ended. */
export const forgettingOfTexts: Forgetting = {
  name: 'texts of SMS',
  async step(tx) {
    const kept = ofDays(await readSetting(tx, smsTextDays))
    const { rows } = await sql<{ id: string }>`
      update sms_campaigns set message = '', names = null where id in (
        select id from sms_campaigns
        where message <> '' and status in ('completed', 'failed', 'blocked')
          and coalesce(settled_at, created_at) < clock_timestamp() - ${kept}
        limit ${rowsPerStep} for update skip locked)
      returning id`.execute(tx)
    return { count: rows.length, isMore: rows.length === rowsPerStep }
  },
}
