import { sql } from 'kysely'
import { pricingRole, type Role } from '../accounts/caller.ts'
import type { AccountPurse } from '../money/money.tables.ts'
import { lockWallets, type WalletKey, walletId } from '../money/wallets.ts'
import { writeTransfers } from '../money/write-transfers.ts'
import type { Tx } from '../platform/database/database.ts'
import { type AccountReference, readAccountReferences, writeAccountReferences } from './account-references.ts'
import type { Books, OrderCall, OrderKinds, ReferenceBook } from './books.ts'
import { type Birth, type CallOutcome, decideCalls } from './decide-calls.ts'
import { listOrdersById } from './order.ts'
import type { AccountBook, OrderItem } from './order-kind.ts'
import { ownLoopRoutePattern } from './own-loop-route.ts'
import { peoplesRoutePattern } from './peoples-route.ts'
import { accountKeyOf, repeatKeyOf, sharedKeyOf } from './repeat-key.ts'

/** `wallet_busy`: somebody else holds the wallet, and this run did not wait for it. Nothing was done for the call. */
export type BatchOutcome = CallOutcome | 'wallet_busy'

/**
 * Places a batch of calls in one transaction: lock the wallets, reserve the references, read, decide
 * in memory, write. Returns an outcome per call; they are true once the transaction has committed.
 *
 * @param isSkippingLocked leaves out calls whose wallet somebody else holds
 */
export async function placeBatch(
  tx: Tx,
  calls: readonly OrderCall[],
  kinds: OrderKinds,
  isSkippingLocked: boolean,
): Promise<BatchOutcome[]> {
  const wallets = await lockWallets(tx, payingWallets(calls, kinds), isSkippingLocked)
  const isReachable = (call: OrderCall) => payingWallets([call], kinds).every((key) => wallets.has(walletId(key)))
  const reachable = calls.filter(isReachable)
  if (reachable.length === 0) return calls.map(() => 'wallet_busy')

  const items = reachable.flatMap((call) => call.items)
  const reserved = await reserveReferences(tx, items)
  const books: Books = { ...(await readState(tx, items, reserved)), wallets, reads: new Map() }
  for (const [kind, ofKind] of groupByKind(items)) {
    books.reads.set(kind, await kinds.get(kind)?.read(tx, ofKind, books.catalogueVersion))
  }

  const { outcomes, births } = decideCalls(reachable, books, kinds)
  await releaseReferences(tx, reserved, births)
  await writeAccountReferences(
    tx,
    births.map((birth) => birth.item),
  )
  await writeOrders(tx, births)
  await writeTransfers(
    tx,
    births.map((birth) => birth.debit),
  )
  for (const [kind, ofKind] of groupByKind(births.map((birth) => birth.item))) {
    await kinds.get(kind)?.write(tx, ofKind, books.reads.get(kind))
  }
  const outcomeOf = new Map(reachable.map((call, index) => [call, outcomes[index] as CallOutcome]))
  return calls.map((call) => outcomeOf.get(call) ?? 'wallet_busy')
}

function payingWallets(calls: readonly OrderCall[], kinds: OrderKinds): WalletKey[] {
  const keys = new Map<string, WalletKey>()
  for (const call of calls) {
    const kind = call.items[0]?.kind ?? ''
    const purse: AccountPurse = kinds.get(kind)?.purse ?? 'main'
    keys.set(walletId({ accountId: call.accountId, purse }), { accountId: call.accountId, purse })
  }
  return [...keys.values()]
}

/** In the kinds' alphabetical order, so that two batches lock the stock of several products in the same order. */
function groupByKind(items: readonly OrderItem[]): Map<string, OrderItem[]> {
  return new Map([...Map.groupBy(items, (item) => item.kind)].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The items whose reference stands in the one name space of all accounts. */
function sharedItems(items: readonly OrderItem[]): OrderItem[] {
  return items.filter((item) => item.repeatKey === undefined)
}

/**
 * Inserts every shared reference of the batch in one fixed order and returns those that were free, with the
 * item they were reserved for. Waits for another transaction that is inserting the same one.
 */
async function reserveReferences(tx: Tx, items: readonly OrderItem[]): Promise<Map<string, OrderItem>> {
  const first = new Map<string, OrderItem>()
  for (const item of sharedItems(items)) if (!first.has(item.reference)) first.set(item.reference, item)
  if (first.size === 0) return first
  const wanted = [...first.values()]
  const { rows } = await sql<{ reference: string }>`
    insert into order_references (reference, account_id, order_id, kind, fingerprint)
    select reference, account_id, order_id, kind, decode(fingerprint, 'hex')
    from unnest(
      ${wanted.map((item) => item.reference)}::text[],
      ${wanted.map((item) => item.accountId)}::uuid[],
      ${wanted.map((item) => item.orderId)}::uuid[],
      ${wanted.map((item) => item.kind)}::text[],
      ${wanted.map((item) => item.fingerprint)}::text[])
      as wanted (reference, account_id, order_id, kind, fingerprint)
    order by reference collate "C"
    on conflict do nothing
    returning reference`.execute(tx)
  return new Map(rows.map(({ reference }) => [reference, first.get(reference) as OrderItem]))
}

type State = Pick<Books, 'now' | 'catalogueVersion' | 'accounts' | 'references' | 'orders'>

/**
 * Reads, in a statement after the locks so that its snapshot is younger than they are: the database's
 * clock, the catalogue's version, the accounts, and who holds the references that were not free.
 */
async function readState(tx: Tx, items: readonly OrderItem[], reserved: ReadonlyMap<string, OrderItem>): Promise<State> {
  const accountIds = [...new Set(items.map((item) => item.accountId))]
  const wanted = new Set(sharedItems(items).map((item) => item.reference))
  const taken = [...wanted].filter((reference) => !reserved.has(reference))
  const { rows } = await sql<{
    now: Date
    catalogue_version: number
    accounts: { id: string; status: string; role: Role; role_expires_at: string | null }[] | null
    holders: Holder[] | null
  }>`
    select clock_timestamp() as now, catalogue_version,
      (select json_agg(json_build_object('id', id, 'status', status, 'role', role, 'role_expires_at', role_expires_at))
        from accounts where id = any(${accountIds}::uuid[])) as accounts,
      (select json_agg(json_build_object('reference', reference, 'order_id', order_id, 'account_id', account_id,
          'kind', kind, 'fingerprint', encode(fingerprint, 'hex')))
        from order_references where reference = any(${taken}::text[])) as holders
    from cache_epoch`.execute(tx)
  const row = rows[0]
  if (!row) throw new Error('the table cache_epoch has lost its row')
  const holders = row.holders ?? []
  if (holders.length !== taken.length) throw new Error('a taken reference vanished while its transaction was read')
  const ofAccounts = await readAccountReferences(tx, items)
  const references = booksOfReferences(holders, ofAccounts)
  const accounts = new Map<string, AccountBook>(
    (row.accounts ?? []).map((account) => {
      const expiresAt = account.role_expires_at === null ? null : new Date(account.role_expires_at)
      return [
        account.id,
        {
          isSuspended: account.status !== 'active',
          isPermanent: expiresAt === null,
          pricingRole: pricingRole(account.role, expiresAt, row.now),
        },
      ]
    }),
  )
  // What is recognised by no reference is recognised by the order's id, after a commit whose answer was lost.
  const unnamed = items.filter((item) => repeatKeyOf(item) === undefined).map((item) => item.orderId)
  const orderIds = [...references.values()].map((holder) => holder.orderId)
  const orders = await listOrdersById(tx, [...new Set([...orderIds, ...unnamed])])
  return { now: row.now, catalogueVersion: row.catalogue_version, accounts, references, orders }
}

type Holder = { reference: string; order_id: string; account_id: string; kind: string; fingerprint: string }

function booksOfReferences(shared: readonly Holder[], ofAccounts: readonly AccountReference[]): Map<string, ReferenceBook> {
  const bookOf = (holder: Omit<Holder, 'reference'>): ReferenceBook => ({
    orderId: holder.order_id,
    accountId: holder.account_id,
    kind: holder.kind,
    fingerprint: holder.fingerprint,
  })
  return new Map([
    ...shared.map((holder) => [sharedKeyOf(holder.reference), bookOf(holder)] as const),
    ...ofAccounts.map((row) => [accountKeyOf(row.account_id, row.service, row.reference), bookOf(row)] as const),
  ])
}

/** Gives back the references of refused items, and corrects those that a later item of the batch won. */
async function releaseReferences(tx: Tx, reserved: ReadonlyMap<string, OrderItem>, births: readonly Birth[]): Promise<void> {
  const winners = new Map(sharedItems(births.map((birth) => birth.item)).map((item) => [item.reference, item]))
  const unused = [...reserved.keys()].filter((reference) => winners.get(reference) !== reserved.get(reference))
  if (unused.length === 0) return
  await sql`delete from order_references where reference = any(${unused}::text[])`.execute(tx)
  const late = unused.flatMap((reference) => winners.get(reference) ?? [])
  if (late.length > 0) await reserveReferences(tx, late)
}

async function writeOrders(tx: Tx, births: readonly Birth[]): Promise<void> {
  if (births.length === 0) return
  const orders = births.map((birth) => birth.order)
  await sql`
    with born as (
      insert into orders (id, account_id, kind, reference, status, price, recipient, source, details, created_at, updated_at)
      select id, account_id, kind, reference, status, price, recipient, source, details::jsonb, created_at, created_at
      from unnest(
        ${orders.map((order) => order.id)}::uuid[],
        ${orders.map((order) => order.accountId)}::uuid[],
        ${orders.map((order) => order.kind)}::text[],
        ${orders.map((order) => order.reference)}::text[],
        ${orders.map((order) => order.status)}::text[],
        ${orders.map((order) => order.pricePesewas)}::bigint[],
        ${orders.map((order) => order.recipient)}::text[],
        ${orders.map((order) => order.source)}::text[],
        ${orders.map((order) => JSON.stringify(order.details))}::text[],
        ${orders.map((order) => order.createdAt)}::timestamptz[])
        as born (id, account_id, kind, reference, status, price, recipient, source, details, created_at)
    )
    insert into open_orders (order_id, route, next_step_at, hold_reason)
    select order_id, route, case when route like ${peoplesRoutePattern} or route like ${ownLoopRoutePattern} then 'infinity' else clock_timestamp() end,
      case when status = 'queued' then 'not_registered' end
    from unnest(
      ${orders.map((order) => order.id)}::uuid[],
      ${births.map((birth) => birth.route ?? null)}::text[],
      ${orders.map((order) => order.status)}::text[]) as open (order_id, route, status)
    where route is not null`.execute(tx)
}
