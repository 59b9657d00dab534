import Type from 'typebox'
import type { Db } from '../platform/database/database.ts'
import type { Api } from '../platform/http/api.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { limits } from '../platform/http/limits/rate-limits.ts'
import { ghs, pesewas } from './pesewas.ts'
import { readWallet } from './read-wallet.ts'

const WalletBalance = Type.Object(
  {
    balance: Type.Number({ description: 'What can be spent now, in GHS.', examples: [1000] }),
    currency: Type.Literal('GHS'),
  },
  { title: 'WalletBalance' },
)

/** The wallet (contract, GET /wallet/balance). */
export function registerMoneyRoutes(api: Api, deps: { readonly db: Db }): void {
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
}
