import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { requestBusinessApproval } from '../../accounts/business/request-business-approval.ts'
import { createAccount } from '../../accounts/create-account.ts'
import { correctWallet } from '../../money/by-people/correct-wallet.ts'
import { pesewas } from '../../money/pesewas.ts'
import { recordReportedTransfer } from '../../money/top-ups/record-reported-transfer.ts'
import type { OrderStatus } from '../../orders/order-life-cycle.ts'
import { reportOrder } from '../../orders/order-reports/report-order.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { products } from '../../products/products.ts'
import { requestSender } from '../../products/sms/campaigns/decide-sender.ts'
import { reconcileStatement } from '../../reconciliation/reconcile-statement.ts'
import { inventedDomain } from './invent-accounts.ts'

/** An invented member of the staff, who proposes. The demo's operator can be the second person. */
const proposer = { by: 'ama', osUser: 'ama' }

/** Adds a shop that has just signed up, with a request to approve and a payment to confirm. */
async function addNewReseller(tx: Tx): Promise<void> {
  const { accountId } = await createAccount(tx, {
    email: `akwaaba.prints@${inventedDomain}`,
    name: 'Akwaaba Prints',
    role: 'customer',
    roleExpiresAt: null,
    isBusiness: false,
    isPolicyAccepted: true,
    actor: 'ama',
  })
  await requestBusinessApproval(tx, {
    accountId,
    name: 'Akwaaba Prints Enterprise',
    registrationNumber: 'BN204881166',
    purpose: 'We tell our customers by SMS when their prints are ready.',
    actor: 'ama',
  })
  await recordReportedTransfer(tx, {
    accountId,
    pageReference: 'demo-transfer',
    amount: pesewas(25_000),
    transferReference: '8841 220 913',
    note: 'Sent from 024 500 0011',
    madeBy: `akwaaba.prints@${inventedDomain}`,
  })
}

/** Makes a reseller ask for a sender name, and proposes to take back money that was credited to it twice. */
async function addSenderRequestAndCorrection(tx: Tx): Promise<void> {
  const { id } = await tx
    .selectFrom('accounts')
    .innerJoin('wallets', 'wallets.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.email', 'like', `%@${inventedDomain}`)
    .where('accounts.status', '=', 'active')
    .where('wallets.purse', '=', 'main')
    .where('wallets.balance', '>', 5_000)
    .orderBy('accounts.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await requestSender(tx, { accountId: id, sender: 'MARKETLINE', actor: 'ama' })
  await correctWallet(tx, {
    accountId: id,
    purse: 'main',
    amount: 3_000,
    of: undefined,
    reason: 'The receipt was credited twice: once by hand, once by the gateway.',
    person: proposer,
  })
}

type Delivered = { id: string; accountId: string; status: OrderStatus }

/** Adds a reseller's report that a bundle marked as delivered did not arrive. */
async function addOrderReport(db: Db): Promise<void> {
  const { rows } = await sql<Delivered>`
    select orders.id, account_id as "accountId", orders.status from orders
    join accounts on accounts.id = account_id
    where kind = 'data' and orders.status = 'completed' and email like ${`%@${inventedDomain}`}
    order by orders.created_at desc limit 1`.execute(db)
  const [order] = rows
  if (order) await reportOrder(db, order, { reason: 'The customer dialled *124# and has no bundle.', actor: 'person:esi' })
}

type Billed = { reference: string; cost: number; day: string }

/**
 * Imports a supplier's statement with three differences: one bundle costs more than we expected, one is missing from the
 * statement, and one was never sent to the supplier.
 */
async function addStatementDifferences(db: Db): Promise<void> {
  const supplier = 'datamart'
  const { rows } = await sql<Billed>`
    select outgoing_reference as reference, expected_cost as cost, to_char(created_at, 'YYYY-MM-DD HH24:MI:SS') as day
    from attempts
    where supplier = ${supplier} and outcome = 'delivered' and expected_cost is not null
      and created_at between now() - interval '9 days' and now() - interval '2 days'
    order by created_at`.execute(db)
  const [dear, , ...others] = rows
  if (!dear) return
  const lineOf = ({ reference, cost, day }: Billed) => `${reference},${(cost / 100).toFixed(2)},delivered,${day}\n`
  const lines = [lineOf({ ...dear, cost: dear.cost + 50 }), ...others.map(lineOf), `MK-not-ours-1,9.20,delivered,${dear.day}\n`]
  await reconcileStatement(db, {
    supplier,
    file: Readable.from(['reference,amount,status,date\n', ...lines]),
    fileName: 'datamart-last-week.csv',
    actor: 'kofi',
    expectations: products.flatMap(({ expectedCost }) => expectedCost ?? []),
  })
}

/** Leaves work of many kinds for the operator. The functions of the platform make each piece. */
export async function addOpenStaffWork(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await addNewReseller(tx)
    await addSenderRequestAndCorrection(tx)
  })
  await addOrderReport(db)
  await addStatementDifferences(db)
}
