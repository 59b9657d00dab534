import process from 'node:process'
import { readAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { formatAmount, viewAmount } from '../money/amount.ts'
import { formatGhs, ghs } from '../money/pesewas.ts'
import { momentInAccra } from '../money/statement/statement-words.ts'
import type { OrderStatus } from '../orders/order-life-cycle.ts'
import { findOrderIds } from '../orders/queries/find-order-ids.ts'
import { type ListedOrder, listOrders } from '../orders/queries/list-orders.ts'
import type { OrderQuery } from '../orders/queries/order-filters.ts'
import { writeOrderList } from '../orders/queries/write-order-list.ts'
import { formsOfRecipient } from '../personal/recipient-hash.ts'
import type { Db } from '../platform/database/database.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import { layOutTable, printable } from '../platform/texts-for-people.ts'
import { products } from '../products/products.ts'
import { CommandError } from './frame/command-error.ts'
import type { OutputFile } from './frame/output-file.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { readChoice, readCount, readCursor, readPeriod, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { writePieces, writeWholeFile } from './frame/write-whole-file.ts'

export type OrderListOptions = {
  recipient?: string
  account?: string
  product?: string
  network?: string
  supplier?: string
  status?: OrderStatus
  reference?: string
  stuck?: true
  held?: true
  contradicted?: true
  from?: string
  to?: string
  limit?: string
  after?: string
  csv?: OutputFile
}

const limitDefault = '50'
const limitMax = 1_000

/** Reads the options that need no database. */
function readQuery(options: OrderListOptions): Omit<OrderQuery, 'limit'> {
  const names = products.map(({ name }) => name)
  return {
    ...readPeriod(options),
    ...(options.recipient !== undefined && { recipients: [readText('--recipient', options.recipient)] }),
    ...(options.product !== undefined && { product: readChoice('--product', options.product, names) }),
    ...(options.network !== undefined && { network: readText('--network', options.network) }),
    ...(options.supplier !== undefined && { supplier: readText('--supplier', options.supplier) }),
    ...(options.status !== undefined && { status: options.status }),
    ...(options.stuck === true && { isStuckOnly: true }),
    ...(options.held === true && { isHeldOnly: true }),
    ...(options.contradicted === true && { isContradictedOnly: true }),
    ...(options.after !== undefined && { after: readCursor(options.after) }),
  }
}

/**
 * Finds a name, in any capitals, as this installation writes it.
 *
 * @throws CommandError when this installation has no such name
 */
function findName(what: string, text: string, names: readonly string[]): string {
  const found = names.find((name) => name.toLowerCase() === text.toLowerCase())
  if (found !== undefined) return found
  throw new CommandError(`There is no ${what} ${JSON.stringify(text)}; there are ${names.join(', ')}.`)
}

/**
 * Looks up the names, the account, the recipient and the reference of the query. An unknown name is refused, because an empty
 * list would look like an answer.
 */
async function findNames(db: Db, query: Omit<OrderQuery, 'limit'>, { account, reference }: OrderListOptions) {
  const namesOf = async (table: 'networks' | 'suppliers') =>
    (await db.selectFrom(table).select('name').distinct().orderBy('name').execute()).map(({ name }) => name)
  const { network, supplier, recipients: [recipient] = [] } = query
  return {
    ...query,
    ...(recipient !== undefined && (await formsOfRecipient({ db, openSecrets: () => loadSecretsKeys(readConfig()) }, recipient))),
    ...(network !== undefined && { network: findName('network', network, await namesOf('networks')) }),
    ...(supplier !== undefined && { supplier: findName('supplier', supplier, await namesOf('suppliers')) }),
    ...(account !== undefined && { accountId: (await readAccount(db, account)).accountId }),
    ...(reference !== undefined && { ids: await findOrderIds(db, products, readText('--reference', reference)) }),
  }
}

function viewListed(order: ListedOrder) {
  const price = viewAmount(order.price)
  return {
    order_id: order.id,
    reference: order.reference,
    account_id: order.accountId,
    account: order.account,
    kind: order.kind,
    network: order.network,
    status: order.status,
    price: price.amount,
    unit: price.unit,
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

const tableHead = ['time', 'account', 'product', 'recipient', 'price', 'status', 'supplier', 'cost', 'reference']

function cellsOf(order: ListedOrder): string[] {
  const cost = order.costPesewas === null ? '' : `${order.isCostEstimated ? '~' : ''}${formatGhs(order.costPesewas)}`
  const waits = order.holdReason === null ? '' : ` (${order.holdReason})`
  return [
    momentInAccra(order.createdAt),
    order.account ?? order.accountId,
    [order.kind, order.network ?? ''].join(' ').trim(),
    order.recipient,
    formatAmount(order.price),
    `${order.status}${waits}`,
    // An order that no supplier has yet shows the route on which it waits.
    order.supplier ?? (order.route === null ? '' : `(${order.route})`),
    cost,
    order.reference,
  ]
}

export async function runOrderList(options: OrderListOptions): Promise<void> {
  const query = readQuery(options)
  if (options.csv !== undefined) return writeOrders(options.csv, query, options)
  const limit = readCount('--limit', options.limit ?? limitDefault, { least: 1, most: limitMax })
  const { orders, next } = await withDatabase(readConfig(), async (db) =>
    listOrders(db, products, { ...(await findNames(db, query, options)), limit }),
  )
  const rows = orders.map((order) => cellsOf(order).map(printable))
  const lines = rows.length === 0 ? [] : [layOutTable([tableHead, ...rows], 'words')]
  const more = next === null ? [] : [`There are more: --after ${next}`]
  const nothing = query.isStuckOnly ? 'No order needs a person.' : 'There is no such order.'
  printResult({ orders: orders.map(viewListed), next }, [...lines, ...more].join('\n') || nothing)
}

/** Writes the orders that match to a file: all of them, or as many as `--limit` says. */
async function writeOrders(file: OutputFile, query: Omit<OrderQuery, 'limit'>, options: OrderListOptions): Promise<void> {
  const { limit } = options
  const most = limit === undefined ? Infinity : readCount('--limit', limit, { least: 1, most: Number.MAX_SAFE_INTEGER })
  const progress = openProgressLine(process.stderr, (written) => `${written} orders written`)
  try {
    const count = await withDatabase(readConfig(), async (db) => {
      const named = await findNames(db, query, options)
      let count = 0
      async function* pieces() {
        for await (const { text, written } of writeOrderList(db, products, named, most)) {
          yield text
          count = written
          progress.show(count)
        }
      }
      await writeWholeFile(file, writePieces(pieces()))
      return count
    })
    progress.close()
    printResult({ exported: count, file: file.path }, `${count} orders were written to ${file.path}.`)
  } finally {
    progress.close()
  }
}
