import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { untilTrue } from '../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Role } from './caller.ts'
import { createAccount } from './create-account.ts'
import { findAccount, readAccount } from './find-account.ts'
import { setAccountRole } from './set-account-role.ts'
import { setAccountStatus } from './set-account-status.ts'
import { setBusinessApproval } from './set-business-approval.ts'

let database: TestDatabase
const actor = 'test'
const hour = 60 * 60_000

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(() => vi.useRealTimers())

async function databaseTime(): Promise<number> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database.db)
  return Number(rows[0]?.now)
}

let lastEmail = 0
function newAccount(change: Partial<Parameters<typeof createAccount>[1]> = {}) {
  return {
    email: `owner-${++lastEmail}@example.test`,
    name: 'Kofi Mensah',
    role: 'agent' as Role,
    roleExpiresAt: null,
    isBusiness: false,
    isPolicyAccepted: true,
    actor,
    ...change,
  }
}
const create = (change: Partial<Parameters<typeof createAccount>[1]> = {}) =>
  inTransaction(database.db, (tx) => createAccount(tx, newAccount(change)))

describe('an account', () => {
  it('has its three wallets from the start, empty', async () => {
    const { accountId } = await create()
    const wallets = await database.db
      .selectFrom('wallets')
      .select(['purse', 'balance', 'last_entry_no'])
      .where('account_id', '=', accountId)
      .orderBy('purse')
      .execute()
    expect(wallets).toEqual(['commission', 'main', 'sms_credits'].map((purse) => ({ purse, balance: 0, last_entry_no: 0 })))
  })

  it('is found by id or e-mail, whatever the capitals', async () => {
    const { accountId } = await create({ email: 'Efua.Owusu@Example.test' })
    expect((await findAccount(database.db, accountId))?.email).toBe('Efua.Owusu@Example.test')
    expect((await findAccount(database.db, ' efua.owusu@example.TEST '))?.accountId).toBe(accountId)
    expect(await findAccount(database.db, 'nobody@example.test')).toBeUndefined()
    await expect(readAccount(database.db, 'nobody@example.test')).rejects.toThrow('There is no account nobody@example.test.')
  })

  it('has an e-mail of its own: two that race for one end in one account', async () => {
    const races = Array.from({ length: 6 }, (_, index) =>
      create({ email: index % 2 ? 'twice@example.test' : 'TWICE@example.test' }).then(
        () => 'made',
        (error: Error) => error.message,
      ),
    )
    const outcomes = await Promise.all(races)
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome.startsWith('There already is an account'))).toHaveLength(5)
  })

  it.each([
    [{ email: 'no-at-sign' }, 'is not an e-mail address'],
    [{ email: 'two words@example.test' }, 'is not an e-mail address'],
    [{ email: 'a@b' }, 'is not an e-mail address'],
    [{ email: `${'a'.repeat(250)}@b.test` }, 'is not an e-mail address'],
    [{ name: '   ' }, 'The name must have 1 to 100'],
    [{ name: 'a'.repeat(101) }, 'The name must have 1 to 100'],
    [{ name: 'line\nbreak' }, 'The name must have 1 to 100'],
    [{ roleExpiresAt: new Date('2020-01-01T00:00:00Z') }, 'has already passed'],
    [{ role: 'customer' as const, roleExpiresAt: new Date('2099-01-01T00:00:00Z') }, 'A customer has no expiry'],
  ])('is refused with a clear text and leaves nothing behind: %o', async (change, text) => {
    const count = async () => (await database.db.selectFrom('accounts').select('id').execute()).length
    const before = await count()
    await expect(create(change)).rejects.toThrow(text)
    expect(await count()).toBe(before)
  })

  it('is judged by the database’s clock when its expiry is set', async () => {
    const now = await databaseTime()
    vi.useFakeTimers({ toFake: ['Date'], now: now - 2 * hour })
    await expect(create({ roleExpiresAt: new Date(now - hour) })).rejects.toThrow('has already passed')
    vi.setSystemTime(now + 2 * hour)
    await expect(create({ roleExpiresAt: new Date(now + hour) })).resolves.toHaveProperty('accountId')
  })

  it('leaves a line in the operator’s log with every change', async () => {
    const { accountId } = await create()
    await inTransaction(database.db, async (tx) => {
      await setAccountRole(tx, { accountId, role: 'dealer', roleExpiresAt: null, actor })
      await setAccountStatus(tx, { accountId, status: 'suspended', actor })
      await setAccountStatus(tx, { accountId, status: 'active', actor })
    })
    const lines = await database.db
      .selectFrom('operator_log')
      .select('action')
      .where('subject', '=', accountId)
      .orderBy('id')
      .execute()
    expect(lines.map((line) => line.action)).toEqual([
      'account create',
      'account set-role',
      'account suspend',
      'account reactivate',
    ])
  })

  it('has in the log what each of two approvals at once replaced', async () => {
    const { accountId } = await create()
    const approve = (tx: Tx) => setBusinessApproval(tx, { accountId, isBusiness: true, actor })
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database.ownerDb)
      return rows.length > 0
    }
    const { second } = await inTransaction(database.db, async (tx) => {
      await approve(tx)
      const other = inTransaction(database.db, approve)
      await untilTrue(isWaiting, () => 'the second approval does not wait for the first')
      return { second: other }
    })
    await second
    const lines = await database.db
      .selectFrom('operator_log')
      .select('details')
      .where('subject', '=', accountId)
      .where('action', '=', 'account approve-business')
      .orderBy('id')
      .execute()
    const after = { business: true }
    expect(lines.map(({ details }) => details)).toEqual([
      { before: { business: false }, after },
      { before: { business: true }, after },
    ])
  })
})
