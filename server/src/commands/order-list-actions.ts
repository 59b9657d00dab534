import { open, unlink } from 'node:fs/promises'
import process from 'node:process'
import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { formatAmount } from '../money/amount.ts'
import { formatGhs, ghs } from '../money/pesewas.ts'
import { formsOfRecipient } from '../networks/read-phone-number.ts'
import type { OrderStatus } from '../orders/order-life-cycle.ts'
import { type ListedOrder, listOrders } from '../orders/queries/list-orders.ts'
import type { OrderQuery } from '../orders/queries/order-filters.ts'
import type { Db } from '../platform/database/database.ts'
import { inert } from '../platform/inert.ts'
import { writeCsv } from '../platform/write-csv.ts'
import { products } from '../products/products.ts'
import { CommandError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { readChoice, readCount, readCursor, readPeriod, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { viewPrice } from './order-actions.ts'

export type OrderListOptions = {
  recipient?: string
  account?: string
  product?: string
  network?: string
  supplier?: string
  status?: OrderStatus
  stuck?: true
  from?: string
  to?: string
  limit?: string
  after?: string
  csv?: string
}

const limitDefault = '50'
const limitMax = 1_000

/** Reads the options that can be checked without a database. */
function readQuery(options: OrderListOptions): Omit<OrderQuery, 'limit'> {
  const names = products.map(({ name }) => name)
  return {
    ...readPeriod(options),
    ...(options.recipient !== undefined && { recipients: formsOfRecipient(readText('--recipient', options.recipient)) }),
    ...(options.product !== undefined && { product: readChoice('--product', options.product, names) }),
    ...(options.network !== undefined && { network: readText('--network', options.network) }),
    ...(options.supplier !== undefined && { supplier: readText('--supplier', options.supplier) }),
    ...(options.status !== undefined && { status: options.status }),
    ...(options.stuck === true && { isStuckOnly: true }),
    ...(options.after !== undefined && { after: readCursor(options.after) }),
  }
}

/**
 * Finds a name whatever its capital letters.
 * @throws CommandError when this installation has no such name
 */
function findName(what: string, text: string, names: readonly string[]): string {
  const found = names.find((name) => name.toLowerCase() === text.toLowerCase())
  if (found !== undefined) return found
  throw new CommandError(`There is no ${what} ${JSON.stringify(text)}; there are ${names.join(', ')}.`)
}

/** Checks the names of the query. An unknown name is refused, because an empty list would look like an answer. */
async function findNames(db: Db, query: Omit<OrderQuery, 'limit'>, account: string | undefined) {
  const namesOf = async (table: 'networks' | 'suppliers') =>
    (await db.selectFrom(table).select('name').distinct().orderBy('name').execute()).map(({ name }) => name)
  const { network, supplier } = query
  return {
    ...query,
    ...(network !== undefined && { network: findName('network', network, await namesOf('networks')) }),
    ...(supplier !== undefined && { supplier: findName('supplier', supplier, await namesOf('suppliers')) }),
    ...(account !== undefined && { accountId: (await readAccount(db, account)).accountId }),
  }
}

function viewListed(order: ListedOrder) {
  return {
    order_id: order.id,
    reference: order.reference,
    account_id: order.accountId,
    account: order.account,
    kind: order.kind,
    network: order.network,
    status: order.status,
    ...viewPrice(order.price),
    recipient: order.recipient,
    supplier: order.supplier,
    cost: order.costPesewas === null ? null : ghs(order.costPesewas),
    cost_is_estimate: order.isCostEstimated,
    created_at: order.createdAt.toISOString(),
    route: order.route,
    next_step_at: order.nextStepAt?.toISOString() ?? null,
    hold_reason: order.holdReason,
  }
}

/** The time in Accra, which is UTC all year. */
const timeInAccra = (moment: Date) => moment.toISOString().slice(0, 19).replace('T', ' ')

const tableHead = ['time', 'account', 'product', 'recipient', 'price', 'status', 'supplier', 'cost', 'reference']

function cellsOf(order: ListedOrder): string[] {
  const cost = order.costPesewas === null ? '' : `${order.isCostEstimated ? '~' : ''}${formatGhs(order.costPesewas)}`
  const waits = order.holdReason === null ? '' : ` (${order.holdReason})`
  return [
    timeInAccra(order.createdAt),
    order.account ?? order.accountId,
    [order.kind, order.network ?? ''].join(' ').trim(),
    order.recipient,
    formatAmount(order.price),
    `${order.status}${waits}`,
    // An order that no supplier has got yet shows the route on which it waits.
    order.supplier ?? (order.route === null ? '' : `(${order.route})`),
    cost,
    order.reference,
  ]
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** `makola order list`. */
export async function runOrderList(options: OrderListOptions): Promise<void> {
  const query = readQuery(options)
  if (options.csv !== undefined) return writeOrders(options.csv, query, options)
  const limit = readCount('--limit', options.limit ?? limitDefault, { least: 1, most: limitMax })
  const { orders, next } = await withDatabase(readConfig(), async (db) =>
    listOrders(db, products, { ...(await findNames(db, query, options.account)), limit }),
  )
  const lines = orders.length === 0 ? [] : alignColumns([tableHead, ...orders.map((order) => cellsOf(order).map(inert))])
  const more = next === null ? [] : [`There are more: --after ${next}`]
  const nothing = query.isStuckOnly ? 'No order needs a person.' : 'There is no such order.'
  printResult({ orders: orders.map(viewListed), next }, [...lines, ...more].join('\n') || nothing)
}

const csvColumns: Readonly<Record<string, (order: ListedOrder) => string>> = {
  time: (order) => timeInAccra(order.createdAt),
  order_id: (order) => order.id,
  reference: (order) => order.reference,
  account: (order) => order.account ?? order.accountId,
  product: (order) => order.kind,
  network: (order) => order.network ?? '',
  recipient: (order) => order.recipient,
  price: ({ price }) => (price.unit === 'pesewas' ? ghs(price.amount).toFixed(2) : String(price.amount)),
  unit: ({ price }) => viewPrice(price).unit,
  status: (order) => order.status,
  supplier: (order) => order.supplier ?? '',
  cost: ({ costPesewas }) => (costPesewas === null ? '' : ghs(costPesewas).toFixed(2)),
  cost_is_estimate: (order) => (order.costPesewas === null ? '' : String(order.isCostEstimated)),
}

/** How many orders are read and written at a time. Memory never holds more than these. */
const csvPageSize = 1_000

/** Writes every page of the list. @returns how many orders were written */
async function writePages(
  db: Db,
  query: Omit<OrderQuery, 'limit'>,
  most: number,
  write: (rows: readonly (readonly string[])[], written: number) => Promise<void>,
): Promise<number> {
  await write([Object.keys(csvColumns)], 0)
  let written = 0
  let after: string | null | undefined = query.after
  while (after !== null && written < most) {
    const limit = Math.min(csvPageSize, most - written)
    const page = await listOrders(db, products, { ...query, ...(after !== undefined && { after }), limit })
    written += page.orders.length
    await write(
      page.orders.map((order) => Object.values(csvColumns).map((cellOf) => cellOf(order))),
      written,
    )
    after = page.next
  }
  return written
}

/** `makola order list --csv`: writes all orders that fit, unless there is a limit. */
async function writeOrders(file: string, query: Omit<OrderQuery, 'limit'>, { account, limit }: OrderListOptions): Promise<void> {
  const most = limit === undefined ? Infinity : readCount('--limit', limit, { least: 1, most: Number.MAX_SAFE_INTEGER })
  // The file names customers, so only its owner may read it. It never replaces another file.
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  })
  const progress = openProgressLine(process.stderr, (count) => `${count} orders written`)
  try {
    const count = await withDatabase(readConfig(), async (db) =>
      writePages(db, await findNames(db, query, account), most, async (rows, written) => {
        await handle.appendFile(writeCsv(rows))
        progress.show(written)
      }),
    )
    progress.close()
    printResult({ exported: count, file }, `${count} orders were written to ${file}.`)
  } catch (error) {
    progress.close()
    // An incomplete file would look like a complete one, so it is removed.
    await unlink(file)
    throw error
  } finally {
    await handle.close()
  }
}
