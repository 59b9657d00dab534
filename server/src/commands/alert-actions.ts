import process from 'node:process'
import { type Config, readConfig } from '../config.ts'
import type { Alert } from '../notices/alert.ts'
import { alertEmail, alertWebhookUrl } from '../notices/alerts.settings.ts'
import { clearAlarm } from '../notices/clear-alarm.ts'
import { type AlertChannels, listAlertChannels, sendAlerts } from '../notices/send-alerts.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { readSetting } from '../platform/settings/settings.ts'
import { CommandError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

/** `makola alert list`. */
export async function runAlertList(): Promise<void> {
  const rows = await withDatabase(readConfig(), (db) =>
    db.selectFrom('alarms').selectAll().where('cleared_at', 'is', null).orderBy('raised_at').execute(),
  )
  const alarms = rows.map(({ name, subject, message, raised_at: raisedAt, last_seen_at: seenAt }) => ({
    name,
    subject,
    message,
    raised_at: raisedAt.toISOString(),
    last_seen_at: seenAt.toISOString(),
  }))
  const lines = alarms.map((alarm) => `${alarm.raised_at}  ${alarm.name} ${alarm.subject}\n    ${alarm.message}`)
  printResult({ alarms }, lines.join('\n') || 'No alarm stands.')
}

/** `makola alert clear`. An alarm whose cause is still there is raised again. */
export async function runAlertClear(name: string, subject: string): Promise<void> {
  const isCleared = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const open = await tx
        .selectFrom('alarms')
        .select('id')
        .where('name', '=', name)
        .where('subject', '=', subject)
        .where('cleared_at', 'is', null)
        .executeTakeFirst()
      if (!open) return false
      await clearAlarm(tx, name, subject)
      await appendOperatorLog(tx, { actor: operatorName(), action: 'alert clear', subject: `${name} ${subject}`, details: {} })
      return true
    }),
  )
  if (!isCleared) throw new CommandError(`No alarm ${name} ${subject} stands. \`makola alert list\` shows those that do.`)
  printResult({ name, subject, cleared: true }, `Cleared: ${name} ${subject}.`)
}

async function readChannels(config: Config, db: Db): Promise<AlertChannels> {
  const { smtpUrl, publicUrl } = config
  return { email: await readSetting(db, alertEmail), webhookUrl: await readSetting(db, alertWebhookUrl), smtpUrl, publicUrl }
}

/** `makola alert test`. Exit code 1 when nothing is set up, or when one channel fails. */
export async function runAlertTest(): Promise<void> {
  const config = readConfig()
  const channels = await withDatabase(config, (db) => readChannels(config, db))
  const names = listAlertChannels(channels)
  if (names.length === 0) {
    throw new CommandError(
      'No channel is set up. Set `alert_email` (with SMTP_URL) or `alert_webhook_url` with `makola setting set`.',
    )
  }
  const alert: Alert = {
    id: newId(),
    change: 'raised',
    name: 'test',
    subject: 'alerts',
    message: `This is a test by ${operatorName()}. Nothing is wrong.`,
    raisedAt: new Date(),
    clearedAt: null,
  }
  const outcomes = await Promise.all(
    names.map(async (name) => [name, (await sendAlerts(channels, name, [alert])) ?? 'sent'] as const),
  )
  const hasFailed = outcomes.some(([, outcome]) => outcome !== 'sent')
  printResult(
    { ok: !hasFailed, channels: Object.fromEntries(outcomes) },
    outcomes.map(([name, outcome]) => `${name}: ${outcome === 'sent' ? 'sent' : `FAILED, ${outcome}`}`).join('\n'),
  )
  if (hasFailed) process.exitCode = 1
}
