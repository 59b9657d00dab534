import { createAccount } from '../../accounts/create-account.ts'
import { setAccountRole } from '../../accounts/set-account-role.ts'
import { setAccountStatus } from '../../accounts/set-account-status.ts'
import { ghs } from '../../money/pesewas.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { Accepted } from '../people.schemas.ts'
import { inviteMember } from '../team/invite-member.ts'
import {
  AccountInFull,
  AccountLines,
  AccountListQuery,
  AccountPath,
  AccountRoleBody,
  AccountStatusBody,
  MadeAccount,
  NewAccountBody,
  RolePreviewQuery,
  RolePreviewView,
} from './account-desk.schemas.ts'
import { findAccountsFor } from './find-accounts.ts'
import { previewRole } from './preview-role.ts'
import { type AccountDeskDeps, accountNotFound, readAccountInFull, viewAccountLines } from './read-account-in-full.ts'

const tags = ['Accounts']
const pageAccounts = 50
const accepted = { accepted: true } as const

const momentOf = (text: string | undefined) => (text === undefined ? null : new Date(text))

function registerReadRoutes(desk: Api, deps: AccountDeskDeps): void {
  desk.get(
    '/accounts',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListAccounts',
        tags,
        summary: 'Search the accounts, newest first',
        querystring: AccountListQuery,
        response: { 200: Envelope(AccountLines) },
      },
    },
    async ({ query }) => {
      const { accounts, next } = await findAccountsFor(deps.db, {
        search: query.search,
        role: query.role,
        status: query.status,
        isBusiness: query.business === undefined ? undefined : query.business === 'yes',
        balanceBelow: query.balance_below === undefined ? undefined : Math.round(query.balance_below * 100),
        activeWithinDays: query.active_within_days,
        quietForDays: query.quiet_for_days,
        after: query.after,
        limit: pageAccounts,
      })
      return ok({ accounts: await viewAccountLines(deps, accounts), next })
    },
  )
  desk.get(
    '/accounts/:account_id',
    {
      config: { permission: 'see', refusals: [accountNotFound] },
      schema: {
        operationId: 'deskReadAccount',
        tags,
        summary: 'An account with its purses, keys, people and sales',
        params: AccountPath,
        response: { 200: Envelope(AccountInFull) },
      },
    },
    async ({ params }) => ok(await readAccountInFull(deps, params.account_id)),
  )
}

function registerPreviewRoute(desk: Api, deps: AccountDeskDeps): void {
  desk.get(
    '/accounts/:account_id/role-preview',
    {
      config: { permission: 'see', refusals: [accountNotFound] },
      schema: {
        operationId: 'deskPreviewRole',
        tags,
        summary: 'What an account would pay and earn with another role',
        params: AccountPath,
        querystring: RolePreviewQuery,
        response: { 200: Envelope(RolePreviewView) },
      },
    },
    async ({ params, query }) => {
      const preview = await previewRole(deps, { accountId: params.account_id, role: query.role })
      if (!preview) throw new RefusalError(accountNotFound)
      const prices = preview.prices.map(({ name, before, after }) => ({ name, before: ghs(before), after: ghs(after) }))
      return ok({ ...preview, prices, shares: [...preview.shares] })
    },
  )
}

function registerCreateRoute(desk: Api, { db, throttle }: AccountDeskDeps): void {
  desk.post(
    '/accounts',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [409, 429] },
      schema: {
        operationId: 'deskCreateAccount',
        tags,
        summary: 'Make an account, and invite its first owner by mail',
        body: NewAccountBody,
        response: { 200: Envelope(MadeAccount) },
      },
    },
    async ({ body, person, ip, staff: { actor } }) => {
      await throttle.count('invite', person.personId, ip)
      const { name, email, role, is_business: isBusiness } = body
      const accountId = await inTransaction(db, async (tx) => {
        const roleExpiresAt = momentOf(body.expires_at)
        const account = { name, email, role, roleExpiresAt, isBusiness, isPolicyAccepted: true, actor }
        const made = await createAccount(tx, account)
        await inviteMember(tx, { accountId: made.accountId, email: body.owner_email ?? email, role: 'owner', actor })
        return made.accountId
      })
      return ok({ account_id: accountId })
    },
  )
}

function registerChangeRoutes(desk: Api, { db }: AccountDeskDeps): void {
  desk.put(
    '/accounts/:account_id/role',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'deskSetAccountRole',
        tags,
        summary: 'Give an account another role',
        params: AccountPath,
        body: AccountRoleBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ params, body, staff: { actor } }) => {
      const { role, reason } = body
      const change = { accountId: params.account_id, role, roleExpiresAt: momentOf(body.expires_at), reason, actor }
      await inTransaction(db, (tx) => setAccountRole(tx, change))
      return ok(accepted)
    },
  )
  desk.put(
    '/accounts/:account_id/status',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'deskSetAccountStatus',
        tags,
        summary: 'Suspend an account, or take that back',
        description: 'A suspended account buys nothing, and its keys are refused. Orders that are placed go on.',
        params: AccountPath,
        body: AccountStatusBody,
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ params, body: { status, reason }, staff: { actor } }) => {
      await inTransaction(db, (tx) => setAccountStatus(tx, { accountId: params.account_id, status, reason, actor }))
      return ok(accepted)
    },
  )
}

export function registerAccountsDeskRoutes(desk: Api, deps: AccountDeskDeps): void {
  registerReadRoutes(desk, deps)
  registerPreviewRoute(desk, deps)
  registerCreateRoute(desk, deps)
  registerChangeRoutes(desk, deps)
}
