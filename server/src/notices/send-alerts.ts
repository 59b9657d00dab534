import { type Dispatcher, request } from 'undici'
import { type Alert, alertText, alertTitle } from './alert.ts'
import { mailServerOf } from './mail-server.ts'
import { sendMail } from './send-mail.ts'

/** Where alerts go. What is empty or undefined is not used. */
export type AlertChannels = {
  readonly email: string
  readonly webhookUrl: string
  readonly smtpUrl: string | undefined
  /** Names this installation in the messages. */
  readonly publicUrl: string
  /** Trusts another authority than the usual ones, for tests. */
  readonly dispatcher?: Dispatcher
}

export type AlertChannel = 'email' | 'webhook'

/** undefined when it was sent, else why not. */
type Failure = string | undefined

const answerMilliseconds = 10_000

async function mailAlerts(channels: AlertChannels, alerts: readonly Alert[]): Promise<Failure> {
  const mailServer = mailServerOf(channels)
  if (!mailServer) return 'SMTP_URL is not set'
  const mail = { to: channels.email, subject: `[Makola] ${alertTitle(alerts)}`, text: alertText(alerts, channels.publicUrl) }
  const sent = await sendMail(mailServer, mail)
  // When nobody knows, it is sent again: an alarm told twice is better than one told never.
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
    // Redirects are not followed: what is told goes to the address that the operator wrote.
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
    // The address may hold a secret, so only the kind of failure is told.
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return `it could not be reached${code === '' ? '' : ` (${code})`}`
  }
}

/** The channels that are set up. */
export function listAlertChannels(channels: AlertChannels): AlertChannel[] {
  return [...(channels.email === '' ? [] : ['email' as const]), ...(channels.webhookUrl === '' ? [] : ['webhook' as const])]
}

/** Sends alerts over one channel, in one message. @returns undefined when it was taken, else why not */
export function sendAlerts(channels: AlertChannels, channel: AlertChannel, alerts: readonly Alert[]): Promise<Failure> {
  return channel === 'email' ? mailAlerts(channels, alerts) : postAlerts(channels, alerts)
}
