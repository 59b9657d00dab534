import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { untilTransactionsEnd } from '../../test/until-transactions-end.ts'
import { allChains } from '../all-chains.ts'
import { openDemo } from '../demo/open-demo.fixture.ts'
import { writeDemoHistory } from '../demo/year/write-demo-history.ts'
import { forgettingOfEvidence, forgettingOfOrders, type RecipientHash } from '../orders/forgetting/forget-orders.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import { forgetNow } from '../platform/forgetting/forget-now.fixture.ts'
import { numberMonths } from '../platform/platform.settings.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { forgettingOfIdentities } from '../products/afa/forget-identities.ts'
import { forgettingOfCampaigns, forgettingOfMessages, forgettingOfTexts } from '../products/sms/forgetting/forget-messages.ts'
import { smsTextDays } from '../products/sms/sms.settings.ts'
import { openRecipientHash } from './recipient-hash.ts'

let database: TestDatabase
let folder: string
let hash: RecipientHash

/** Orders of every product over nine months, as the demo invents them. */
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'makola-forgetting-'))
  const { secretsKeys } = await openDemo(database.db, folder)
  await writeDemoHistory({ db: database.db, secretsKeys }, { orderCount: 3_000, months: 9, seed: 3, until: new Date() })
  hash = await openRecipientHash({ db: database.db, secretsKeys })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const count = async (condition: ReturnType<typeof sql>) =>
  (await sql<{ count: number }>`select count(*) as count from ${condition}`.execute(database.db)).rows[0]?.count ?? 0

async function verifyChains(): Promise<unknown[]> {
  const checks = []
  for (const chain of allChains) checks.push(await verifyChain(database.db, chain))
  return checks
}

/** The orders, transfers and SMS without their personal data. No forgetting may change these values. */
async function readBooks(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(json_build_array(id, kind, reference, status, price, created_at) order by id) from orders)::text as orders,
      (select json_agg(row_to_json(transfers) order by cause_id, kind, to_purse) from transfers)::text as transfers,
      (select json_agg(json_build_array(campaign_id, n, status, network) order by campaign_id, n) from sms_messages)::text as messages`.execute(
    database.db,
  )
  return rows
}

it('forgets old rows of all products, and no younger one; books, audit and chains are as before', async () => {
  const { db } = database
  await untilTransactionsEnd(db)
  for (const chain of allChains) await sealChain(db, chain)
  await mustPassAudit(db)
  const [books, chains] = [await readBooks(), await verifyChains()]
  await writeSetting(db, numberMonths, 6, 'test')
  const kinds = [forgettingOfOrders(hash), forgettingOfEvidence, forgettingOfIdentities]
  const ofSms = [forgettingOfMessages(hash), forgettingOfCampaigns, forgettingOfTexts]
  // Three workers at once.
  await Promise.all([1, 2, 3].map(() => forgetNow(db, ...kinds, ...ofSms)))
  await forgetNow(db, ...kinds, ...ofSms)

  const old = sql`created_at < now() - interval '6 months 2 days'`
  const young = sql`created_at > now() - interval '6 months'`
  expect(await count(sql`orders where ${old}`)).toBeGreaterThan(300)
  expect(await count(sql`orders where ${old} and recipient_hash is null`)).toBe(0)
  expect(await count(sql`orders where ${young} and recipient_hash is not null`)).toBe(0)
  expect(await count(sql`orders where recipient_hash is not null and recipient ~ '[0-9]{7}'`)).toBe(0)
  const message = sql`sms_messages join sms_campaigns on sms_campaigns.id = campaign_id where sms_campaigns.${old}`
  expect(await count(message)).toBeGreaterThan(5)
  expect(await count(sql`${message} and (recipient_hash is null or recipient ~ '[0-9]{7}')`)).toBe(0)
  expect(await count(sql`sms_campaigns where ${old} and array_to_string(recipients, ' ') ~ '[0-9]{7}'`)).toBe(0)
  expect(await count(sql`sms_campaigns where ${young} and array_to_string(recipients, ' ') ~ '[*]'`)).toBe(0)
  expect(await count(sql`sms_campaigns where message <> '' and settled_at < now() - interval '90 days'`)).toBe(0)
  expect(await count(sql`sms_campaigns where message = '' and settled_at > now() - interval '90 days'`)).toBe(0)
  expect(
    await count(sql`afa_registrations join orders on id = order_id where identity is not null and status in ('completed', 'cancelled')
    and updated_at < now() - interval '30 days'`),
  ).toBe(0)
  expect(
    await count(sql`attempt_answers join orders on orders.id = order_id
    where orders.created_at > now() - interval '180 days' and evidence = 'forgotten'`),
  ).toBe(0)
  expect(
    await count(sql`attempt_answers join orders on orders.id = order_id
    where orders.created_at < now() - interval '182 days' and evidence <> 'forgotten'`),
  ).toBe(0)

  expect(await readBooks()).toEqual(books)
  expect(await verifyChains()).toEqual(chains)
  await mustPassAudit(db)
})

it('forgets texts after another time, if the operator says so', async () => {
  const younger = sql`sms_campaigns where message <> '' and settled_at < now() - interval '20 days'`
  expect(await count(younger)).toBeGreaterThan(0)
  await writeSetting(database.db, smsTextDays, 20, 'test')
  await forgetNow(database.db, forgettingOfTexts)
  expect(await count(younger)).toBe(0)
  await mustPassAudit(database.db)
})
