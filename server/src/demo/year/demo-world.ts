import type { Role } from '../../accounts/caller.ts'
import type { AccountPurse } from '../../money/money.tables.ts'
import { postTransfer, type Transfer } from '../../money/post-transfer.ts'
import { type WalletBooks, walletId } from '../../money/wallets.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import type { Chance } from './chance.ts'
import { createDemoRows, type DemoRows } from './demo-rows.ts'

/** A reseller of the demo's history, in the state at the moment that is being invented. */
export type DemoAccount = {
  readonly id: string
  readonly email: string
  readonly name: string
  /** The first part of its references. */
  readonly slug: string
  readonly joinedAt: number
  /** False for the demo's own reseller, whose account exists before the history is invented. */
  readonly isInvented: boolean
  /** How much it buys beside the others. */
  readonly weight: number
  /** How much the account usually pays in at once, in pesewas. */
  readonly topUpPesewas: number
  /** The numbers that it usually buys for. */
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

/** What the demo sells. */
export type DemoWares = { readonly packages: readonly DemoPackage[]; readonly voucherTypes: readonly DemoVoucherType[] }

/** The world in which the demo's history happens: its end, its chance, its books, and the rows that tell it. */
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
  /** The books as they stand. */
  readonly books: WalletBooks
}

export type DemoWorldParts = Pick<DemoWorld, 'from' | 'until' | 'chance' | 'wares' | 'accounts' | 'secretsKeys'>

/** Makes a world in which nothing has happened yet. */
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
