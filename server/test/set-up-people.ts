import { afterAll, beforeAll } from 'vitest'
import { readConfig } from '../src/config.ts'
import type { DashboardDeps } from '../src/dashboard-deps.ts'
import { openPeople } from '../src/dashboard-routes.ts'
import type { Db } from '../src/platform/database/database.ts'
import { loadSecretsKeys } from '../src/platform/secrets/load-secrets-keys.ts'
import { makeTotpCode } from './make-totp-code.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { type KeptMail, keptMailsTo, keptTokenFor } from './servers/kept-mails.ts'
import './running/remember-hashes.ts'
import { startTestApp, type TestApp } from './start-test-app.ts'

/** What the tests of persons share. */
export type PeopleSetUp = {
  readonly app: TestApp
  readonly db: Db
  readonly people: DashboardDeps
  /** A browser of its own, from an address of its own where one is given; all are closed in the end. */
  readonly browser: (address?: string) => Promise<TestBrowser>
  /** Does the worker's work and gives back the kept mails to an address, newest first. */
  readonly mailsTo: (email: string) => Promise<KeptMail[]>
  /** The token of the link in the newest mail to an address. */
  readonly tokenFor: (email: string) => Promise<string>
  /** The code that a person's app shows now, made good to be given again: a code works once, and tests do not wait. */
  readonly codeOnceMore: (totpUri: string) => Promise<string>
  /** Signs up, confirms the e-mail, and gives back the browser that is signed in. */
  readonly makeMember: (email: string) => Promise<TestBrowser>
}

/** Long enough, and found nowhere else. */
export const testPassword = 'correct horse battery'

/**
 * Registers what a file of tests of persons needs: an app with the simulator, whose mails are kept.
 * @param prepare starts what the app needs, such as a simulator, and says where it is
 */
export function setUpPeople(
  prepare: () => Promise<NonNullable<Parameters<typeof startTestApp>[0]>> = async () => ({}),
): PeopleSetUp {
  let app: TestApp
  let people: DashboardDeps
  const browsers: TestBrowser[] = []

  beforeAll(async () => {
    const prepared = await prepare()
    app = await startTestApp(prepared)
    const config = readConfig({ DATA_DIR: app.dataDir })
    const parts = { db: app.database.db, secretsKeys: await loadSecretsKeys(config) }
    people = { ...app.api.dashboard, ...openPeople({ ...config, publicUrl: app.url }, parts) }
  })
  afterAll(async () => {
    await Promise.all(browsers.map((each) => each.close()))
    await app.close()
  })

  async function browser(address?: string): Promise<TestBrowser> {
    const opened = await openBrowser(app, address)
    browsers.push(opened)
    return opened
  }
  const mailsTo = (email: string) => keptMailsTo(app, people, email)
  const tokenFor = (email: string) => keptTokenFor(app, people, email)

  return {
    get app() {
      return app
    },
    get db() {
      return app.database.db
    },
    get people() {
      return people
    },
    browser,
    mailsTo,
    tokenFor,
    async codeOnceMore(totpUri) {
      await app.database.db.updateTable('person_two_factors').set({ last_code_step: null }).execute()
      return makeTotpCode(totpUri)
    },
    async makeMember(email) {
      const opened = await browser()
      await opened.ask('POST', '/app/api/sign-up', { name: 'Ama Mensah', email, password: testPassword })
      await opened.ask('POST', '/app/api/verify', { token: await tokenFor(email), password: testPassword })
      await app.database.db.deleteFrom('rate_limits').where('key', 'like', 'person %').execute()
      return opened
    },
  }
}
