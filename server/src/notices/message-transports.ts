import type { BackOff } from '../platform/back-off.ts'
import type { CourtesyChannel } from './queue-notices.ts'
import { type Mail, type MailOutcome, type MailServer, sendMail } from './send-mail.ts'

export type CourtesySms = {
  /** `0XXXXXXXXX` or `233XXXXXXXXX`. */
  readonly to: string
  readonly text: string
}

/**
 * `not_sent`: it is certain that no link and no supplier accepted the message. `isFinal`: a second try would fail too. `unknown`:
 * the message may have been accepted. `reason` contains neither the number nor the text.
 */
export type CourtesySmsOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'not_sent'; readonly isFinal: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/**
 * Sends courtesy messages by SMS, once, without a retry inside, and never throws for an error of a link or a supplier.
 * While no process has such a port, these messages stay queued.
 */
export type CourtesySmsPort = { sendSms(sms: CourtesySms): Promise<CourtesySmsOutcome> }

/** A process's means to send messages to people. */
export type MessageTransports = {
  /** The mail server. Undefined: none is configured, and mails stay queued. */
  readonly mailServer: MailServer | undefined
  /** Undefined: there is no SMS link, and SMS stay queued. */
  readonly sms: CourtesySmsPort | undefined
}

/**
 * Longer than the slowest send: a mail server may be silent for 20 s before each of a dozen answers (send-mail.ts). So no
 * process treats a message as lost while another process is still sending it.
 */
export const sendLeaseSeconds = 300

/** A message is given up after this many failed tries. */
export const triesMax = 8

export const sendRetrySeconds: BackOff = { first: 15, most: 15_360, factor: 4 }

/** After this time a message is not sent any more, because it would only confuse its recipient. */
export const waitHoursMax = 72

/** The channels over which this process can send. */
export function openChannels({ sms, mailServer }: MessageTransports): CourtesyChannel[] {
  return [...(sms ? ['sms' as const] : []), ...(mailServer ? ['email' as const] : [])]
}

/** Sends one message over one channel, once; an SMS has no subject. Never throws for an error of a server or a link. */
export async function sendOut(
  { sms, mailServer }: MessageTransports,
  channel: CourtesyChannel,
  mail: Mail,
): Promise<MailOutcome> {
  if (channel === 'sms' && sms) return sms.sendSms({ to: mail.to, text: mail.text })
  if (channel === 'email' && mailServer) return sendMail(mailServer, mail)
  return { outcome: 'not_sent', isFinal: false, reason: 'there is no way out for it' }
}
