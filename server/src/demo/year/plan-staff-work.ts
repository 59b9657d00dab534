import { formatGhs, pesewas } from '../../money/pesewas.ts'
import type { DemoHistory } from './demo-history.ts'
import type { DemoAccount } from './invent-accounts.ts'
import { inventedDomain, roleAt } from './invent-accounts.ts'
import { payIn, takeBackCredit } from './pay-in.ts'

const day = 86_400_000

/** The demo's staff credit each account twice by mistake about once in this time. */
const mistakeMilliseconds = 40 * day

function termOf(account: DemoAccount, at: number) {
  const { role, endsAt } = roleAt(account, at)
  return { role, expires_at: endsAt === Number.POSITIVE_INFINITY ? null : new Date(endsAt).toISOString() }
}

function moveCommission(history: DemoHistory, { id: accountId }: DemoAccount, at: number): void {
  const amount = history.balanceOf(accountId, 'commission')
  if (amount === 0) return
  const id = history.chance.idAt(at)
  const external_id = `payout-${new Date(at).toISOString().slice(0, 7)}`
  const move = { id, account_id: accountId, external_id, amount, actor: 'kofi', created_at: new Date(at) }
  history.add('commission_moves', move)
  const details = { amount: formatGhs(pesewas(amount)), external_id }
  history.log({ at, actor: 'kofi', action: 'commission transfer', subject: accountId, details })
  history.post(at, { causeId: id, kind: 'commission_move', accountId, fromPurse: 'commission', toPurse: 'main', amount })
}

/** The log of an invented account: its making, its change of role, its suspension. */
function logAccount(history: DemoHistory, account: DemoAccount): void {
  const { id: subject, email, joinedAt, promotedAt, suspendedAt } = account
  const log = (at: number, action: string, details: object) => {
    if (at <= history.until) history.log({ at, actor: 'ama', action, subject, details })
  }
  log(joinedAt, 'account create', { email, ...termOf(account, joinedAt) })
  log(promotedAt, 'account set-role', { from: termOf(account, promotedAt - 1), to: termOf(account, promotedAt) })
  log(suspendedAt, 'account suspend', { reason: 'chargebacks' })
}

/** Credits that are typed twice, and then taken back. */
function planMistakes(history: DemoHistory, account: DemoAccount): void {
  const { chance, from, until } = history
  for (let at = Math.max(from, account.joinedAt); ; ) {
    at += 1 + Math.floor(2 * mistakeMilliseconds * chance.next())
    if (at > until - day) return
    const typedAt = at
    const takenBackAt = at + chance.between(20, 300) * 60_000
    let creditId = ''
    history.later(typedAt, () => {
      payIn(history, account, 'main', account.topUpPesewas, typedAt)
      creditId = payIn(history, account, 'main', account.topUpPesewas, typedAt)
    })
    history.later(takenBackAt, () => takeBackCredit(history, account, creditId, takenBackAt))
  }
}

/** Plans what the operator's staff do besides orders: accounts, mistakes, and the monthly transfers of commission. */
export function planStaffWork(history: DemoHistory): void {
  const { accounts, from, until } = history
  for (const account of accounts) {
    if (account.email.endsWith(inventedDomain)) logAccount(history, account)
    planMistakes(history, account)
  }
  const first = new Date(from)
  for (let month = 1; ; month += 1) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1, 9)
    if (at > until) break
    for (const [index, account] of accounts.entries()) {
      const paidAt = at + index * 60_000
      if (index % 4 !== 3) history.later(paidAt, () => moveCommission(history, account, paidAt))
    }
  }
}
