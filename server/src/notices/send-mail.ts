import { createTransport, type NodemailerError, type SMTPTransportOptions } from 'nodemailer'

/** The mail server of this installation. The sender's address has the host of the public URL. Undefined: none is configured. */
export function mailServerOf(config: {
  readonly smtpUrl: string | undefined
  readonly publicUrl: string
}): MailServer | undefined {
  if (config.smtpUrl === undefined) return undefined
  return { smtpUrl: config.smtpUrl, from: `Makola <makola@${new URL(config.publicUrl).hostname}>` }
}

/** A message in plain text to one address. */
export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly file?: { readonly name: string; readonly text: string }
  /**
   * The Message-ID, for a mail that may be sent again: with the same id, mail programs can show it once. Left out: each
   * sending has a new one.
   */
  readonly token?: string
}

/**
 * `not_sent`: the mail server did not accept it; `isFinal` when a new try would have the same result. `unknown`: the
 * connection was lost after the text began to leave, so the server may have accepted it. `reason` holds neither the address
 * nor the text.
 */
export type MailOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'not_sent'; readonly isFinal: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

export type MailServer = {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string
  /** The sender, such as `Makola <no-reply@example.com>`. */
  readonly from: string
}

/** The longest wait for a mail server that does not answer. */
const connectMilliseconds = 10_000
const silenceMilliseconds = 20_000

const isLocal = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'

/** To another machine, the password and the text are sent only encrypted. On this machine, encryption is not needed. */
function transportOptions(smtpUrl: string): SMTPTransportOptions {
  const { protocol, hostname } = new URL(smtpUrl)
  return {
    url: smtpUrl,
    ...(protocol === 'smtp:' && (isLocal(hostname) ? { ignoreTLS: true } : { requireTLS: true })),
    connectionTimeout: connectMilliseconds,
    greetingTimeout: connectMilliseconds,
    dnsTimeout: connectMilliseconds,
    socketTimeout: silenceMilliseconds,
  }
}

const hostOf = (from: string) => /@([^\s>]+)/.exec(from)?.[1] ?? 'makola.invalid'

/** Sends one mail over SMTP (RFC 5321), once: no retry inside. Never throws for an error of a mail server. */
export async function sendMail(server: MailServer, mail: Mail): Promise<MailOutcome> {
  let isTextOut = false
  const note = (_: unknown, line: unknown) => {
    // If the connection is lost after this command, the server may have accepted the message.
    if (line === 'DATA') isTextOut = true
  }
  const silent = () => undefined
  const logger = { level: silent, trace: silent, debug: note, info: silent, warn: silent, error: silent, fatal: silent }
  const transport = createTransport({ ...transportOptions(server.smtpUrl), logger, transactionLog: true })
  try {
    await transport.sendMail({
      from: server.from,
      // The address is passed as an object, so that the library takes it as one address whatever characters it holds.
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      ...(mail.file && { attachments: [{ filename: mail.file.name, content: mail.file.text }] }),
      ...(mail.token !== undefined && { messageId: `<${mail.token}@${hostOf(server.from)}>` }),
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { outcome: 'sent' }
  } catch (error) {
    return outcomeOf(error as NodemailerError, isTextOut)
  } finally {
    transport.close()
  }
}

function outcomeOf(error: NodemailerError, isTextOut: boolean): MailOutcome {
  const { responseCode, permanent = false } = error
  const isRefused = typeof responseCode === 'number' && responseCode >= 400
  const reason = isRefused
    ? `the mail server refused it with ${responseCode}`
    : `the mail server could not be reached (${error.code ?? error.name})`
  if (isRefused) {
    // A refused login is a mistake in our configuration and proves nothing about this mail.
    return { outcome: 'not_sent', isFinal: permanent && error.code !== 'EAUTH', reason }
  }
  if (isTextOut) return { outcome: 'unknown', reason: 'the mail server did not say whether it took it' }
  return { outcome: 'not_sent', isFinal: false, reason }
}
