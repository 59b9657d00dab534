import type { Role } from '../../accounts/caller.ts'
import { type CommissionPlan, commissionTerms } from '../../money/commission-plan.ts'
import { afaFees } from '../../products/afa/afa.settings.ts'
import { sizeOf } from '../../products/data/data.kind.ts'
import type { DataPackage } from '../../products/data/package-catalogue.ts'
import { createDeck } from './chance.ts'
import type { DemoHistory } from './demo-history.ts'
import { type DemoAccount, inventNumber, networkOf, roleAt } from './invent-accounts.ts'
import {
  addBlockedCampaign,
  type CampaignEnding,
  inventCampaign,
  inventCampaignEvents,
  priceCampaign,
} from './invent-campaign.ts'
import { type AfaEnding, addSoldVouchers, inventApplicationEvents, takeBackVouchers } from './invent-operator-events.ts'
import { type DemoSale, inventOrder } from './invent-order.ts'
import { inventSupplierEvents, type SuppliedEnding, type Supply } from './invent-supplier-events.ts'

export type DemoWares = {
  readonly packages: readonly DataPackage[]
  /** By package id, then by supplier, in pesewas. */
  readonly costs: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly voucherTypes: readonly { readonly id: string; readonly name: string; readonly price: Readonly<Record<Role, number>> }[]
  readonly commissionPlan: CommissionPlan
}

export type DemoShop = {
  readonly history: DemoHistory
  readonly wares: DemoWares
  readonly decks: ReturnType<typeof makeDecks>
  /** The number of each account's last order. */
  readonly orderNos: Map<string, number>
  vouchersSold: number
}

export type Purchase = { readonly account: DemoAccount; readonly at: number }

const minute = 60_000

/** The weights of sizes in GB when a bundle is drawn from those of its network; any other size weighs 1. */
const volumeShares: Readonly<Record<string, number>> = { 1: 36, 2: 24, 3: 8, 5: 18, 10: 10, 20: 4 }
const dataNetworks = [
  ['MTN', 64],
  ['Telecel', 21],
  ['AT-iShare', 9],
  ['AT-BigTime', 6],
] as const
const airtimeNetworks = [
  ['MTN', 66],
  ['Telecel', 22],
  ['AT', 12],
] as const
const billers = [
  ['ecg', 55],
  ['dstv', 18],
  ['gotv', 14],
  ['ghana_water', 9],
  ['startimes', 4],
] as const

/** In whole GHS. */
const airtimeAmounts = [1, 2, 5, 5, 5, 10, 10, 20, 50]
const billAmounts = [20, 30, 50, 50, 100, 150, 200]

/** Decks of products, and of the endings at each supplier, so that even rare endings occur in every few hundred orders. */
function makeDecks({ chance }: DemoHistory) {
  const rare = { settled_completed: 1, settled_failed: 1, contradicted: 1, refund_contradicted: 1, adjusted: 2, clawed_back: 1 }
  // Of the orders that suppliers fulfil, only bundles wait for a registration, and only their automatic refund can be off.
  const ofBundles = { ...rare, queued_delivered: 2, queued_failed: 1, late_refund: 1 }
  const datamart = { ...ofBundles, delivered: 172, failed: 5, refused: 4, never_received: 2, second_attempt: 5 }
  const datakazina = { ...ofBundles, delivered: 154, failed: 14, refused: 4, never_received: 6, second_attempt: 9 }
  const hubtel = { ...rare, delivered: 186, failed: 2, refused: 3, never_received: 1, second_attempt: 1 }
  return {
    kind: createDeck(chance, { data: 66, airtime: 13, utilities: 7, results_checker: 6, afa: 3, sms: 5 }),
    datamart: createDeck<SuppliedEnding>(chance, datamart),
    datakazina: createDeck<SuppliedEnding>(chance, datakazina),
    hubtel: createDeck<SuppliedEnding>(chance, hubtel),
    vouchers: createDeck(chance, { sold: 59, taken_back: 1 }),
    afa: createDeck(chance, { registered: 17, cancelled: 3 }),
    sms: createDeck(chance, { accepted: 30, partly_refused: 6, refused: 2, blocked: 2 }),
  }
}

export function openDemoShop(history: DemoHistory, wares: DemoWares): DemoShop {
  return { history, wares, decks: makeDecks(history), orderNos: new Map(), vouchersSold: 0 }
}

function placeDemoOrder(shop: DemoShop, sale: DemoSale, inventEvents: Parameters<typeof inventOrder>[3]): void {
  const no = (shop.orderNos.get(sale.account.id) ?? 0) + 1
  shop.orderNos.set(sale.account.id, no)
  inventOrder(shop.history, no, sale, inventEvents)
}

/** Picks one of the reseller's usual numbers at random. If that number is on another network, invents a new one instead. */
function recipientOn({ history: { chance } }: DemoShop, { recipients }: DemoAccount, network: string): string {
  const known = chance.pick(recipients)
  return networkOf(known) === network ? known : inventNumber(chance, network)
}

function supplyOfBundle(shop: DemoShop, bundle: DataPackage, supplier: 'datamart' | 'datakazina'): Supply {
  const { chance } = shop.history
  const costs = shop.wares.costs.get(bundle.id) ?? new Map()
  return {
    supplier,
    nextSupplier: supplier === 'datamart' ? 'datakazina' : 'datamart',
    expectedCosts: costs,
    reported(by) {
      // DataMart reports its charge mostly, DataKazina seldom, so most of DataKazina's costs stay estimates.
      if (!chance.happens(by === 'datamart' ? 0.85 : 0.3)) return {}
      return { cost: (costs.get(by) ?? 0) + (chance.happens(0.03) ? 5 : 0) }
    },
    medianMilliseconds: supplier === 'datamart' ? 2.5 * minute : 9 * minute,
  }
}

export function sellBundle(shop: DemoShop, { account, at }: Purchase, wanted?: SuppliedEnding): void {
  const { history, wares, decks } = shop
  const { chance } = history
  const network = wanted?.startsWith('queued') ? 'MTN' : chance.pickWeighted(dataNetworks)
  const offered = wares.packages.filter((known) => known.network === network)
  const bundle = chance.pickWeighted(offered.map((known) => [known, volumeShares[known.volumeGb] ?? 1] as const))
  const supplier = chance.happens(network === 'AT-BigTime' ? 0.2 : 0.75) ? 'datamart' : 'datakazina'
  const drawn = wanted ?? decks[supplier]()
  // Only MTN numbers wait for a registration.
  const ending = drawn.startsWith('queued') && network !== 'MTN' ? 'delivered' : drawn
  const price = bundle.pricePesewas[roleAt(account, at).role]
  const sale: DemoSale = {
    account,
    at,
    kind: 'data',
    price,
    recipient: recipientOn(shop, account, network.startsWith('AT') ? 'AT' : network),
    details: { network, size: sizeOf(bundle.volumeGb) },
    route: `${supplier}/data/${network}`,
    firstStatus: ending.startsWith('queued') ? 'queued' : 'pending',
  }
  const supply = supplyOfBundle(shop, bundle, supplier)
  placeDemoOrder(shop, sale, (order) => inventSupplierEvents(order, supply, ending))
}

/** Sells airtime or pays a bill: both are bought at face value and earn commission. */
export function sellAtFaceValue(
  shop: DemoShop,
  { account, at }: Purchase,
  kind: 'airtime' | 'utilities',
  wanted?: SuppliedEnding,
): void {
  const { history, wares, decks } = shop
  const { chance } = history
  const isAirtime = kind === 'airtime'
  const network = isAirtime ? chance.pickWeighted(airtimeNetworks) : chance.pickWeighted(billers)
  const price = 100 * chance.pick(isAirtime ? airtimeAmounts : billAmounts)
  const { role, endsAt } = roleAt(account, at)
  // On airtime only lifetime agents and dealers earn.
  const earns = !isAirtime || (endsAt === Number.POSITIVE_INFINITY && role !== 'customer')
  const commission = commissionTerms(wares.commissionPlan, kind, network, earns ? role : undefined)
  const phone = network === 'ecg' ? chance.pick(account.recipients) : null
  const sale: DemoSale = {
    account,
    at,
    kind,
    price,
    recipient: isAirtime ? recipientOn(shop, account, network) : String(chance.between(1_000_000_000, 9_999_999_999)),
    details: isAirtime ? { network, commission } : { biller: network, phone, accountName: '', commission },
    route: `hubtel/${kind}/${network}`,
  }
  const earned = Math.floor((price * commission.rateBasisPoints) / 10_000)
  const supply: Supply = {
    supplier: 'hubtel',
    nextSupplier: 'hubtel',
    expectedCosts: new Map([['hubtel', price]]),
    reported: () => ({ cost: price, commission: chance.happens(0.8) ? earned : undefined }),
    medianMilliseconds: isAirtime ? 12_000 : 35_000,
  }
  placeDemoOrder(shop, sale, (order) => inventSupplierEvents(order, supply, wanted ?? decks.hubtel()))
}

function sellVouchers(shop: DemoShop, { account, at }: Purchase): void {
  const { history, wares, decks } = shop
  const type = history.chance.pick(wares.voucherTypes)
  const quantity = history.chance.pick([1, 1, 1, 1, 2, 3, 5])
  const unitPricePesewas = type.price[roleAt(account, at).role]
  const details = { typeId: type.id, typeName: type.name, quantity, unitPricePesewas }
  const bought = { account, at, kind: 'results_checker', price: unitPricePesewas * quantity, recipient: '', details, route: '' }
  placeDemoOrder(shop, { ...bought, firstStatus: 'completed' }, (order) => {
    addSoldVouchers(order, { type, quantity, soldBefore: shop.vouchersSold })
    if (decks.vouchers() === 'taken_back') takeBackVouchers(order)
  })
  shop.vouchersSold += quantity
}

export function sellApplication(shop: DemoShop, { account, at }: Purchase, ending: AfaEnding): void {
  const { history } = shop
  const price = Math.round(afaFees[roleAt(account, at).role].defaultValue * 100)
  const recipient = inventNumber(history.chance, 'MTN')
  const sale = { account, at, kind: 'afa', price, recipient, details: {}, route: 'operator/afa' }
  placeDemoOrder(shop, sale, (order) => inventApplicationEvents(order, ending))
}

export function sellCampaign(shop: DemoShop, { account, at }: Purchase, ending: CampaignEnding): void {
  const { history } = shop
  const texting = inventCampaign(history, account)
  const recipient = `233${texting.recipients[0]?.slice(1)}`
  const sale = { account, at, kind: 'sms', ...priceCampaign(texting), recipient, route: 'loop/sms' }
  placeDemoOrder(shop, sale, (order) => inventCampaignEvents(order, texting, ending))
}

export function sell(shop: DemoShop, purchase: Purchase): void {
  const { decks, history } = shop
  const kind = decks.kind()
  switch (kind) {
    case 'data':
      return sellBundle(shop, purchase)
    case 'airtime':
    case 'utilities':
      return sellAtFaceValue(shop, purchase, kind)
    case 'results_checker':
      return sellVouchers(shop, purchase)
    case 'afa':
      return sellApplication(shop, purchase, decks.afa())
    case 'sms': {
      const ending = decks.sms()
      if (ending !== 'blocked') return sellCampaign(shop, purchase, ending)
      addBlockedCampaign(history, purchase.account, purchase.at)
      // The reseller corrects the text and sends it again.
      return sellCampaign(shop, purchase, 'accepted')
    }
  }
  return kind satisfies never
}
