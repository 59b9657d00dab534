import { sql } from 'kysely'
import type { Alert } from '../notices/alert.ts'
import { type AlertChannel, type AlertChannels, listAlertChannels, sendAlerts } from '../notices/send-alerts.ts'
import { formatHead, readPresentHeads } from '../platform/chains/recorded-heads.ts'
import type { Db } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'

async function listDue(db: Db, channels: readonly AlertChannel[]): Promise<AlertChannel[]> {
  const { rows } = await sql<{ channel: AlertChannel }>`
    select channel from unnest(${channels}::text[]) as channel
    where not exists (select from chain_heads_sent as sent where sent.channel = channel.channel
      and sent.sent_at >= date_trunc('day', clock_timestamp(), 'Africa/Accra'))`.execute(db)
  return rows.map(({ channel }) => channel)
}

/**
 * Sends the heads of the chains over every alert channel, once a day in Accra, so that they are known where an administrator of
 * the database cannot change them. A failed channel is tried again at the next call.
 */
export async function sendChainHeads(db: Db, channels: AlertChannels): Promise<void> {
  const due = await listDue(db, listAlertChannels(channels))
  if (due.length === 0) return
  const heads = await readPresentHeads(db)
  if (heads.length === 0) return
  const now = new Date()
  const note: Alert = {
    id: newId(),
    change: 'note',
    name: 'chain_heads',
    subject: now.toISOString().slice(0, 10),
    message: `Keep this message: \`makola audit --chain --noted …\` proves with it that history was not changed.\n${heads.map(formatHead).join('\n')}`,
    raisedAt: now,
    clearedAt: null,
  }
  await Promise.all(
    due.map(async (channel) => {
      if ((await sendAlerts(channels, channel, [note])) !== undefined) return
      await sql`insert into chain_heads_sent (channel, sent_at) values (${channel}, clock_timestamp())
        on conflict (channel) do update set sent_at = excluded.sent_at`.execute(db)
    }),
  )
}
