import { createTransport, type NodemailerError, type SMTPTransportOptions } from 'nodemailer'

/** A plain message to one address. */
export type Mail = { readonly to: string; readonly subject: string; readonly text: string }

/**
 * What became of a mail. `not_sent`: the mail server certainly did not take it; `isFinal` when it would
 * say so again. `unknown`: the connection was lost after the text went out, so it may have been taken.
 * `reason` names neither the address nor the text.
 */
export type MailOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'not_sent'; readonly isFinal: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/** Where mails go out, and whose name they bear. */
export type MailServer = {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly smtpUrl: string
  /** The sender, such as `Makola <no-reply@example.com>`. */
  readonly from: string
}

/** A mail server that says nothing for so long is not waited for. */
const connectMilliseconds = 10_000
const silenceMilliseconds = 20_000

const isLocal = (host: string) => host === 'localhost' || host === '127.0.0.1' || host === '[::1]'

/** Outside this machine the password and the text travel encrypted, or not at all; inside it there is nobody to hide them from. */
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

/**
 * Sends one mail over SMTP (RFC 5321), once: no retry inside. Never throws for what a mail server does.
 */
export async function sendMail(server: MailServer, mail: Mail): Promise<MailOutcome> {
  let isTextOut = false
  const note = (_: unknown, line: unknown) => {
    // From this command on a lost connection leaves open whether the message was taken.
    if (line === 'DATA') isTextOut = true
  }
  const silent = () => undefined
  const logger = { level: silent, trace: silent, debug: note, info: silent, warn: silent, error: silent, fatal: silent }
  const transport = createTransport({ ...transportOptions(server.smtpUrl), logger, transactionLog: true })
  try {
    await transport.sendMail({
      from: server.from,
      // As an object it is one address, whatever characters it holds.
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
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
    // A login that is refused says nothing about this mail: it is our configuration that is to be mended.
    return { outcome: 'not_sent', isFinal: permanent && error.code !== 'EAUTH', reason }
  }
  if (isTextOut) return { outcome: 'unknown', reason: 'the mail server did not say whether it took it' }
  return { outcome: 'not_sent', isFinal: false, reason }
}
