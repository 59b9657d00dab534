import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { formatGhs } from '../../money/pesewas.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import type { Account } from '../account.ts'
import type { AccountNotices } from '../notices/set-account-notices.ts'

export const RoleName = OneOf(['customer', 'agent', 'dealer'])
export const StatusName = OneOf(['active', 'suspended'])

/** An account as `--json` has it. */
export const PrintedAccount = Type.Object({
  accountId: Uuid(),
  email: Type.String(),
  name: Type.String(),
  role: RoleName,
  roleExpiresAt: WithWireName('expires_at', Nullable(Timestamp())),
  status: StatusName,
  isBusiness: Type.Boolean(),
  policyAcceptedAt: Nullable(Timestamp()),
  createdAt: Timestamp(),
})

export function describeAccount(account: Account): string {
  const until = account.roleExpiresAt ? ` until ${account.roleExpiresAt.toISOString()}` : ''
  const business = account.isBusiness ? ', business' : ''
  return `${account.accountId}  ${account.email}  ${account.name}  ${account.role}${until}, ${account.status}${business}`
}

export const PrintedNotices = Type.Object({ lowBalancePesewas: Nullable(Ghs()), phone: Nullable(Type.String()) })

export function describeNotices({ lowBalancePesewas, phone }: Omit<AccountNotices, 'muted'>): string {
  const low = lowBalancePesewas === null ? 'not told of a low balance' : `told below ${formatGhs(lowBalancePesewas)}`
  return `${low}, ${phone === null ? 'no number for SMS' : `SMS to ${phone}`}`
}
