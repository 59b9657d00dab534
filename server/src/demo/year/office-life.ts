import type { Role } from '../../accounts/caller.ts'
import type { DemoAccount, DemoWorld } from './demo-world.ts'

const day = 86_400_000

/** One account of this many changes its role in the course of the history. */
const accountsPerRoleChange = 6

const better: Readonly<Record<Role, Role>> = { customer: 'agent', agent: 'dealer', dealer: 'agent' }

function changeRole(world: DemoWorld, account: DemoAccount, at: number): void {
  const termOf = (role: Role, expiresAt: number | null) => ({
    role,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  })
  const from = termOf(account.role, account.roleExpiresAt)
  account.role = better[account.role]
  account.roleExpiresAt = null
  const details = { from, to: termOf(account.role, null) }
  world.rows.log.push({ actor: 'ama', action: 'account set-role', subject: account.id, details, at })
}

/** Moves an account's commission to its main wallet. */
function moveCommission(world: DemoWorld, account: DemoAccount, at: number): void {
  const amount = world.balanceOf(account.id, 'commission')
  if (amount === 0) return
  const id = world.chance.idAt(at)
  const externalId = `payout-${new Date(at).toISOString().slice(0, 7)}`
  world.rows.commissionMoves.push({ id, accountId: account.id, externalId, amount, at })
  const details = { amount, external_id: externalId }
  world.rows.log.push({ actor: 'kofi', action: 'commission transfer', subject: account.id, details, at })
  const purses = { fromPurse: 'commission', toPurse: 'main' } as const
  world.post(at, { causeId: id, kind: 'commission_move', accountId: account.id, ...purses, amount })
}

/** Plans the other acts of the operator's staff: changes of roles, a suspension, and the monthly transfers of commission. */
export function planOfficeLife(world: DemoWorld): void {
  const { accounts, agenda, chance, from, until } = world
  accounts
    .filter(({ isInvented }) => isInvented)
    .forEach((account, index) => {
      agenda.add(account.joinedAt, () => {
        const details = { email: account.email, role: account.role, expires_at: null }
        world.rows.log.push({ actor: 'ama', action: 'account create', subject: account.id, details, at: account.joinedAt })
      })
      if (index % accountsPerRoleChange !== 2) return
      const at = Math.floor(Math.max(account.joinedAt, from) + (until - Math.max(account.joinedAt, from)) * chance.next())
      agenda.add(at, () => changeRole(world, account, at))
    })
  const suspended = accounts.at(-1)
  if (suspended) {
    const at = until - 3 * day
    agenda.add(at, () => {
      suspended.isSuspended = true
      const details = { reason: 'chargebacks' }
      world.rows.log.push({ actor: 'ama', action: 'account suspend', subject: suspended.id, details, at })
    })
  }
  const first = new Date(from)
  for (let month = 1; ; month += 1) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, 1, 9)
    if (at > until) break
    for (const [index, account] of accounts.entries()) {
      const paidAt = at + index * 60_000
      if (index % 4 !== 3) agenda.add(paidAt, () => moveCommission(world, account, paidAt))
    }
  }
}
