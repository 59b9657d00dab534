import type { InsertObject } from 'kysely'
import type { AccountPurse } from '../../money/money.tables.ts'
import { type PostedTransfer, postTransfer, type Transfer } from '../../money/post-transfer.ts'
import { type WalletStates, walletId, walletKeyOf } from '../../money/wallets.ts'
import type { Tables, Tx } from '../../platform/database/database.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { Chance } from './chance.ts'
import type { DemoAccount } from './invent-accounts.ts'

/** The tables of the history, in the order in which their rows are written. */
const tables = [
  'approvals',
  'wallet_credits',
  'wallet_corrections',
  'commission_moves',
  'orders',
  'order_references',
  'account_references',
  'open_orders',
  'attempts',
  'attempt_answers',
  'order_events',
  'contradictions',
  'order_commissions',
  'sms_campaigns',
  'sms_messages',
  'afa_registrations',
  'vouchers',
  'transfers',
] as const

/** Rows in one insert. Even for the widest table, that is far less than the 65,535 values that PostgreSQL accepts. */
const rowsPerStatement = 500

/** An action of the operator's staff, as a line of the operator's log. */
type LogLine = {
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly details: object
}

/** The history that is being invented. Moments are milliseconds. */
export type DemoHistory = {
  readonly from: number
  /** The end of the history: nothing happens later. */
  readonly until: number
  readonly chance: Chance
  readonly accounts: readonly DemoAccount[]
  readonly secretsKeys: SecretsKeys
  /** Adds a row, which `flush` writes later. */
  add<Table extends (typeof tables)[number]>(table: Table, row: InsertObject<Tables, Table>): void
  log(line: LogLine): void
  /**
   * Plans a function that reads or changes balances. All planned functions run in the order of time, once all orders are
   * invented.
   */
  later(at: number, act: () => void): void
  balanceOf(accountId: string, purse: AccountPurse): number
  /** Enters a transfer as the next one of its wallets. Call it only in a function that was planned with `later`. */
  post(at: number, transfer: Transfer): void
}

export type OpenDemoHistory = DemoHistory & {
  flush(): Promise<void>
  /** Runs the planned functions up to `until`, then writes the remaining rows, the log and the balances. */
  finish(): Promise<void>
}

async function writeBalances(tx: Tx, wallets: WalletStates): Promise<void> {
  for (const [id, { balance, lastEntryNo: last_entry_no }] of wallets) {
    const { accountId, purse } = walletKeyOf(id)
    const wallet = { account_id: accountId, purse, balance, last_entry_no }
    await tx
      .insertInto('wallets')
      .values(wallet)
      .onConflict((known) => known.columns(['account_id', 'purse']).doUpdateSet({ balance, last_entry_no }))
      .execute()
  }
}

function transferRow(posted: PostedTransfer, at: number): InsertObject<Tables, 'transfers'> {
  return {
    cause_id: posted.causeId,
    kind: posted.kind,
    account_id: posted.accountId,
    from_purse: posted.fromPurse,
    to_purse: posted.toPurse,
    amount: posted.amount,
    from_entry_no: posted.fromEntryNo,
    to_entry_no: posted.toEntryNo,
    from_balance_after: posted.fromBalanceAfter,
    to_balance_after: posted.toBalanceAfter,
    note: posted.note ?? null,
    created_at: new Date(at),
  }
}

/** Opens a history without rows, of accounts whose wallets were never used. */
export function openDemoHistory(
  tx: Tx,
  parts: Pick<DemoHistory, 'from' | 'until' | 'chance' | 'accounts' | 'secretsKeys'>,
): OpenDemoHistory {
  const rows = new Map<string, object[]>(tables.map((table) => [table, []]))
  const acts: { readonly at: number; readonly act: () => void }[] = []
  const log: LogLine[] = []
  const wallets: WalletStates = new Map()
  for (const { id: accountId } of parts.accounts) {
    for (const purse of ['main', 'commission', 'sms_credits'] as const)
      wallets.set(walletId({ accountId, purse }), { balance: 0, lastEntryNo: 0 })
  }
  const add: DemoHistory['add'] = (table, row) => void rows.get(table)?.push(row)

  async function insert(table: string, waiting: object[]): Promise<void> {
    while (waiting.length > 0) {
      const piece = waiting.splice(0, rowsPerStatement)
      await tx
        .insertInto(table as 'orders')
        .values(piece as InsertObject<Tables, 'orders'>[])
        .execute()
    }
  }

  async function flush(): Promise<void> {
    for (const [table, waiting] of rows) await insert(table, waiting)
  }

  return {
    ...parts,
    add,
    flush,
    log: (line) => void log.push(line),
    later: (at, act) => void acts.push({ at, act }),
    balanceOf: (accountId, purse) => wallets.get(walletId({ accountId, purse }))?.balance ?? 0,
    post: (at, transfer) => add('transfers', transferRow(postTransfer(wallets, transfer), at)),
    async finish() {
      acts.sort((a, b) => a.at - b.at)
      for (const [done, { at, act }] of acts.entries()) {
        if (at <= parts.until) act()
        if (done % 5_000 === 0) await flush()
      }
      await flush()
      log.sort((a, b) => a.at - b.at)
      await insert(
        'operator_log',
        log.map(({ at, details, ...line }) => ({ ...line, at: new Date(at), details: JSON.stringify(details) })),
      )
      await writeBalances(tx, wallets)
    },
  }
}
