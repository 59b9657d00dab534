import Type from 'typebox'
import type { Account } from '../accounts/account.ts'
import { declineBusinessRequest } from '../accounts/business/decide-business-request.ts'
import { type BusinessRequest, listBusinessRequests } from '../accounts/business/request-business-approval.ts'
import type { Role } from '../accounts/caller.ts'
import { createAccount } from '../accounts/create-account.ts'
import { describeKey, PrintedKey } from '../accounts/desk/keys.operations.ts'
import { listAccounts, readAccount } from '../accounts/find-account.ts'
import { listKeys } from '../accounts/list-keys.ts'
import { type AccountNotices, readAccountNotices, setAccountNotices } from '../accounts/notices/set-account-notices.ts'
import { setAccountRole } from '../accounts/set-account-role.ts'
import { setAccountStatus } from '../accounts/set-account-status.ts'
import { setBusinessApproval } from '../accounts/set-business-approval.ts'
import { readConfig } from '../config.ts'
import { amountIn, formatAmount } from '../money/amount.ts'
import { formatGhs, ghs, pesewas } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { toWire } from '../platform/operations/wire.ts'
import { internationalNumber } from '../products/sms/text/read-recipients.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readChoice, readGhs, readMoment, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type NewAccountOptions = { email: string; name: string; role: string; expiresAt?: string; business?: true }
export type NoticeSettingsOptions = { account: string; lowBalance?: string; phone?: string }
export type RoleOptions = { account: string; role: string; expiresAt?: string }

const roles: readonly Role[] = ['customer', 'agent', 'dealer']

const readRole = (text: string) => readChoice('--role', text, roles)

const readExpiry = (text: string | undefined) => (text === undefined ? null : readMoment('--expires-at', text))

function viewAccount(account: Account) {
  return {
    account_id: account.accountId,
    email: account.email,
    name: account.name,
    role: account.role,
    expires_at: account.roleExpiresAt?.toISOString() ?? null,
    status: account.status,
    is_business: account.isBusiness,
    policy_accepted_at: account.policyAcceptedAt?.toISOString() ?? null,
    created_at: account.createdAt.toISOString(),
  }
}

function describeAccount(account: Account): string {
  const until = account.roleExpiresAt ? ` until ${account.roleExpiresAt.toISOString()}` : ''
  const business = account.isBusiness ? ', business' : ''
  return `${account.accountId}  ${account.email}  ${account.name}  ${account.role}${until}, ${account.status}${business}`
}

function printChange(account: Account): void {
  printResult({ account_id: account.accountId, role: account.role, status: account.status }, describeAccount(account))
}

export async function runAccountCreate(options: NewAccountOptions): Promise<void> {
  const role = readRole(options.role)
  const roleExpiresAt = readExpiry(options.expiresAt)
  const { accountId } = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) =>
      createAccount(tx, {
        email: options.email,
        name: options.name,
        role,
        roleExpiresAt,
        isBusiness: options.business ?? false,
        isPolicyAccepted: true,
        actor: operatorName(),
      }),
    ),
  )
  printResult({ account_id: accountId }, `Account ${accountId} was created. Give it a key with \`makola key create\`.`)
}

export async function runAccountSetRole(options: RoleOptions): Promise<void> {
  const role = readRole(options.role)
  const roleExpiresAt = readExpiry(options.expiresAt)
  const account = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, options.account)
      return setAccountRole(tx, { accountId, role, roleExpiresAt, actor: operatorName() })
    }),
  )
  printChange(account)
}

export async function runAccountSetStatus(idOrEmail: string, status: Account['status']): Promise<void> {
  const account = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, idOrEmail)
      return setAccountStatus(tx, { accountId, status, actor: operatorName() })
    }),
  )
  printChange(account)
}

export async function runAccountSetBusiness(idOrEmail: string, isBusiness: boolean): Promise<void> {
  const account = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, idOrEmail)
      return setBusinessApproval(tx, { accountId, isBusiness, actor: operatorName() })
    }),
  )
  printResult(viewAccount(account), describeAccount(account))
}

function viewNotices({ lowBalancePesewas, phone }: AccountNotices) {
  return { low_balance: lowBalancePesewas === null ? null : ghs(lowBalancePesewas), phone }
}

function describeNotices({ lowBalancePesewas, phone }: AccountNotices): string {
  const low = lowBalancePesewas === null ? 'not told of a low balance' : `told below ${formatGhs(lowBalancePesewas)}`
  return `${low}, ${phone === null ? 'no number for SMS' : `SMS to ${phone}`}`
}

/** Reads an option of `account set-notices`: `off` is null, an absent one undefined. */
function readNoticeOption<T>(text: string | undefined, read: (text: string) => T): T | null | undefined {
  if (text === undefined) return undefined
  return text === 'off' ? null : read(text)
}

function readPhone(text: string): string {
  const phone = internationalNumber(text)
  if (phone !== undefined) return phone
  throw new UsageError(`--phone must be a Ghana number as 0XXXXXXXXX or 233XXXXXXXXX, or off, not ${JSON.stringify(text)}.`)
}

function viewBusinessRequest(request: BusinessRequest) {
  return {
    request_id: request.requestId,
    account_id: request.accountId,
    email: request.email,
    name: request.name,
    registration_number: request.registrationNumber,
    purpose: request.purpose,
    asked_at: request.askedAt.toISOString(),
  }
}

export async function runBusinessRequests(): Promise<void> {
  const requests = (await withDatabase(readConfig(), listBusinessRequests)).map(viewBusinessRequest)
  const lines = requests.map(
    (request) => `${request.email}  ${request.name}, registered as ${request.registration_number}\n  ${request.purpose}`,
  )
  printResult(requests, lines.join('\n') || 'No account asks to be approved as a business.')
}

export async function runBusinessDecline(options: { account: string; reason: string }): Promise<void> {
  const reason = readText('--reason', options.reason)
  const { requestId, email } = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const account = await readAccount(tx, options.account)
      const declined = await declineBusinessRequest(tx, { accountId: account.accountId, reason, actor: operatorName() })
      return { ...declined, email: account.email }
    }),
  )
  printResult(
    { request_id: requestId, state: 'declined' },
    `The request of ${email} is declined, and it gets a notice with the reason.`,
  )
}

export async function runAccountSetNotices(options: NoticeSettingsOptions): Promise<void> {
  const lowBalancePesewas = readNoticeOption(options.lowBalance, (text) => readGhs('--low-balance', text))
  const phone = readNoticeOption(options.phone, readPhone)
  if (lowBalancePesewas === undefined && phone === undefined) throw new UsageError('Give --low-balance, --phone, or both.')
  const result = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => {
      const { accountId } = await readAccount(tx, options.account)
      const choices = {
        ...(lowBalancePesewas !== undefined && { lowBalancePesewas }),
        ...(phone !== undefined && { phone }),
      }
      return { accountId, notices: await setAccountNotices(tx, { accountId, ...choices, actor: operatorName() }) }
    }),
  )
  printResult(
    { account_id: result.accountId, notices: viewNotices(result.notices) },
    `${result.accountId}  ${describeNotices(result.notices)}`,
  )
}

async function readAccountInFull(idOrEmail: string) {
  return withDatabase(readConfig(), async (db) => {
    const account = await readAccount(db, idOrEmail)
    const { accountId } = account
    const rows = await db.selectFrom('wallets').select(['purse', 'balance']).where('account_id', '=', accountId).execute()
    const keys = await listKeys(db, { accountId })
    const notices = await readAccountNotices(db, accountId)
    return { account, notices, wallets: new Map(rows.map(({ purse, balance }) => [purse, balance])), keys }
  })
}

export async function runAccountShow(idOrEmail: string): Promise<void> {
  const { account, notices, wallets, keys } = await readAccountInFull(idOrEmail)
  const [main, commission] = [pesewas(wallets.get('main') ?? 0), pesewas(wallets.get('commission') ?? 0)]
  const smsCredits = wallets.get('sms_credits') ?? 0
  const used = keys.flatMap((key) =>
    key.lastUsedAt === null ? [] : [{ at: key.lastUsedAt.toISOString(), ip: key.lastUsedAddress }],
  )
  // Texts of moments in ISO 8601 sort in the order of the moments.
  const lastUse = used.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0]
  const lines = [
    describeAccount(account),
    `  main wallet ${formatGhs(main)}, commission ${formatGhs(commission)}, ${formatAmount(amountIn('credits', smsCredits))}`,
    `  ${describeNotices(notices)}`,
    lastUse ? `  last used ${lastUse.at} from ${lastUse.ip ?? 'an unknown address'}` : '  never used',
    ...(keys.length === 0 ? ['  no key yet'] : keys.map((key) => `  ${describeKey(key)}`)),
  ]
  printResult(
    {
      ...viewAccount(account),
      balances: { main: ghs(main), commission: ghs(commission), sms_credits: smsCredits },
      notices: viewNotices(notices),
      keys: toWire(Type.Array(Type.Omit(PrintedKey, ['accountId', 'email'])), keys),
      last_used_at: lastUse?.at ?? null,
      last_used_ip: lastUse?.ip ?? null,
    },
    lines.join('\n'),
  )
}

export async function runAccountList(): Promise<void> {
  const accounts = await withDatabase(readConfig(), listAccounts)
  printResult(accounts.map(viewAccount), accounts.map(describeAccount).join('\n') || 'There are no accounts yet.')
}
