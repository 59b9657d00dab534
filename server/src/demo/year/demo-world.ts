import type { Role } from '../../accounts/caller.ts'
import type { AccountPurse } from '../../money/money.tables.ts'
import { postTransfer, type Transfer } from '../../money/post-transfer.ts'
import { type WalletBooks, walletId } from '../../money/wallets.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import type { Chance } from './chance.ts'
import { createDemoRows, type DemoRows } from './demo-rows.ts'

/** A reseller of the demo's history, in its state at the moment that is being invented. */
export type DemoAccount = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** The first part of its references. */
  readonly slug: string
  readonly joinedAt: number
  /** False for the demo's own reseller, whose account exists before the history is invented. */
  readonly isInvented: boolean
  /** How much it buys, compared with the others. */
  readonly weight: number
  /** The usual amount of a top-up. */
  readonly topUpPesewas: number
  /** The usual recipients of its purchases. */
  readonly recipients: readonly string[]
  role: Role
  roleExpiresAt: number | null
  isSuspended: boolean
  orderCount: number
  creditCount: number
}

export type DemoPackage = {
  readonly id: string
  readonly network: string
  readonly volumeGb: number
  readonly price: Readonly<Record<Role, number>>
  /** Pesewas by supplier. */
  readonly costs: ReadonlyMap<string, number>
}

export type DemoVoucherType = { readonly id: string; readonly name: string; readonly price: Readonly<Record<Role, number>> }

export type DemoWares = { readonly packages: readonly DemoPackage[]; readonly voucherTypes: readonly DemoVoucherType[] }

/** The world of the demo's history: its end, its source of chance, its books, and its rows. */
export type DemoWorld = {
  readonly from: number
  /** The end of the history: nothing happens later. */
  readonly until: number
  readonly chance: Chance
  readonly wares: DemoWares
  readonly accounts: readonly DemoAccount[]
  readonly secretsKeys: SecretsKeys
  readonly rows: DemoRows
  readonly agenda: Agenda
  balanceOf(accountId: string, purse: AccountPurse): number
  /** Enters a transfer as the next one of its wallets. */
  post(at: number, transfer: Transfer): void
  /** The books at the moment that is being invented. */
  readonly books: WalletBooks
}

export type DemoWorldParts = Pick<DemoWorld, 'from' | 'until' | 'chance' | 'wares' | 'accounts' | 'secretsKeys'>

/** Makes a world without a history. */
export function createDemoWorld(parts: DemoWorldParts): DemoWorld {
  const books: WalletBooks = new Map()
  const rows = createDemoRows()
  for (const { id: accountId } of parts.accounts) {
    for (const purse of ['main', 'commission', 'sms_credits'] as const) {
      books.set(walletId({ accountId, purse }), { balance: 0, lastEntryNo: 0 })
    }
  }
  return {
    ...parts,
    rows,
    books,
    agenda: createAgenda(),
    balanceOf: (accountId, purse) => books.get(walletId({ accountId, purse }))?.balance ?? 0,
    post: (at, transfer) => void rows.transfers.push({ ...postTransfer(books, transfer), at }),
  }
}
