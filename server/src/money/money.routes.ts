import Type from 'typebox'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { limits } from '../platform/http/limits/endpoint-limits.ts'
import type { Api } from '../platform/http/route-types.ts'
import { AskedMoment, Moment, Nullable, OneOf, sensitive, Uuid } from '../platform/http/schemas.ts'
import { amountIn, unitOfPurse, viewAmount } from './amount.ts'
import type { WalletRouteDeps } from './members/read-purse-for-people.ts'
import type { AccountPurse, TransferKind } from './money.tables.ts'
import { ghs, pesewas } from './pesewas.ts'
import { type LedgerEntry, listLedger } from './statement/list-ledger.ts'
import { entriesPutAway } from './statement/put-away-entries.ts'
import { entryWords, purseWords } from './statement/statement-words.ts'
import { readWallet } from './wallets.ts'

const WalletBalance = Type.Object(
  {
    balance: Type.Number({ description: 'What can be spent now, in GHS.', examples: [1000] }),
    currency: Type.Literal('GHS'),
  },
  { title: 'WalletBalance' },
)

const purses = Object.keys(purseWords) as AccountPurse[]
const kinds = Object.keys(entryWords) as TransferKind[]

const TransactionQuery = Type.Object({
  purse: Type.Optional(OneOf(purses, { description: 'Of this purse; the main wallet if it is left out.' })),
  kind: Type.Optional(OneOf(kinds, { description: 'Only transactions of this kind.' })),
  created_from: Type.Optional(AskedMoment({ description: 'Only transactions of this moment or later.' })),
  created_before: Type.Optional(AskedMoment({ description: 'Only transactions before this moment.' })),
  after: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The `next` of the page before.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Transactions on a page; 50 if it is left out.' })),
})

const TransactionPage = Type.Object(
  {
    purse: OneOf(purses),
    unit: OneOf(['GHS', 'credits'], { description: 'Of all amounts here; `credits`: SMS credits.' }),
    transactions: Type.Array(
      Type.Object(
        {
          transaction_no: Type.Integer({ description: 'Counts from 1 in each purse, without a gap.', examples: [17] }),
          created_at: Moment(),
          kind: OneOf(kinds),
          amount: Type.Number({ description: 'Above 0: it came in. Below 0: it went out.', examples: [-4.5] }),
          balance_before: Type.Number({ examples: [100] }),
          balance_after: Type.Number({ examples: [95.5] }),
          cause_id: Uuid({ description: 'The id of the order, top-up, credit, correction or adjustment that caused it.' }),
          order_id: Nullable(Uuid({ description: 'The order that it is about; null: it is about none.' })),
          reference: Type.String({ description: 'The reference of the cause, or its id where it has none.' }),
          note: Nullable(Type.String({ ...sensitive, description: 'What it was for, in words.' })),
        },
        { title: 'WalletTransaction' },
      ),
    ),
    next: Nullable(Type.Integer({ description: 'Send it as `after` for the next page; null: this is the last one.' })),
  },
  { title: 'WalletTransactionPage' },
)

function viewTransaction(purse: AccountPurse, entry: LedgerEntry) {
  const view = (amount: number) => viewAmount(amountIn(unitOfPurse(purse), amount)).amount
  return {
    transaction_no: entry.entryNo,
    created_at: entry.at.toISOString(),
    kind: entry.kind,
    amount: view(entry.amount),
    balance_before: view(entry.balanceBefore),
    balance_after: view(entry.balanceAfter),
    cause_id: entry.causeId,
    order_id: entry.order,
    reference: entry.reference,
    note: entry.note,
  }
}

/**
 * Registers the routes of the wallet (contract, GET /wallet/balance) and of the list of its transactions, which is our addition
 * to the contract.
 */
export function registerMoneyRoutes(api: Api, deps: WalletRouteDeps): void {
  api.get(
    '/wallet/balance',
    {
      config: { keyType: 'standard', limit: limits.walletBalance },
      schema: {
        tags: ['Wallet'],
        operationId: 'readWalletBalance',
        summary: 'Read the balance of the wallet',
        response: { 200: Envelope(WalletBalance) },
      },
    },
    async (request) => {
      const wallet = await readWallet(deps.db, { accountId: request.caller.accountId, purse: 'main' })
      return ok({ balance: ghs(pesewas(wallet.balance)), currency: 'GHS' as const })
    },
  )
  registerTransactionList(api, deps)
}

function registerTransactionList(api: Api, { db, nameOrders }: WalletRouteDeps): void {
  api.get(
    '/wallet/transactions',
    {
      config: { keyType: 'standard', limit: limits.walletTransactions, refusals: [entriesPutAway] },
      schema: {
        tags: ['Lists'],
        operationId: 'listWalletTransactions',
        summary: 'List the transactions of the wallet',
        description:
          'Newest first, in pages, each with the balance before and after it. All filters that are sent must hold. The numbers of a purse have no gap, so a program that knows the last one it has seen misses nothing.',
        querystring: TransactionQuery,
        response: { 200: Envelope(TransactionPage) },
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { purse = 'main', kind, created_from: from, created_before: until, after, limit = 50 } = query
      const wanted = {
        accountId,
        purse,
        kind,
        ...(from !== undefined && { from: new Date(from) }),
        ...(until !== undefined && { until: new Date(until) }),
        before: after,
        limit,
      }
      const { entries, next } = await listLedger(db, wanted, nameOrders)
      return ok({
        purse,
        unit: unitOfPurse(purse) === 'credits' ? ('credits' as const) : ('GHS' as const),
        transactions: entries.map((entry) => viewTransaction(purse, entry)),
        next,
      })
    },
  )
}
