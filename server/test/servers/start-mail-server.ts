import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server on this machine that takes everything and delivers nothing. */
export type MailServer = {
  /** For `SMTP_URL`. */
  readonly url: string
  /** Every mail that was taken, as it came, in order. */
  readonly mails: string[]
  readonly close: () => Promise<void>
}

/** Starts one, without encryption and without a login. */
export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let mail = ''
      stream.on('data', (part: Buffer) => {
        mail += part.toString()
      })
      stream.on('end', () => {
        mails.push(mail)
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
