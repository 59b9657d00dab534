import type { Logger } from 'pino'
import { expect } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openPeople } from '../../src/dashboard-routes.ts'
import { personCookies } from '../../src/people/auth/person-cookies.ts'
import { sendPersonMails } from '../../src/people/mails/send-person-mails.ts'
import type { Db } from '../../src/platform/database/database.ts'
import { loadSecretsKeys } from '../../src/platform/secrets/load-secrets-keys.ts'
import { makeTotpCode } from '../make-totp-code.ts'
import { openBrowser } from '../open-browser.ts'

const email = 'canary-person@example.test'
const password = 'canary password 55172'
const changedPassword = 'canary password 55183'

type Installation = { readonly db: Db; readonly dataDir: string; readonly log: Logger; readonly url: string }

/**
 * Does everything that touches the secrets of a person: signing up, links of mails, the second factor, a new password,
 * and wrong ones.
 * @returns the secrets, none of which may be found anywhere afterwards
 */
export async function runPeopleTraffic({ db, dataDir, log, url }: Installation): Promise<Record<string, string>> {
  const config = readConfig({ DATA_DIR: dataDir })
  const people = openPeople({ ...config, publicUrl: url }, { db, secretsKeys: await loadSecretsKeys(config) })
  const browser = await openBrowser({ url, dataDir })
  const post = async (path: string, body: object) => (await browser.ask('POST', `/app/api${path}`, body)).body
  const readToken = async () => {
    await sendPersonMails({ ...people, log, mailServer: undefined, isKeeping: true })
    const { mails } = (await browser.ask('GET', '/app/api/mails')).body.data
    return decodeURIComponent(/#token=(\S+)/.exec(mails[0].text)?.[1] ?? '')
  }

  await post('/sign-up', { name: 'Canary', email, password })
  const verification = await readToken()
  await post('/verify', { token: verification, password })
  const { data: twoFactor } = await post('/two-factor', { password })
  await post('/two-factor/confirm', { code: makeTotpCode(twoFactor.totp_uri) })
  await post('/forgot-password', { email })
  const reset = await readToken()
  await post('/change-password', { current_password: password, password: changedPassword })
  const session = browser.cookies.get(personCookies.session) ?? ''
  expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
  await post('/sign-in', { email, password: `${changedPassword}0` })
  await post('/reset-password', { token: `${reset}0`, password: changedPassword })
  await browser.close()
  return {
    password,
    changedPassword,
    verification,
    reset,
    session: decodeURIComponent(session),
    totpSecret: new URL(twoFactor.totp_uri).searchParams.get('secret') ?? '',
    backupCode: twoFactor.backup_codes[0],
  }
}
