import { type Dispatcher, request } from 'undici'
import { type Alert, alertText, alertTitle } from './alert.ts'
import { mailServerOf, sendMail } from './send-mail.ts'

/** The channels for alerts. An empty or undefined one is not used. */
export type AlertChannels = {
  readonly email: string
  readonly webhookUrl: string
  readonly smtpUrl: string | undefined
  /** Names this installation in the messages. */
  readonly publicUrl: string
  /** For tests: trusts another certificate authority. */
  readonly dispatcher?: Dispatcher
}

export type AlertChannel = 'email' | 'webhook'

/** The reason why the message was not sent, or may not have been. Undefined: it was sent. */
type Failure = string | undefined

const answerMilliseconds = 10_000

async function mailAlerts(channels: AlertChannels, alerts: readonly Alert[]): Promise<Failure> {
  const mailServer = mailServerOf(channels)
  if (!mailServer) return 'SMTP_URL is not set'
  const mail = { to: channels.email, subject: `[Makola] ${alertTitle(alerts)}`, text: alertText(alerts, channels.publicUrl) }
  const sent = await sendMail(mailServer, mail)
  // When it is unknown whether the mail was sent, it is sent again: an alert twice is better than none.
  return sent.outcome === 'sent' ? undefined : sent.reason
}

async function postAlerts(channels: AlertChannels, alerts: readonly Alert[]): Promise<Failure> {
  const body = {
    text: `${alertTitle(alerts)}\n${alertText(alerts, channels.publicUrl)}`,
    source: channels.publicUrl,
    alerts: alerts.map(({ id, change, name, subject, message, raisedAt, clearedAt }) => ({
      id,
      change,
      name,
      subject,
      message,
      raised_at: raisedAt.toISOString(),
      cleared_at: clearedAt?.toISOString() ?? null,
    })),
  }
  try {
    // Redirects are not followed: alerts go only to the address that the operator set.
    const response = await request(channels.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'makola' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMilliseconds),
      ...(channels.dispatcher && { dispatcher: channels.dispatcher }),
    })
    await response.body.dump()
    return response.statusCode >= 200 && response.statusCode < 300 ? undefined : `it answered ${response.statusCode}`
  } catch (error) {
    // The address may hold a secret, so the message names only the kind of failure.
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return `it could not be reached${code === '' ? '' : ` (${code})`}`
  }
}

export function listAlertChannels(channels: AlertChannels): AlertChannel[] {
  return [...(channels.email === '' ? [] : ['email' as const]), ...(channels.webhookUrl === '' ? [] : ['webhook' as const])]
}

/** Sends alerts over one channel, in one message. @returns undefined when it was accepted, else the reason */
export function sendAlerts(channels: AlertChannels, channel: AlertChannel, alerts: readonly Alert[]): Promise<Failure> {
  return channel === 'email' ? mailAlerts(channels, alerts) : postAlerts(channels, alerts)
}
