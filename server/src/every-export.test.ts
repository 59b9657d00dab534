import type { RouteOptions } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { applicant } from '../test/applicant.ts'
import type { TestBrowser } from '../test/open-browser.ts'
import { readPdf } from '../test/reading/read-pdf.ts'
import { setByTwoPeople } from '../test/set-by-two-people.ts'
import { setUpPeople } from '../test/set-up-people.ts'
import type { Answer } from '../test/start-test-app.ts'
import { confirmTransfer } from './accounts/top-ups/confirm-transfers.ts'
import { listRoutes, nameOfRoute } from './list-routes.fixture.ts'
import { creditWallet } from './money/credit-wallet.ts'
import { pesewas } from './money/pesewas.ts'
import { transferInstructions } from './money/top-ups/top-ups.settings.ts'
import { placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { staffAtDesk } from './people/staff-at-desk.fixture.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { newId } from './platform/database/new-id.ts'
import { afaRoute } from './products/afa/afa.kind.ts'
import { sealIdentity } from './products/afa/seal-identity.ts'
import { products } from './products/products.ts'
import { rollUp } from './reports/roll-up.ts'

const shop = setUpPeople()
const { makeStaffMember, newestLog } = staffAtDesk(shop)
const ownerEmail = 'owner-exports@desk.test'
const now = new Date().toISOString()
const [month, today] = [now.slice(0, 7), now.slice(0, 10)]

let ama: TestBrowser
let owner: TestBrowser
let accountId: string
let campaignId: string
let topUpId: string

/** A campaign whose message failed. */
async function writeFailedCampaign(): Promise<string> {
  const id = newId()
  const { ownerDb } = shop.app.database
  await sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk, settled_at)
    values (${id}, ${accountId}, 'completed', 'api', 'AMA', 'x', 'gsm7', 'standard', 1, '{233241000000}', 1, 1, 0, true, now())`.execute(
    ownerDb,
  )
  await sql`insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier, reason)
    values (${id}, 1, '233241000000', 'MTN', true, 'failed', 'answered', 'datamart', 'unknown subscriber')`.execute(ownerDb)
  return id
}

/** A registration that the owner of the desk works on. */
async function writeRegistration(): Promise<void> {
  const [placed] = await placeTestOrders(shop.db, accountId, ['0201000000'], { product: 'afa', pricePesewas: 1_250 })
  const orderId = placed?.orderId ?? ''
  const identity = sealIdentity(shop.people.secretsKeys, orderId, applicant)
  const { ownerDb } = shop.app.database
  await ownerDb
    .insertInto('afa_registrations')
    .values({ order_id: orderId, identity, claimed_by: ownerEmail, claimed_at: new Date() })
    .execute()
  await sql`update orders set status = 'processing' where id = ${orderId}`.execute(ownerDb)
  await sql`update open_orders set route = ${afaRoute} where order_id = ${orderId}`.execute(ownerDb)
}

async function creditTransfer(): Promise<string> {
  await setByTwoPeople(shop.db, transferInstructions, 'MoMo to 024 000 0000, Makola Ltd.')
  await shop.app.untilSeen()
  const body = { reference: 'page-exports', amount: 200, transfer_reference: 'TX-EXPORTS' }
  const id: string = (await ama.ask('POST', '/app/api/top-ups/transfers', body)).body.data.top_up_id
  await inTransaction(shop.db, (tx) =>
    confirmTransfer(tx, { topUpId: id, person: { by: 'kofi', osUser: 'kofi' }, isLive: false }),
  )
  return id
}

/** A supplier's statement with a line that is not ours. */
async function importStatement(): Promise<void> {
  const file = Buffer.from('ClientReference,Amount,Status,Date\ntheirs-1,4.5,completed,2026-07-31 14:05\n')
  const begun = { supplier: 'datamart', file_name: 'july.csv', size: file.length }
  const { upload_id: uploadId } = (await owner.ask('POST', '/desk/api/reconcile/uploads', begun)).body.data
  const path = `/desk/api/reconcile/uploads/${uploadId}`
  await owner.download(`${path}/parts/1`, { method: 'PUT', type: 'application/octet-stream', body: file })
  expect((await owner.ask('POST', `${path}/import`, {})).status).toBe(200)
}

beforeAll(async () => {
  ama = await shop.makeMember('ama-exports@example.test')
  accountId = (await shop.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
  owner = await makeStaffMember('owner', ownerEmail)
  const amount = pesewas(100_050)
  await inTransaction(shop.db, (tx) =>
    creditWallet(tx, { accountId, purse: 'main', amount, actor: 'kofi', onePersonLimit: amount }),
  )
  await placeTestOrders(shop.db, accountId, ['0241000000', '0241000001'], {
    pricePesewas: 450,
    details: { network: 'MTN', size: '5GB' },
  })
  await writeRegistration()
  campaignId = await writeFailedCampaign()
  topUpId = await creditTransfer()
  await importStatement()
  while (!(await rollUp(shop.db, products)).isComplete);
})

/** True for a route that answers with a CSV or PDF file, except for HEAD. */
function givesFile({ method, schema }: RouteOptions): boolean {
  const { content } = ((schema?.response as Record<string, unknown> | undefined)?.['200'] ?? {}) as { content?: object }
  return method !== 'HEAD' && Object.keys(content ?? {}).some((type) => type === 'text/csv' || type === 'application/pdf')
}

type Export = {
  /** The query, from `?` on. */
  readonly query?: string
  readonly body?: object
  readonly fileName: () => string
  /** A text of the file with an amount; left out where a file holds none. */
  readonly amount?: string
}

const purse = `?purse=main&month=${month}`
const days = `?from=${today}&to=${today}`
const statementPdf = { query: purse, fileName: () => `statement-main-${month}.pdf`, amount: '1,000.50' }
const statementCsv = { query: purse, fileName: () => `statement-main-${month}.csv`, amount: '1000.50' }
const entries = { query: '?purse=main', fileName: () => 'main-entries.csv', amount: '1000.50' }
const orders = { fileName: () => 'orders.csv', amount: '4.50' }

const exports: Readonly<Record<string, Export>> = {
  'GET /app/api/customers.csv': { fileName: () => 'customers.csv' },
  'GET /app/api/orders.csv': orders,
  'GET /app/api/sms/campaigns/:campaign_id/failures.csv': { fileName: () => `failures-${campaignId}.csv` },
  'GET /app/api/top-ups/:top_up_id/receipt': { fileName: () => `receipt-topup-${topUpId}.pdf`, amount: '200.00' },
  'GET /app/api/wallet/entries.csv': entries,
  'GET /app/api/wallet/statement.csv': statementCsv,
  'GET /app/api/wallet/statement.pdf': statementPdf,
  'GET /desk/api/accounts/:account_id/entries.csv': entries,
  'GET /desk/api/accounts/:account_id/statement.csv': statementCsv,
  'GET /desk/api/accounts/:account_id/statement.pdf': statementPdf,
  'GET /desk/api/log.csv': { fileName: () => 'audit-log.csv' },
  'GET /desk/api/orders.csv': orders,
  'GET /desk/api/packages.csv': { fileName: () => 'packages.csv', amount: '5.10' },
  'GET /desk/api/reconcile/differences.csv': { fileName: () => 'differences.csv', amount: '4.50' },
  'GET /desk/api/reports/sales.csv': {
    query: `${days}&by=day`,
    fileName: () => `sales-${today}-to-${today}.csv`,
    amount: '21.50',
  },
  'GET /desk/api/reports/tax.csv': { query: days, fileName: () => `tax-${today}-to-${today}.csv` },
  'POST /desk/api/afa/export': { body: { reason: 'work' }, fileName: () => 'afa-registrations.csv' },
}

function ask(browser: TestBrowser, route: RouteOptions, { query = '', body }: Export): Promise<Answer> {
  const path = route.url.replace(':account_id', accountId).replace(':campaign_id', campaignId).replace(':top_up_id', topUpId)
  return browser.ask(String(route.method), `${path}${query}`, body)
}

/** Numbers with a point, but without exactly two decimals. Versions, times and addresses have more points or a colon. */
const oddAmounts = /(?<![\d.:])-?\d[\d,]*\.(?!\d\d(?!\d))\d+(?![\d.])/g

async function textOf(browser: TestBrowser, route: RouteOptions, wanted: Export, { body }: Answer): Promise<string> {
  if (!wanted.fileName().endsWith('.pdf')) return String(body)
  const path = route.url.replace(':account_id', accountId).replace(':top_up_id', topUpId)
  return readPdf((await browser.download(`${path}${wanted.query ?? ''}`)).bytes)
    .flat()
    .join(' ')
}

async function mustBeFile(browser: TestBrowser, route: RouteOptions, wanted: Export): Promise<void> {
  const answer = await ask(browser, route, wanted)
  const isPdf = wanted.fileName().endsWith('.pdf')
  expect({
    name: nameOfRoute(route),
    status: answer.status,
    type: answer.headers['content-type'],
    disposition: answer.headers['content-disposition'],
  }).toEqual({
    name: nameOfRoute(route),
    status: 200,
    type: isPdf ? 'application/pdf' : 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${wanted.fileName()}"`,
  })
  const text = await textOf(browser, route, wanted, answer)
  expect([nameOfRoute(route), text]).toEqual([nameOfRoute(route), expect.stringContaining(wanted.amount ?? '')])
  expect([nameOfRoute(route), text.match(oddAmounts)]).toEqual([nameOfRoute(route), null])
}

it('every file that the app and the desk hand out has its name, its type, amounts with two decimals, and its line in the log', async () => {
  const routes = (await listRoutes()).filter(givesFile)
  expect(routes.map(nameOfRoute).toSorted()).toEqual(Object.keys(exports).toSorted())
  const ofApp = routes.filter(({ url }) => url.startsWith('/app/'))
  const ofDesk = routes.filter(({ url }) => url.startsWith('/desk/'))

  const before = await newestLog()
  for (const route of ofApp) await mustBeFile(ama, route, exports[nameOfRoute(route)] as Export)
  // A reseller's own downloads write no line to the operator's log.
  expect(await newestLog()).toEqual(before)

  for (const route of ofDesk) {
    await mustBeFile(owner, route, exports[nameOfRoute(route)] as Export)
    const action = route.config?.exportedAs ?? 'afa export'
    expect([nameOfRoute(route), await newestLog()]).toEqual([
      nameOfRoute(route),
      expect.objectContaining({ actor: ownerEmail, action }),
    ])
  }

  expect((await owner.ask('POST', `/desk/api/accounts/${accountId}/view`, { reason: 'ticket 7' })).status).toBe(200)
  for (const route of ofApp) {
    await mustBeFile(owner, route, exports[nameOfRoute(route)] as Export)
    const line = { actor: ownerEmail, action: route.config?.exportedAs, subject: accountId }
    expect([nameOfRoute(route), await newestLog()]).toEqual([nameOfRoute(route), expect.objectContaining(line)])
  }
})
