import { sql } from 'kysely'
import { pricingRole, type Role } from '../../../server/src/accounts/caller.ts'
import { decideCalls, type IntakeFacts } from '../../../server/src/orders/intake/decide-calls.ts'
import type { CallOutcome, CallQueue, Intake, OrderCall, OrderKinds } from '../../../server/src/orders/intake/place-orders.ts'
import { listOrdersById } from '../../../server/src/orders/order.ts'
import type { OrderItem } from '../../../server/src/orders/order-kind.ts'
import { connectDatabase, type DatabaseOptions, type Db, type Tx } from '../../../server/src/platform/database/database.ts'

/** A careful operator would give one process this many connections. */
const poolSize = 20

type AccountRow = { status: string; role: Role; role_expires_at: Date | null; now: Date; catalogue_version: number }

async function readBooks(tx: Tx, item: OrderItem, kinds: OrderKinds): Promise<IntakeFacts> {
  const accountId = item.accountId
  const wallet = await tx
    .selectFrom('wallets')
    .select(['balance', 'last_entry_no'])
    .where('account_id', '=', accountId)
    .where('purse', '=', 'main')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const holder = await tx.selectFrom('order_references').selectAll().where('reference', '=', item.reference).executeTakeFirst()
  const { rows } = await sql<AccountRow>`
    select status, role, role_expires_at, clock_timestamp() as now, catalogue_version
    from accounts, cache_epoch where accounts.id = ${accountId}`.execute(tx)
  const account = rows[0] as AccountRow
  const read = await kinds.get(item.kind)?.read(tx, [item], account.catalogue_version)
  return {
    now: account.now,
    catalogueVersion: account.catalogue_version,
    accounts: new Map([
      [
        accountId,
        {
          isSuspended: account.status !== 'active',
          pricingRole: pricingRole(account.role, account.role_expires_at, account.now),
        },
      ],
    ]),
    wallets: new Map([[`${accountId}/main`, { balance: wallet.balance, lastEntryNo: wallet.last_entry_no }]]),
    references: new Map(
      holder
        ? [
            [
              holder.reference,
              {
                orderId: holder.order_id,
                accountId: holder.account_id,
                kind: holder.kind,
                fingerprint: holder.fingerprint.toString('hex'),
              },
            ],
          ]
        : [],
    ),
    orders: await listOrdersById(tx, holder ? [holder.order_id] : []),
    reads: new Map([[item.kind, read]]),
  } as unknown as IntakeFacts
}

/** One row at a time, as an application with an ORM would write them. */
async function placeOne(tx: Tx, call: OrderCall, kinds: OrderKinds): Promise<CallOutcome> {
  const item = call.items[0] as OrderItem
  const { outcomes, newOrders } = decideCalls([call], await readBooks(tx, item, kinds), kinds)
  for (const { order, route, debit } of newOrders) {
    await tx
      .insertInto('order_references')
      .values({
        reference: order.reference,
        account_id: order.accountId,
        order_id: order.id,
        kind: order.kind,
        fingerprint: Buffer.from(item.fingerprint, 'hex'),
      })
      .execute()
    await tx
      .insertInto('orders')
      .values({
        id: order.id,
        account_id: order.accountId,
        kind: order.kind,
        reference: order.reference,
        status: order.status,
        price: order.price,
        recipient: order.recipient,
        details: JSON.stringify(order.details),
      })
      .execute()
    if (route !== undefined) await tx.insertInto('open_orders').values({ order_id: order.id, route }).execute()
    await tx
      .insertInto('transfers')
      .values({
        cause_id: order.id,
        kind: 'purchase',
        account_id: order.accountId,
        from_purse: 'main',
        to_purse: 'sales',
        amount: debit.amount,
        from_entry_no: debit.fromEntryNo,
        from_balance_after: debit.fromBalanceAfter,
      })
      .execute()
    await tx
      .updateTable('wallets')
      .set({ balance: debit.fromBalanceAfter as number, last_entry_no: debit.fromEntryNo as number })
      .where('account_id', '=', order.accountId)
      .where('purse', '=', 'main')
      .execute()
  }
  return outcomes[0] as CallOutcome
}

/**
 * The usual implementation, on the same tables: one transaction per request, which locks the wallet, reads, and writes row
 * by row. Takes single orders only.
 */
export function openTextbookIntake(database: Pick<DatabaseOptions, 'url' | 'role'>, kinds: OrderKinds): Intake {
  const db: Db = connectDatabase({ ...database, poolSize, applicationName: 'makola bench textbook' })
  const queue: CallQueue = {
    submit: (call) => db.transaction().execute((tx) => placeOne(tx, call, kinds)),
    close: () => db.destroy(),
  }
  return { queue }
}
