import process from 'node:process'
import { readConfig } from '../config.ts'
import { clearAlarmByPerson } from '../notices/at-desk/clear-alarm-by-person.ts'
import { listAlarms } from '../notices/at-desk/list-alarms.ts'
import { testAlerts } from '../notices/at-desk/test-alerts.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { CommandError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

/** The most alarms in the list, more than anybody reads. */
const listedMax = 10_000

export async function runAlertList(): Promise<void> {
  const rows = await withDatabase(readConfig(), (db) => listAlarms(db, { isOpen: true, limit: listedMax }))
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

/** An alarm whose cause is still there is raised again. */
export async function runAlertClear(name: string, subject: string): Promise<void> {
  const isCleared = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => clearAlarmByPerson(tx, { name, subject, actor: operatorName() })),
  )
  if (!isCleared) throw new CommandError(`No alarm ${name} ${subject} stands. \`makola alert list\` shows those that do.`)
  printResult({ name, subject, cleared: true }, `Cleared: ${name} ${subject}.`)
}

/** Exit code 1 when no channel is set up, or when one fails. */
export async function runAlertTest(): Promise<void> {
  const config = readConfig()
  const tested = await withDatabase(config, (db) => testAlerts(db, config, operatorName()))
  if (tested.length === 0) {
    throw new CommandError(
      'No channel is set up. Set `alert_email` (with SMTP_URL) or `alert_webhook_url` with `makola setting set`.',
    )
  }
  const hasFailed = tested.some(({ failure }) => failure !== null)
  printResult(
    { ok: !hasFailed, channels: Object.fromEntries(tested.map(({ channel, failure }) => [channel, failure ?? 'sent'])) },
    tested.map(({ channel, failure }) => `${channel}: ${failure === null ? 'sent' : `FAILED, ${failure}`}`).join('\n'),
  )
  if (hasFailed) process.exitCode = 1
}
