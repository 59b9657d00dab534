import Type from 'typebox'
import { createAccount } from '../../accounts/create-account.ts'
import { describeKey, PrintedKey } from '../../accounts/desk/keys.operations.ts'
import {
  describeAccount,
  describeNotices,
  PrintedAccount,
  PrintedNotices,
  RoleName,
  StatusName,
} from '../../accounts/desk/printed-account.ts'
import { listAccounts, readAccount } from '../../accounts/find-account.ts'
import { listKeys } from '../../accounts/list-keys.ts'
import { readAccountNotices } from '../../accounts/notices/set-account-notices.ts'
import { setAccountRole } from '../../accounts/set-account-role.ts'
import { setAccountStatus } from '../../accounts/set-account-status.ts'
import { amountIn, formatAmount } from '../../money/amount.ts'
import { Ghs } from '../../money/ghs.ts'
import { readPurses } from '../../money/members/read-purse-for-people.ts'
import { formatGhs } from '../../money/pesewas.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { GivenReason, Nullable, Omissible, Uuid } from '../../platform/http/schemas.ts'
import { AskedTimestamp, NeededAtDesk, Timestamp, WithHelp, WithWireName } from '../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { Accepted, Email } from '../people.schemas.ts'
import { inviteMember } from '../team/invite-member.ts'
import { countInvitation, type Throttle } from '../throttle.ts'
import { AccountInFull, AccountLines, AccountListFilters, RolePreviewView } from './account-desk.schemas.ts'
import { findAccountsFor } from './find-accounts.ts'
import { previewRole } from './preview-role.ts'
import { type AccountReads, listAccountLines, readAccountInFull } from './read-account-in-full.ts'

const pageAccounts = 50

const accountId = Uuid()
const role = RoleName
const roleEnd = AskedTimestamp({ description: 'When the role ends; left out: never.' })
const roleExpiresAt = WithWireName('expires_at', WithHelp('when the role ends, in ISO 8601; left out: never', roleEnd))

const changing = {
  tag: 'Accounts',
  permission: 'manage_accounts',
  isConfirmationNeeded: true,
  refusals: [409],
  output: Accepted,
  printed: Type.Pick(PrintedAccount, ['accountId', 'role', 'status']),
  text: describeAccount,
} as const

/** Suspends an account, or makes it active again. At the desk one route does both. */
async function setStatus(
  { db }: OperationDeps,
  { actor }: Actor,
  change: { readonly accountId: string; readonly status: 'active' | 'suspended'; readonly reason?: string },
) {
  return { ...(await inTransaction(db, (tx) => setAccountStatus(tx, { ...change, actor }))), accepted: true as const }
}

const PrintedInFull = Type.Object({
  ...PrintedAccount.properties,
  balances: Type.Object({ mainPesewas: Ghs(), commissionPesewas: Ghs(), smsCredits: Type.Integer() }),
  notices: PrintedNotices,
  keys: Type.Array(Type.Omit(PrintedKey, ['accountId', 'email'])),
  lastUsedAt: Nullable(Timestamp()),
  lastUsedAddress: WithWireName('last_used_ip', Nullable(Type.String())),
})

const reading = [
  operation({
    command: 'account show',
    summary: 'Show an account, its balances, its keys and when they were last used',
    input: Type.Object({ accountId }),
    output: PrintedInFull,
    async act({ db }, _actor, asked) {
      const account = await readAccount(db, asked.accountId)
      const keys = await listKeys(db, asked)
      const [lastUsed] = keys.toSorted((one, other) => Number(other.lastUsedAt) - Number(one.lastUsedAt))
      return {
        ...account,
        balances: await readPurses(db, asked.accountId),
        notices: await readAccountNotices(db, asked.accountId),
        keys,
        lastUsedAt: lastUsed?.lastUsedAt ?? null,
        lastUsedAddress: lastUsed?.lastUsedAddress ?? null,
      }
    },
    text: ({ balances, notices, keys, lastUsedAt, lastUsedAddress, ...account }) =>
      [
        describeAccount(account),
        `  main wallet ${formatGhs(balances.mainPesewas)}, commission ${formatGhs(balances.commissionPesewas)}, ${formatAmount(amountIn('credits', balances.smsCredits))}`,
        `  ${describeNotices(notices)}`,
        lastUsedAt ? `  last used ${lastUsedAt.toISOString()} from ${lastUsedAddress ?? 'an unknown address'}` : '  never used',
        ...(keys.length === 0 ? ['  no key yet'] : keys.map((key) => `  ${describeKey(key)}`)),
      ].join('\n'),
  }),
  operation({
    command: 'account list',
    summary: 'List all accounts',
    input: Type.Object({}),
    output: Type.Array(PrintedAccount),
    act: ({ db }) => listAccounts(db),
    text: (accounts) => accounts.map(describeAccount).join('\n') || 'There are no accounts yet.',
  }),
]

export const accountOperations = [
  operation({
    command: 'account create',
    example: 'makola account create --email ama@example.com --name "Ama Mensah" --role agent',
    summary: 'Create an account with its wallets',
    input: Type.Object({
      email: Type.String({ description: 'unique; how the account is named on the command line' }),
      name: Type.String({ maxLength: 100, description: 'the person or business' }),
      role,
      roleExpiresAt: Type.Optional(roleExpiresAt),
      isBusiness: Type.Optional(Type.Boolean({ description: 'approved for SMS' })),
    }),
    output: Type.Object({ accountId }),
    act: ({ db }, { actor }, { roleExpiresAt: until = null, isBusiness = false, ...account }) =>
      inTransaction(db, (tx) =>
        createAccount(tx, { ...account, roleExpiresAt: until, isBusiness, isPolicyAccepted: true, actor }),
      ),
    text: (made) => `Account ${made.accountId} was created. Give it a key with \`makola key create\`.`,
  }),
  operation({
    ...changing,
    command: 'account set-role',
    example: 'makola account set-role --account ama@example.com --role dealer --expires-at 2027-12-31',
    route: 'PUT /accounts/:account_id/role',
    operationId: 'deskSetAccountRole',
    summary: 'Give an account another role',
    input: Type.Object({ accountId, role, roleExpiresAt: Omissible(roleExpiresAt), reason: NeededAtDesk(GivenReason) }),
    async act({ db }, { actor }, { roleExpiresAt: until = null, ...change }) {
      const asked = { ...change, roleExpiresAt: until, actor }
      return { ...(await inTransaction(db, (tx) => setAccountRole(tx, asked))), accepted: true as const }
    },
  }),
  operation({
    ...changing,
    route: 'PUT /accounts/:account_id/status',
    operationId: 'deskSetAccountStatus',
    summary: 'Suspend an account, or take that back',
    description: 'A suspended account buys nothing, and its keys are refused. Orders that are placed go on.',
    input: Type.Object({ accountId, status: StatusName, reason: GivenReason }),
    act: setStatus,
  }),
  operation({
    ...changing,
    command: 'account suspend',
    example: 'makola account suspend --account ama@example.com',
    summary: 'Refuse all keys of an account from now on; orders already placed go on',
    input: Type.Object({ accountId, status: Type.Literal('suspended') }),
    act: setStatus,
  }),
  operation({
    ...changing,
    command: 'account reactivate',
    summary: 'Let a suspended account in again',
    input: Type.Object({ accountId, status: Type.Literal('active') }),
    act: setStatus,
  }),
  ...reading,
]

/** At the desk a new account has an owner, who is invited by mail. */
export const accountCreation = ({ throttle }: { readonly throttle: Throttle }) =>
  operation({
    route: 'POST /accounts',
    operationId: 'deskCreateAccount',
    tag: 'Accounts',
    permission: 'manage_accounts',
    isConfirmationNeeded: true,
    refusals: [409, 429],
    summary: 'Make an account, and invite its first owner by mail',
    input: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100, description: 'The person or business.' }),
      email: Email,
      role,
      roleExpiresAt: Omissible(roleExpiresAt),
      isBusiness: Type.Boolean({ description: 'Whether it is approved for SMS from the beginning.' }),
      ownerEmail: Omissible(
        Type.String({ maxLength: 254, description: 'Who is invited as its first owner; left out: the account’s own e-mail.' }),
      ),
    }),
    output: Type.Object({ accountId }, { title: 'MadeAccount' }),
    async act({ db }, who, { ownerEmail, roleExpiresAt: until = null, ...account }) {
      const { actor } = who
      await countInvitation(throttle, who)
      return inTransaction(db, async (tx) => {
        const made = await createAccount(tx, { ...account, roleExpiresAt: until, isPolicyAccepted: true, actor })
        await inviteMember(tx, { ...made, email: ownerEmail ?? account.email, role: 'owner', actor })
        return made
      })
    },
  })

/** The reads that only the desk has. */
export function accountReadOperations(reads: AccountReads) {
  return [
    operation({
      route: 'GET /accounts',
      operationId: 'deskListAccounts',
      tag: 'Accounts',
      permission: 'see',
      summary: 'Search the accounts, newest first',
      input: AccountListFilters,
      output: AccountLines,
      async act({ db }, _actor, { business, ...filters }) {
        const isBusiness = business === undefined ? undefined : business === 'yes'
        const { accounts, next } = await findAccountsFor(db, { ...filters, isBusiness, limit: pageAccounts })
        return { accounts: await listAccountLines(reads, accounts), next }
      },
    }),
    operation({
      route: 'GET /accounts/:account_id',
      operationId: 'deskReadAccount',
      tag: 'Accounts',
      permission: 'see',
      summary: 'An account with its purses, keys, people and sales',
      input: Type.Object({ accountId }),
      output: AccountInFull,
      act: (_deps, _actor, asked) => readAccountInFull(reads, asked.accountId),
    }),
    operation({
      route: 'GET /accounts/:account_id/role-preview',
      operationId: 'deskPreviewRole',
      tag: 'Accounts',
      permission: 'see',
      summary: 'What an account would pay and earn with another role',
      input: Type.Object({ accountId, role }),
      output: RolePreviewView,
      act: (_deps, _actor, asked) => previewRole(reads, asked),
    }),
  ]
}
