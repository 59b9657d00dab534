import process from 'node:process'
import { readConfig } from '../config.ts'
import { testAlerts } from '../notices/at-desk/test-alerts.ts'
import { CommandError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

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
