import { formatOfPurse } from '../../money/by-people/wallet-kinds.ts'
import type { Transfer } from '../../money/post-transfer.ts'
import { addApproval } from './add-approval.ts'
import type { DemoHistory } from './demo-history.ts'
import type { DemoAccount } from './invent-accounts.ts'

/** In the demo, a credit of this amount or more takes two people. */
const twoPeopleFromPesewas = 300_000

const notes = ['MoMo', 'MoMo', 'MoMo', 'bank transfer', 'cash at the shop', 'MTN MoMo from Kwabɛna']

/** The balance before and after a change, as a proposal shows it. */
function describeBalanceChange(history: DemoHistory, { id }: DemoAccount, purse: 'main' | 'sms_credits', change: number) {
  const balance = history.balanceOf(id, purse)
  return { before: formatOfPurse(purse, balance), after: formatOfPurse(purse, balance + change) }
}

/** Credits a wallet; a large credit takes two people. @returns the id of the credit */
export function payIn(
  history: DemoHistory,
  account: DemoAccount,
  purse: 'main' | 'sms_credits',
  amount: number,
  at: number,
): string {
  const { chance } = history
  const id = chance.idAt(at)
  const note = chance.pick(notes)
  const externalId = `momo-${new Date(at).toISOString().slice(0, 10)}-${id.slice(-8)}`
  const isMoney = purse === 'main'
  const action = isMoney ? 'wallet credit' : 'sms credit'
  const request = { accountId: account.id, amount, externalId, note }
  const foreseen = describeBalanceChange(history, account, purse, amount)
  const agreed =
    isMoney && amount >= twoPeopleFromPesewas
      ? addApproval(history, { at, kind: action, subject: account.id, request, reason: note, ...foreseen })
      : undefined
  const actor = agreed?.actor ?? chance.pick(['ama', 'kofi', 'esi'])
  const approval_id = agreed?.id ?? null
  const credit = { id, account_id: account.id, purse, external_id: externalId, amount, note, actor, approval_id }
  history.add('wallet_credits', { ...credit, created_at: new Date(at) })
  if (!agreed) {
    const details = { credit_id: id, amount: formatOfPurse(purse, amount), external_id: externalId, note }
    history.log({ at, actor, action, subject: account.id, details })
  }
  const entry = isMoney
    ? ({ kind: 'credit', fromPurse: 'top_ups' } as const)
    : ({ kind: 'sms_credit', fromPurse: 'sms_credit_sales' } as const)
  history.post(at, { ...entry, causeId: id, accountId: account.id, toPurse: purse, amount, note })
  return id
}

/**
 * Moves money or credits out of a wallet. If the wallet would then hold too little, a multiple of the reseller's usual top-up,
 * or of 500 credits, is paid in first.
 */
export function spend(history: DemoHistory, account: DemoAccount, at: number, transfer: Omit<Transfer, 'accountId'>): void {
  const { amount, fromPurse } = transfer
  const { id: accountId, topUpPesewas } = account
  if (fromPurse === 'main' && history.balanceOf(accountId, 'main') < amount + topUpPesewas / 10)
    payIn(history, account, 'main', topUpPesewas * Math.ceil((amount + 1) / topUpPesewas), at)
  if (fromPurse === 'sms_credits' && history.balanceOf(accountId, 'sms_credits') < amount)
    payIn(history, account, 'sms_credits', 500 * Math.ceil((amount * 3) / 500), at)
  history.post(at, { ...transfer, accountId })
}

export function takeBackCredit(history: DemoHistory, account: DemoAccount, creditId: string, at: number): void {
  const { id: accountId, topUpPesewas: amount } = account
  const reason = 'typed twice'
  const request = { accountId, amount, creditId }
  const foreseen = describeBalanceChange(history, account, 'main', -amount)
  const { id, actor } = addApproval(history, { at, kind: 'wallet correct', subject: accountId, request, reason, ...foreseen })
  const correction = { id, account_id: accountId, purse: 'main', credit_id: creditId, amount, reason, actor } as const
  history.add('wallet_corrections', { ...correction, created_at: new Date(at) })
  spend(history, account, at, { causeId: id, kind: 'correction', fromPurse: 'main', toPurse: 'top_ups', amount, note: reason })
}

/** Adds a proposed credit that waits for a second person to approve it, and one that was refused. */
export function addProposals(history: DemoHistory, account: DemoAccount): void {
  const { until } = history
  for (const [state, at, amount] of [
    ['refused', until - 5 * 86_400_000, 450_000],
    ['pending', until - 7_200_000, 520_000],
  ] as const) {
    const externalId = `momo-late-${amount}`
    const reason = 'bank transfer'
    const request = { accountId: account.id, amount, externalId, note: reason }
    const proposal = { at, kind: 'wallet credit', key: externalId, subject: account.id, request, reason, state }
    history.later(
      at,
      () => void addApproval(history, { ...proposal, ...describeBalanceChange(history, account, 'main', amount) }),
    )
  }
}
