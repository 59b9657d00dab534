import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { deliverAlerts } from '../notices/deliver-alerts.ts'
import { alertEmail, alertWebhookUrl } from '../notices/notices.settings.ts'
import type { AlertChannels } from '../notices/send-alerts.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { Settings } from '../platform/settings/settings.ts'

/** Returns a function that reads the channels which are set at the moment. */
export function openAlertChannels(
  config: Pick<Config, 'smtpUrl' | 'publicUrl'>,
  settings: Settings,
): () => Promise<AlertChannels> {
  return async () => {
    const [email, webhookUrl] = await Promise.all([settings.read(alertEmail), settings.read(alertWebhookUrl)])
    return { email, webhookUrl, smtpUrl: config.smtpUrl, publicUrl: config.publicUrl }
  }
}

/** Sends alarms within seconds. One worker at a time, so that none is sent twice. */
export function alertTimer(db: Db, readChannels: () => Promise<AlertChannels>, log: Logger): Timer {
  return {
    name: 'alerts',
    everySeconds: 5,
    isExclusive: true,
    run: async () => deliverAlerts(db, log, await readChannels()),
  }
}
