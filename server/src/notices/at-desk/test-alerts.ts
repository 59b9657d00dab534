import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import type { Alert } from '../alert.ts'
import { alertEmail, alertWebhookUrl } from '../notices.settings.ts'
import { type AlertChannel, listAlertChannels, sendAlerts } from '../send-alerts.ts'

export type TestedChannel = {
  readonly channel: AlertChannel
  /** The reason why the test was not sent. Null: it was sent. */
  readonly failure: string | null
}

/** Sends a test over every channel of alarms. @returns an empty list when no channel is set up */
export async function testAlerts(
  db: Db,
  { smtpUrl, publicUrl }: { readonly smtpUrl: string | undefined; readonly publicUrl: string },
  actor: string,
): Promise<readonly TestedChannel[]> {
  const channels = {
    email: await readSetting(db, alertEmail),
    webhookUrl: await readSetting(db, alertWebhookUrl),
    smtpUrl,
    publicUrl,
  }
  const alert: Alert = {
    id: newId(),
    change: 'raised',
    name: 'test',
    subject: 'alerts',
    message: `This is a test by ${actor}. Nothing is wrong.`,
    raisedAt: new Date(),
    clearedAt: null,
  }
  return Promise.all(
    listAlertChannels(channels).map(async (channel) => ({
      channel,
      failure: (await sendAlerts(channels, channel, [alert])) ?? null,
    })),
  )
}
