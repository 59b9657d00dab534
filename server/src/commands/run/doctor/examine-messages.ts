import type { Config } from '../../../config.ts'
import { alertEmail, alertWebhookUrl } from '../../../notices/notices.settings.ts'
import { readWebhookStates } from '../../../notices/webhooks/measure-webhooks.ts'
import type { Db } from '../../../platform/database/database.ts'
import { readSetting } from '../../../platform/settings/settings.ts'
import type { Finding } from './finding.ts'

/**
 * Checks whether alarms reach anybody. On a live installation it is a problem when they do not, because unseen alarms cost
 * money.
 */
function examineAlerts(config: Config, email: string, webhookUrl: string): Finding {
  const topic = 'alerts'
  const level = config.suppliers === 'live' ? 'problem' : 'warning'
  const mailed = email !== '' && config.smtpUrl !== undefined
  const channels = [...(mailed ? [`mailed to ${email}`] : []), ...(webhookUrl === '' ? [] : ['posted to alert_webhook_url'])]
  if (channels.length > 0) {
    return { level: 'ok', topic, message: `Alarms are ${channels.join(' and ')}. \`makola alert test\` tries it.` }
  }
  const message =
    email === ''
      ? 'Nobody gets alarms: set alert_email or alert_webhook_url with `makola setting set`, then try `makola alert test`.'
      : `Nobody gets alarms: alert_email is ${email}, but SMTP_URL, through which it would be mailed, is not set.`
  return { level, topic, message }
}

const overdueSecondsMax = 300

/** Checks whether webhooks of resellers are sent, and counts the endpoints that answer, fail or are paused. */
export async function examineWebhooks(db: Db): Promise<Finding[]> {
  const topic = 'webhooks'
  const states = await readWebhookStates(db)
  const overdue = Math.max(0, ...states.map(({ overdueSeconds }) => overdueSeconds))
  const count = (state: string) => states.find((each) => each.state === state)?.endpoints ?? 0
  if (overdue > overdueSecondsMax) {
    const message = `Webhooks of resellers wait for ${Math.round(overdue / 60)} minutes, although they may be sent: is \`makola worker\` running?`
    return [{ level: 'problem', topic, message }]
  }
  if (states.length === 0) return []
  const message = `Endpoints of resellers: ${count('answering')} answer, ${count('failing')} fail, ${count('paused')} are paused.`
  return [{ level: 'ok', topic, message }]
}

/** Checks whether alarms reach the operator, and whether mail can be sent at all. */
export async function examineMessages(config: Config, db: Db): Promise<Finding[]> {
  const alerts = examineAlerts(config, await readSetting(db, alertEmail), await readSetting(db, alertWebhookUrl))
  if (config.smtpUrl !== undefined) return [alerts]
  const message = 'SMTP_URL is not set: no alarm is mailed, and no courtesy copy by e-mail is sent.'
  return [alerts, { level: 'warning', topic: 'mail', message }]
}
