import { afterAll, beforeAll } from 'vitest'
import { makeAccount } from '../../../../test/make-account.ts'
import { openBrowser, type TestBrowser } from '../../../../test/open-browser.ts'
import { testPassword } from '../../../../test/set-up-people.ts'
import { creditWallet } from '../../../money/credit-wallet.ts'
import { hashPersonPassword } from '../../../people/auth/hash-password.ts'
import { createMember } from '../../../people/manage-people.ts'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { type SmsBench, startSmsBench } from '../sms-bench.fixture.ts'

/** A business account and its owner, who is signed in. `ask` takes the path below `/app/api`. */
export type MemberShop = { readonly accountId: string; readonly page: TestBrowser; readonly ask: TestBrowser['ask'] }

/** Shared by the tests of one file. No worker runs, so that each test decides when a campaign starts. */
export type MemberShopsSetUp = {
  readonly bench: SmsBench
  readonly db: () => Db
  /** Makes a shop with GHS 50.00 and some credits, 100 by default. */
  readonly makeShop: (credits?: number) => Promise<MemberShop>
}

/** Recipients as a person writes them, one per line. */
export const linesOfNumbers = (count: number): string =>
  Array.from({ length: count }, (_, n) => `0${241_000_000 + n * 1_000}`).join('\n')

/** Sets up the tests of members who send SMS. Fails when the audit finds a fault after the tests. */
export function setUpMemberShops(): MemberShopsSetUp {
  let bench: SmsBench
  const browsers: TestBrowser[] = []
  const db = () => bench.app.database.db

  beforeAll(async () => {
    bench = await startSmsBench()
  })
  afterAll(async () => {
    await Promise.all(browsers.map((each) => each.close()))
    const broken = await bench.audit()
    await bench.close()
    if (broken.length > 0) throw new Error(`the audit found ${broken.join(', ')}`)
  })

  return {
    get bench() {
      return bench
    },
    db,
    async makeShop(credits = 100) {
      const { accountId } = await makeAccount(db(), { balancePesewas: 5_000 })
      const email = `owner-${newId()}@example.test`
      const passwordHash = await hashPersonPassword(testPassword)
      await inTransaction(db(), async (tx) => {
        await createMember(tx, { email, passwordHash, account: accountId, role: 'owner', actor: 'test' })
      })
      if (credits > 0) {
        await inTransaction(db(), (tx) => creditWallet(tx, { accountId, purse: 'sms_credits', amount: credits, actor: 'test' }))
      }
      const page = await openBrowser(bench.app)
      browsers.push(page)
      await page.ask('POST', '/app/api/sign-in', { email, password: testPassword })
      await db().deleteFrom('rate_limits').execute()
      return { accountId, page, ask: (method, path, body) => page.ask(method, `/app/api${path}`, body) }
    },
  }
}
