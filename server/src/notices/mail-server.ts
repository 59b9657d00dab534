import type { MailServer } from './send-mail.ts'

/** The mail server of this installation, with a sender of its public address; undefined when none is configured. */
export function mailServerOf(config: {
  readonly smtpUrl: string | undefined
  readonly publicUrl: string
}): MailServer | undefined {
  if (config.smtpUrl === undefined) return undefined
  return { smtpUrl: config.smtpUrl, from: `Makola <makola@${new URL(config.publicUrl).hostname}>` }
}
