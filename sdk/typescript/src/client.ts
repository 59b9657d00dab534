import { type CallOptions, type ClientOptions, Connection } from './connection.ts'
import type { endpoints } from './endpoints.ts'
import { ConflictError, NotFoundError } from './errors.ts'
import { followPages, readPages } from './pages.ts'
import type { Body, Data, Query, WithOwnReference } from './types.ts'
import { type Ended, type Product, waitUntilDone } from './wait-until-done.ts'

/** A registration; `new_balance` is left out where the answer of the API was lost and the order was looked up instead. */
export type Registration = Omit<Data<'registerAfa'>, 'new_balance'> & { readonly new_balance?: number }

type Batch = { readonly orders: readonly WithOwnReference<Body<'purchaseData'>>[] }

/**
 * The reseller API of one installation. Amounts are in GHS with at most two decimals.
 *
 * Calls that cost money are repeated with the same reference until the outcome is known or the deadline is over, so that an
 * order exists at most once and is paid at most once. They throw `RefusedError` or `UnavailableError` when this call charged
 * nothing, and `UnclearError` when nobody can know: then repeat the same reference.
 */
export class MakolaClient {
  readonly #connection: Connection

  constructor(options: ClientOptions) {
    this.#connection = new Connection(options)
  }

  #read<Name extends keyof typeof endpoints>(
    endpoint: Name,
    options?: CallOptions,
    more: { path?: string; query?: object; body?: object } = {},
  ): Promise<Data<Name>> {
    return this.#connection.read<Data<Name>>({ endpoint, ...more }, options)
  }

  async #place<Name extends keyof typeof endpoints>(
    endpoint: Name,
    order: { reference?: string | null },
    options?: CallOptions,
  ): Promise<Data<Name>> {
    const body = await this.#connection.withReference(endpoint, order)
    return this.#connection.read<Data<Name>>({ endpoint, body, reference: body.reference }, options)
  }

  /** The role of the account, which decides its prices, and when it expires. */
  readAccountRole(options?: CallOptions): Promise<Data<'readAccountRole'>> {
    return this.#read('readAccountRole', options)
  }

  /** The balance of the main wallet, in GHS. */
  readWalletBalance(options?: CallOptions): Promise<Data<'readWalletBalance'>> {
    return this.#read('readWalletBalance', options)
  }

  /** One page of the entries of a purse, newest first, each with the balance before and after it. */
  listWalletTransactions(
    query: Query<'listWalletTransactions'> = {},
    options?: CallOptions,
  ): Promise<Data<'listWalletTransactions'>> {
    return this.#read('listWalletTransactions', options, { query })
  }

  /** All entries of a purse, newest first, page by page as you take them. */
  everyWalletTransaction(
    query: Omit<Query<'listWalletTransactions'>, 'after'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Data<'listWalletTransactions'>['transactions'][number]> {
    return followPages(async (after?: number) => {
      const { transactions, next } = await this.listWalletTransactions({ ...query, ...(after && { after }) }, options)
      return { rows: transactions, next }
    })
  }

  /** One page of the orders of all products, newest first. */
  listAllOrders(query: Query<'listAllOrders'> = {}, options?: CallOptions): Promise<Data<'listAllOrders'>> {
    return this.#read('listAllOrders', options, { query })
  }

  /** The orders of all products, newest first, page by page as you take them. */
  everyOrder(
    query: Omit<Query<'listAllOrders'>, 'after'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Data<'listAllOrders'>['orders'][number]> {
    return followPages(async (after?: string) => {
      const { orders, next } = await this.listAllOrders({ ...query, ...(after && { after }) }, options)
      return { rows: orders, next }
    })
  }

  /** Reads one of your own calls, by the `X-Request-Id` of its answer. */
  readRequest(requestId: string, options?: CallOptions): Promise<Data<'readRequest'>> {
    return this.#read('readRequest', options, { path: requestId })
  }

  /** The data bundles on sale, at the price of your role. */
  listPackages(query: Query<'listPackages'> = {}, options?: CallOptions): Promise<Data<'listPackages'>> {
    return this.#read('listPackages', options, { query })
  }

  /** Buys a data bundle. Accepted is not yet delivered: see `waitUntilDone`. */
  purchaseData(order: WithOwnReference<Body<'purchaseData'>>, options?: CallOptions): Promise<Data<'purchaseData'>> {
    return this.#place('purchaseData', order, options)
  }

  /** Buys up to 100 data bundles, all or none. Each has a reference of its own. */
  async purchaseDataBatch(batch: Batch, options?: CallOptions): Promise<Data<'purchaseDataBatch'>> {
    const orders: Body<'purchaseData'>[] = []
    for (const order of batch.orders) orders.push(await this.#connection.withReference('purchaseDataBatch', order))
    // The first reference stands for the batch in errors; each of its orders is repeated with its own.
    const reference = orders[0]?.reference ?? ''
    return this.#connection.read({ endpoint: 'purchaseDataBatch', body: { orders }, reference }, options)
  }

  /** Reads a data order by your reference or its id. */
  findDataOrder(reference: string, options?: CallOptions): Promise<Data<'findDataOrder'>> {
    return this.#read('findDataOrder', options, { path: reference })
  }

  /** Checks whether an MTN number is registered, and submits it for registration if it is not. */
  verifyNumber(body: Body<'verifyNumber'>, options?: CallOptions): Promise<Data<'verifyNumber'>> {
    return this.#read('verifyNumber', options, { body })
  }

  /** Checks whether an MTN number is registered on server 1, and submits it there if it is not. */
  verifyNumberOnServer1(body: Body<'verifyNumberOnServer1'>, options?: CallOptions): Promise<Data<'verifyNumberOnServer1'>> {
    return this.#read('verifyNumberOnServer1', options, { body })
  }

  /** Checks whether an MTN number is registered on server 2, and submits it there if it is not. */
  verifyNumberOnServer2(body: Body<'verifyNumberOnServer2'>, options?: CallOptions): Promise<Data<'verifyNumberOnServer2'>> {
    return this.#read('verifyNumberOnServer2', options, { body })
  }

  /** Buys airtime at face value. */
  purchaseAirtime(order: WithOwnReference<Body<'purchaseAirtime'>>, options?: CallOptions): Promise<Data<'purchaseAirtime'>> {
    return this.#place('purchaseAirtime', order, options)
  }

  /** The 30 newest airtime orders. */
  listAirtimeOrders(options?: CallOptions): Promise<Data<'listAirtimeOrders'>> {
    return this.#read('listAirtimeOrders', options)
  }

  /** Reads an airtime order by your reference or its id. */
  findAirtimeOrder(reference: string, options?: CallOptions): Promise<Data<'findAirtimeOrder'>> {
    return this.#read('findAirtimeOrder', options, { path: reference })
  }

  /** The types of results-checker vouchers on sale, with the price of your role and the stock. */
  listVoucherTypes(options?: CallOptions): Promise<Data<'listVoucherTypes'>> {
    return this.#read('listVoucherTypes', options)
  }

  /** Buys results-checker vouchers. They are in the answer, and again in `recallVouchers`. */
  purchaseVouchers(order: WithOwnReference<Body<'purchaseVouchers'>>, options?: CallOptions): Promise<Data<'purchaseVouchers'>> {
    return this.#place('purchaseVouchers', order, options)
  }

  /** The 30 newest orders of vouchers. */
  listVoucherOrders(options?: CallOptions): Promise<Data<'listVoucherOrders'>> {
    return this.#read('listVoucherOrders', options)
  }

  /** Reads an order of vouchers, with the vouchers. */
  recallVouchers(reference: string, options?: CallOptions): Promise<Data<'recallVouchers'>> {
    return this.#read('recallVouchers', options, { path: reference })
  }

  /**
   * Submits an AFA registration. The API refuses every reference that is taken, its own repeat too; after a lost answer this
   * method therefore looks the registration up. Never use one reference for two people.
   */
  async registerAfa(applicant: WithOwnReference<Body<'registerAfa'>>, options?: CallOptions): Promise<Registration> {
    const body = await this.#connection.withReference('registerAfa', applicant)
    const { reference } = body
    const answer = await this.#connection.ask({ endpoint: 'registerAfa', body, reference }, options)
    if ('data' in answer) return answer.data as Data<'registerAfa'>
    if (!answer.isAfterUnclearTry || !(answer.refusal instanceof ConflictError)) throw answer.refusal
    const found = await this.#connection.ask(
      { endpoint: 'findAfaOrder', path: reference, reference },
      { ...options, isRepeat: true },
    )
    if ('data' in found) {
      const { id, status } = found.data as Data<'findAfaOrder'>
      return { order_id: id, reference, status }
    }
    // A reference that is taken and not found belongs to another account.
    throw found.refusal instanceof NotFoundError ? answer.refusal : found.refusal
  }

  /** The 30 newest AFA registrations. */
  listAfaOrders(options?: CallOptions): Promise<Data<'listAfaOrders'>> {
    return this.#read('listAfaOrders', options)
  }

  /** Reads an AFA registration by your reference or its id. */
  findAfaOrder(reference: string, options?: CallOptions): Promise<Data<'findAfaOrder'>> {
    return this.#read('findAfaOrder', options, { path: reference })
  }

  /** Sends a text to one number or up to 10,000. */
  sendSms(text: WithOwnReference<Body<'sendSms'>>, options?: CallOptions): Promise<Data<'sendSms'>> {
    return this.#place('sendSms', text, options)
  }

  /** The names that your texts may come from. */
  listSmsSenders(options?: CallOptions): Promise<Data<'listSmsSenders'>> {
    return this.#read('listSmsSenders', options)
  }

  /** One page of campaigns, 30 a page, newest first. */
  listSmsCampaigns(query: Query<'listSmsCampaigns'> = {}, options?: CallOptions): Promise<Data<'listSmsCampaigns'>> {
    return this.#read('listSmsCampaigns', options, { query })
  }

  /** All campaigns, newest first, page by page as you take them. */
  everySmsCampaign(
    query: Omit<Query<'listSmsCampaigns'>, 'page'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Data<'listSmsCampaigns'>['campaigns'][number]> {
    return readPages(async (page) => (await this.listSmsCampaigns({ ...query, page }, options)).campaigns, 30)
  }

  /** One page of a campaign's messages, 100 a page. */
  listSmsMessages(id: string, query: Query<'listSmsMessages'> = {}, options?: CallOptions): Promise<Data<'listSmsMessages'>> {
    return this.#read('listSmsMessages', options, { path: id, query })
  }

  /** All messages of a campaign, page by page as you take them. */
  everySmsMessage(
    id: string,
    query: Omit<Query<'listSmsMessages'>, 'page'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Data<'listSmsMessages'>['messages'][number]> {
    return readPages(async (page) => (await this.listSmsMessages(id, { ...query, page }, options)).messages, 100)
  }

  /** One page of the numbers that have opted out of your campaigns. */
  listSmsOptOuts(query: Query<'listSmsOptOuts'> = {}, options?: CallOptions): Promise<Data<'listSmsOptOuts'>> {
    return this.#read('listSmsOptOuts', options, { query })
  }

  /** All numbers that have opted out, page by page as you take them. */
  everySmsOptOut(options?: CallOptions): AsyncGenerator<string> {
    return followPages(async (after?: string) => {
      const { numbers, next } = await this.listSmsOptOuts({ ...(after && { after }) }, options)
      return { rows: numbers, next }
    })
  }

  /** Leaves numbers out of your campaigns. */
  addSmsOptOuts(body: Body<'addSmsOptOuts'>, options?: CallOptions): Promise<Data<'addSmsOptOuts'>> {
    return this.#read('addSmsOptOuts', options, { body })
  }

  /** Lets campaigns reach numbers again. */
  removeSmsOptOuts(body: Body<'removeSmsOptOuts'>, options?: CallOptions): Promise<Data<'removeSmsOptOuts'>> {
    return this.#read('removeSmsOptOuts', options, { body })
  }

  /** The number of SMS credits of the account. */
  readSmsBalance(options?: CallOptions): Promise<Data<'readSmsBalance'>> {
    return this.#read('readSmsBalance', options)
  }

  /** The billers, with the least and the most that one payment may be. */
  listBillers(options?: CallOptions): Promise<Data<'listBillers'>> {
    return this.#read('listBillers', options)
  }

  /** Reads the name of the holder of an account, meter or smartcard, and the amount that is due. */
  lookUpBillAccount(query: Query<'lookUpBillAccount'>, options?: CallOptions): Promise<Data<'lookUpBillAccount'>> {
    return this.#read('lookUpBillAccount', options, { query })
  }

  /** Pays a bill. The answer's `reference` is the one that `findUtilityOrder` takes; yours only makes repeats safe. */
  payBill(payment: WithOwnReference<Body<'payBill'>>, options?: CallOptions): Promise<Data<'payBill'>> {
    return this.#place('payBill', payment, options)
  }

  /** Reads a payment by the reference of the answer of `payBill`. */
  findUtilityOrder(reference: string, options?: CallOptions): Promise<Data<'findUtilityOrder'>> {
    return this.#read('findUtilityOrder', options, { path: reference })
  }

  /**
   * Waits until an order has ended.
   *
   * @param reference as in the answer of the purchase
   * @param waitSeconds how long to wait at most
   * @returns the order as it has ended: look at its `status`
   * @throws StillOpenError when it has not ended by then: it is still on its way
   */
  waitUntilDone<Name extends Product = 'data'>(reference: string, product?: Name, waitSeconds?: number): Promise<Ended<Name>> {
    return waitUntilDone(this.#connection, reference, product, waitSeconds)
  }
}
