import type { TSchema } from 'typebox'
import { type Agreement, type ApprovalKind, ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { amountIn, formatAmount, unitOfPurse } from '../amount.ts'
import { lockWallets, walletId } from '../wallets.ts'

/** The purses that people credit and correct. */
export type CreditedPurse = 'main' | 'sms_credits'

export type NewWalletEntry = {
  readonly accountId: string
  readonly purse: CreditedPurse
  /** Above 0: whole pesewas, or whole credits. */
  readonly amount: number
  readonly person: Person
}

/** Formats an amount of a purse for people: `GHS 100.00`, `1000 SMS credits`. */
export function formatOfPurse(purse: CreditedPurse, amount: number): string {
  return formatAmount(amountIn(unitOfPurse(purse), amount))
}

async function lockBalance(tx: Tx, accountId: string, purse: CreditedPurse): Promise<number> {
  const wallets = await lockWallets(tx, [{ accountId, purse }])
  return wallets.get(walletId({ accountId, purse }))?.balance ?? 0
}

type WalletRequest = { readonly accountId: string; readonly amount: number }

/** An action that two people carry out on a purse: money or SMS credits. */
export type WalletAction<Request extends WalletRequest> = {
  /** The last word of the command that proposes it, after `wallet` or `sms`. */
  readonly verb: string
  readonly schema: TSchema
  readonly direction: 'in' | 'out'
  /** @param amount formatted for people */
  describe(request: Request, amount: string): string
  /** The reason why the request cannot be done. Undefined: it can. The purse is locked. */
  refuse?(tx: Tx, purse: CreditedPurse, request: Request): Promise<string | undefined>
  carryOut(tx: Tx, purse: CreditedPurse, request: Request, agreement: Agreement): Promise<Readonly<Record<string, unknown>>>
}

function walletKind<Request extends WalletRequest>(
  name: string,
  purse: CreditedPurse,
  action: WalletAction<Request>,
): ApprovalKind<Request> {
  return {
    name,
    schema: action.schema,
    describe: (request) => action.describe(request, formatOfPurse(purse, request.amount)),
    accountOf: (_db, { accountId }) => Promise.resolve(accountId),
    async lockAndPreview(tx, request) {
      const { accountId, amount } = request
      const balance = await lockBalance(tx, accountId, purse)
      const why = await action.refuse?.(tx, purse, request)
      if (why !== undefined) throw new ApprovalRefusedError(why)
      const after = action.direction === 'in' ? balance + amount : balance - amount
      if (after < 0)
        throw new ApprovalRefusedError(`The wallet holds ${formatOfPurse(purse, balance)}, less than is to be taken back.`)
      return { before: formatOfPurse(purse, balance), after: formatOfPurse(purse, after) }
    },
    carryOut: (tx, request, agreement) => action.carryOut(tx, purse, request, agreement),
  }
}

/** Makes one kind of approval for each purse. */
export function walletKindsOf<Request extends WalletRequest>(
  action: WalletAction<Request>,
): Readonly<Record<CreditedPurse, ApprovalKind<Request>>> {
  return {
    main: walletKind(`wallet ${action.verb}`, 'main', action),
    sms_credits: walletKind(`sms ${action.verb}`, 'sms_credits', action),
  }
}
