import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { untilTrue } from '../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { createAccount } from '../create-account.ts'
import { setBusinessApproval } from '../set-business-approval.ts'
import { declineBusinessRequest } from './decide-business-request.ts'
import { findBusinessRequest, requestBusinessApproval } from './request-business-approval.ts'

let database: TestDatabase
let accountId: string
let accounts = 0
const actor = 'test'

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  accounts += 1
  const account = { name: 'Ama', email: `ama-${accounts}@example.test`, role: 'dealer', roleExpiresAt: null, actor } as const
  const made = { ...account, isBusiness: false, isPolicyAccepted: true }
  ;({ accountId } = await inTransaction(database.db, (tx) => createAccount(tx, made)))
})
afterAll(() => database.drop())

const ask = (tx: Tx) =>
  requestBusinessApproval(tx, { accountId, name: 'Ama Ltd', registrationNumber: 'CS1', purpose: 'receipts', actor })
const approve = (tx: Tx) => setBusinessApproval(tx, { accountId, isBusiness: true, actor })

async function isWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database.ownerDb)
  return rows.length > 0
}

it('a request that is made while the account is being approved is refused, and does not wait', async () => {
  const { refused } = await inTransaction(database.db, async (tx) => {
    await approve(tx)
    const asked = inTransaction(database.db, ask).catch((error: unknown) => error)
    await untilTrue(isWaiting, () => 'the request does not wait for the approval')
    return { refused: asked }
  })
  expect(await refused).toMatchObject({ refusal: { reason: 'business_is_approved' } })
  expect(await findBusinessRequest(database.db, accountId)).toBeUndefined()
})

it('a request may be declined and approved at the same moment', async () => {
  await inTransaction(database.db, ask)
  const { approved } = await inTransaction(database.db, async (tx) => {
    await tx.selectFrom('business_requests').select('id').where('account_id', '=', accountId).forUpdate().execute()
    const other = inTransaction(database.db, approve)
    await untilTrue(isWaiting, () => 'the approval does not wait for the decision')
    await declineBusinessRequest(tx, { accountId, reason: 'no such number', actor })
    return { approved: other }
  })
  expect(await approved).toMatchObject({ isBusiness: true })
  expect(await findBusinessRequest(database.db, accountId)).toMatchObject({ state: 'declined' })
})
