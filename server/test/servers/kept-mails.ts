import { pino } from 'pino'
import { sendPersonMails } from '../../src/people/mails/send-person-mails.ts'
import type { PeopleDeps } from '../../src/people/people-deps.ts'
import { openBrowser } from '../open-browser.ts'
import type { TestApp } from '../start-test-app.ts'

export type KeptMail = { readonly to: string; readonly subject: string; readonly text: string }

/** Does the worker's work and gives back the kept mails to an address, newest first. */
export async function keptMailsTo(app: TestApp, people: PeopleDeps, email: string): Promise<KeptMail[]> {
  await sendPersonMails({ ...people, log: pino({ level: 'silent' }), mailServer: undefined, isKeeping: true })
  const browser = await openBrowser(app)
  try {
    const { body } = await browser.ask('GET', '/app/api/mails')
    return (body.data.mails as KeptMail[]).filter(({ to }) => to === email)
  } finally {
    await browser.close()
  }
}

/** The token of the link in the newest mail to an address. */
export async function keptTokenFor(app: TestApp, people: PeopleDeps, email: string): Promise<string> {
  const [newest] = await keptMailsTo(app, people, email)
  const token = /#token=(\S+)/.exec(newest?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`the newest mail to ${email} holds no link`)
  return decodeURIComponent(token)
}
