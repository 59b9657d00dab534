import { sql } from 'kysely'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { firstIdOfAge, ofDays } from '../../../platform/forgetting/forget-old-data.ts'
import type { SmsReply } from '../../../suppliers/sms-ports.ts'
import { optOutName } from '../contacts/opt-outs.ts'
import { smsStopWords } from '../sms.settings.ts'
import { readNumber } from '../text/read-contact-lines.ts'
import type { SmsLinkDeps } from './sms-link-deps.ts'

/** A reply to a pool sender counts for the accounts that sent the number a text from it within this many days. */
const repliedDays = 30

const isSame = (word: string, text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase() === word.toLowerCase()

/**
 * Opts a number out when its reply is a word of the setting `sms_stop_words`. The opt-out is for the account of the sender, or,
 * for a pool sender, for every account that sent the number a text from it within `repliedDays`. Other replies are not stored.
 */
export async function optOutByReply({ db, settings }: Pick<SmsLinkDeps, 'db' | 'settings'>, reply: SmsReply): Promise<void> {
  const words = await settings.read(smsStopWords)
  const number = readNumber(reply.from)
  if (!('recipient' in number) || !words.some((word) => isSame(word, reply.text))) return
  const { recipient } = number
  const sender = reply.to.replace(/^\+/, '')
  await inTransaction(db, async (tx) => {
    const since = await firstIdOfAge(tx, ofDays(repliedDays))
    await sql`
      with account as materialized (
        select account_id as id from sms_senders where sender = ${sender} and status = 'approved' and account_id is not null
        union
        select account_id from sms_campaigns
        where sender = ${sender} and id >= ${since}::uuid and ${recipient} = any(recipients)
          and exists (select from sms_senders where sender = ${sender} and account_id is null)
      ), list as (
        insert into sms_lists (id, account_id, name) select id, id, ${optOutName} from account on conflict (id) do nothing
      )
      insert into sms_contacts (list_id, recipient, name) select id, ${recipient}, ${reply.text.trim().slice(0, 60)} from account
      on conflict (list_id, recipient) do nothing`.execute(tx)
  })
}
