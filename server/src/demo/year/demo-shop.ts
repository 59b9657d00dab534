import { type Chance, createDeck } from './chance.ts'
import type { DemoAccount, DemoWorld } from './demo-world.ts'
import { inventNumber, isNumberOf } from './invent-accounts.ts'
import type { CampaignEnding } from './invent-campaign.ts'
import type { DemoSale } from './invent-order.ts'
import type { AfaEnding, VoucherEnding } from './invent-own-products.ts'
import { buyCreditsBefore, payInBefore } from './pay-in.ts'

export type Purchase = { readonly account: DemoAccount; readonly at: number }

/** The world, with the decks from which its purchases and their endings are dealt. */
export type DemoShop = { readonly world: DemoWorld; readonly decks: ReturnType<typeof makeDecks>; voucherCount: number }

const rareEndings = {
  settled_completed: 1,
  settled_failed: 1,
  contradicted: 1,
  refund_contradicted: 1,
  adjusted: 2,
  clawed_back: 1,
} as const

/**
 * Endings of bundles only, which wait for the registration of MTN numbers, and are refunded by hand while their switch is off.
 */
const endingsOfBundles = { queued_delivered: 2, queued_failed: 1, late_refund: 1 } as const

/** A deck of endings for each supplier. */
function makeDecks(chance: Chance) {
  const datamart = {
    delivered: 172,
    failed: 5,
    refused: 4,
    never_received: 2,
    second_attempt: 5,
    ...endingsOfBundles,
    ...rareEndings,
  }
  const datakazina = {
    delivered: 154,
    failed: 14,
    refused: 4,
    never_received: 6,
    second_attempt: 9,
    ...endingsOfBundles,
    ...rareEndings,
  }
  const hubtel = { delivered: 186, failed: 2, refused: 3, never_received: 1, second_attempt: 1, ...rareEndings }
  return {
    kind: createDeck(chance, { data: 66, airtime: 13, utilities: 7, results_checker: 6, afa: 3, sms: 5 }),
    datamart: createDeck(chance, datamart),
    datakazina: createDeck(chance, datakazina),
    hubtel: createDeck(chance, hubtel),
    results_checker: createDeck<VoucherEnding>(chance, { sold: 59, taken_back: 1 }),
    afa: createDeck<'registered' | 'cancelled'>(chance, { registered: 17, cancelled: 3 }) satisfies () => AfaEnding,
    sms: createDeck(chance, { accepted: 30, partly_refused: 6, refused: 2, blocked: 2 }) satisfies () =>
      | CampaignEnding
      | 'blocked',
  }
}

export function openDemoShop(world: DemoWorld): DemoShop {
  return { world, decks: makeDecks(world.chance), voucherCount: 0 }
}

/** Makes a purchase with the reseller's next reference; for a bill with our own reference too. */
export function saleOf(
  { world: { chance } }: DemoShop,
  { account, at }: Purchase,
  kind: string,
  bought: Pick<DemoSale, 'price' | 'recipient' | 'details'>,
): DemoSale {
  account.orderCount += 1
  const own = `${account.slug}-${String(account.orderCount).padStart(6, '0')}`
  const id = chance.idAt(at)
  const sale = { ...bought, id, account, at, kind }
  if (kind === 'sms') return { ...sale, reference: own, ownReference: own }
  if (kind !== 'utilities') return { ...sale, reference: own }
  return { ...sale, reference: `UTIL-DEMO-${id.replaceAll('-', '').slice(8).toUpperCase()}`, ownReference: own }
}

/** Takes the price from the wallet, after paying money in if the wallet holds too little. */
export function payFor({ world }: DemoShop, sale: DemoSale): void {
  const { id: causeId, account, price: amount, at } = sale
  const transfer = { causeId, kind: 'purchase', accountId: account.id, amount } as const
  if (sale.kind === 'sms') {
    buyCreditsBefore(world, account, amount, at)
    world.post(at, { ...transfer, fromPurse: 'sms_credits', toPurse: 'sms_sales' })
  } else {
    payInBefore(world, account, amount, at)
    world.post(at, { ...transfer, fromPurse: 'main', toPurse: 'sales' })
  }
}

/** One of the reseller's usual numbers if it is on this network, else a new number. */
export function recipientOn({ world: { chance } }: DemoShop, { recipients }: DemoAccount, network: string): string {
  const known = chance.pick(recipients)
  return isNumberOf(network, known) ? known : inventNumber(chance, network)
}
