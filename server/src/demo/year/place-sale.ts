import { afaFees } from '../../products/afa/afa.settings.ts'
import { demoCommissionRates, demoCommissionShares } from '../demo-commission.ts'
import { type DemoShop, type Purchase, payFor, recipientOn, saleOf } from './demo-shop.ts'
import type { DemoAccount, DemoPackage } from './demo-world.ts'
import { inventNumber } from './invent-accounts.ts'
import { type CampaignEnding, creditsOfTexting, inventBlockedCampaign, inventCampaign, inventTexting } from './invent-campaign.ts'
import { type AfaEnding, inventApplication, inventVouchers, type VoucherEnding } from './invent-own-products.ts'
import { inventSuppliedOrder, type SuppliedEnding, type Supply } from './invent-supplied-order.ts'

/** A purchase whose product and ending are given, not left to chance. */
export type WantedSale =
  | { readonly kind: 'data' | 'airtime' | 'utilities'; readonly ending: SuppliedEnding }
  | { readonly kind: 'afa'; readonly ending: AfaEnding }
  | { readonly kind: 'sms'; readonly ending: CampaignEnding }

/** The weights of sizes in GB when a bundle is drawn from those of its network; any other size weighs 1. */
const volumeShares: Readonly<Record<string, number>> = { 1: 36, 2: 24, 3: 8, 5: 18, 10: 10, 20: 4 }

const dataNetworkShares = { MTN: 64, Telecel: 21, 'AT-iShare': 9, 'AT-BigTime': 6 }
const airtimeNetworkShares = { MTN: 66, Telecel: 22, AT: 12 }
const billerShares = { ecg: 55, dstv: 18, gotv: 14, ghana_water: 9, startimes: 4 }

/** In whole GHS. */
const airtimeAmounts = [1, 2, 5, 5, 5, 10, 10, 20, 50]
const billAmounts = [20, 30, 50, 50, 100, 150, 200]

const minute = 60_000

function commissionTermsFor(product: string, network: string, account: DemoAccount) {
  const rate = demoCommissionRates.find((known) => known.product === product && known.network === network)
  const share = demoCommissionShares.find((known) => known.product === product && known.role === account.role)
  // On airtime only lifetime agents and dealers earn.
  const earns = product !== 'airtime' || (account.roleExpiresAt === null && account.role !== 'customer')
  return { rateBasisPoints: rate?.rateBasisPoints ?? 0, shareBasisPoints: earns ? (share?.shareBasisPoints ?? 0) : 0 }
}

function supplyOfBundle({ world: { chance } }: DemoShop, bundle: DemoPackage, supplier: 'datamart' | 'datakazina'): Supply {
  const { network, costs } = bundle
  // How often a supplier reports its charge: DataMart mostly, DataKazina seldom, so DataKazina's costs stay estimates.
  const reportShare: Readonly<Record<string, number>> = { datamart: 0.85, datakazina: 0.3 }
  return {
    supplier,
    nextSupplier: supplier === 'datamart' ? 'datakazina' : 'datamart',
    route: `${supplier}/data/${network}`,
    expectedCosts: costs,
    reported: (by) => {
      const isReported = chance.happens(reportShare[by] ?? 0)
      const surcharge = chance.happens(0.03) ? 5 : 0
      return { cost: isReported ? (costs.get(by) ?? 0) + surcharge : null, commission: null }
    },
    medianMilliseconds: supplier === 'datamart' ? 2.5 * minute : 9 * minute,
  }
}

function pickBundle({ world: { chance, wares } }: DemoShop, network: string): DemoPackage {
  const offered = wares.packages.filter((known) => known.network === network)
  const volume = chance.weigh(Object.fromEntries(offered.map(({ volumeGb }) => [volumeGb, volumeShares[volumeGb] ?? 1])))
  const bundle = offered.find(({ volumeGb }) => String(volumeGb) === volume)
  if (!bundle) throw new Error(`the demo sells no bundle on ${network}`)
  return bundle
}

function placeData(shop: DemoShop, purchase: Purchase, wanted?: SuppliedEnding): void {
  const { chance } = shop.world
  const { account } = purchase
  const network = wanted?.startsWith('queued') ? 'MTN' : chance.weigh(dataNetworkShares)
  const bundle = pickBundle(shop, network)
  const supplier = chance.happens(network === 'AT-BigTime' ? 0.2 : 0.75) ? 'datamart' : 'datakazina'
  const drawn = wanted ?? shop.decks[supplier]()
  // Only numbers of MTN wait for their registration.
  const ending = drawn.startsWith('queued') && network !== 'MTN' ? 'delivered' : drawn
  const { id: packageId, volumeGb } = bundle
  const sale = saleOf(shop, purchase, 'data', {
    price: bundle.price[account.role],
    recipient: recipientOn(shop, account, network.startsWith('AT') ? 'AT' : network),
    details: { network, volumeGb, size: `${volumeGb}GB`, packageId },
  })
  payFor(shop, sale)
  inventSuppliedOrder(shop.world, sale, supplyOfBundle(shop, bundle, supplier), ending)
}

/** Places an order that is bought at face value and earns commission. */
function placeAtFaceValue(shop: DemoShop, purchase: Purchase, kind: 'airtime' | 'utilities', wanted?: SuppliedEnding): void {
  const { chance } = shop.world
  const { account } = purchase
  const isAirtime = kind === 'airtime'
  const network = isAirtime ? chance.weigh(airtimeNetworkShares) : chance.weigh(billerShares)
  const price = 100 * chance.pick(isAirtime ? airtimeAmounts : billAmounts)
  const commission = commissionTermsFor(kind, network, account)
  const phone = network === 'ecg' ? chance.pick(account.recipients) : null
  const sale = saleOf(shop, purchase, kind, {
    price,
    recipient: isAirtime ? recipientOn(shop, account, network) : String(chance.between(1_000_000_000, 9_999_999_999)),
    details: isAirtime ? { network, commission } : { biller: network, phone, accountName: '', commission },
  })
  payFor(shop, sale)
  const earned = Math.floor((price * commission.rateBasisPoints) / 10_000)
  const supply: Supply = {
    supplier: 'hubtel',
    nextSupplier: 'hubtel',
    route: `hubtel/${kind}/${network}`,
    expectedCosts: new Map([['hubtel', price]]),
    reported: () => ({ cost: price, commission: chance.happens(0.8) ? earned : null }),
    medianMilliseconds: isAirtime ? 12_000 : 35_000,
  }
  inventSuppliedOrder(shop.world, sale, supply, wanted ?? shop.decks.hubtel())
}

function placeVouchers(shop: DemoShop, purchase: Purchase, ending: VoucherEnding): void {
  const { chance, wares } = shop.world
  const type = chance.pick(wares.voucherTypes)
  const quantity = chance.pick([1, 1, 1, 1, 2, 3, 5])
  const unitPricePesewas = type.price[purchase.account.role]
  const sale = saleOf(shop, purchase, 'results_checker', {
    price: unitPricePesewas * quantity,
    recipient: '',
    details: { typeId: type.id, typeName: type.name, quantity, unitPricePesewas },
  })
  payFor(shop, sale)
  inventVouchers(shop.world, sale, { type, quantity, firstNo: shop.voucherCount }, ending)
  shop.voucherCount += quantity
}

function placeApplication(shop: DemoShop, purchase: Purchase, ending: AfaEnding): void {
  const price = Math.round(afaFees[purchase.account.role].defaultValue * 100)
  const recipient = inventNumber(shop.world.chance, 'MTN')
  const sale = saleOf(shop, purchase, 'afa', { price, recipient, details: {} })
  payFor(shop, sale)
  inventApplication(shop.world, sale, ending)
}

function placeCampaign(shop: DemoShop, purchase: Purchase, drawn: CampaignEnding | 'blocked'): void {
  const { world } = shop
  const { account, at } = purchase
  // After a blocked campaign, the reseller corrects the text and sends it again.
  if (drawn === 'blocked') inventBlockedCampaign(world, { id: world.chance.idAt(at), account, at }, world.chance.between(5, 60))
  const count = world.chance.between(3, 24)
  const recipients = [...new Set(account.recipients)].slice(0, count).map((number) => `233${number.slice(1)}`)
  const texting = inventTexting(world, recipients)
  const price = creditsOfTexting(texting)
  const [recipient = ''] = recipients
  const { sender } = texting
  const details = { sender, isSenderNamed: false, segments: price / recipients.length, recipients: recipients.length }
  const sale = saleOf(shop, purchase, 'sms', { price, recipient, details })
  payFor(shop, sale)
  inventCampaign(world, sale, texting, drawn === 'blocked' ? 'accepted' : drawn)
}

/** Invents the next purchase, of a product that chance chooses. */
export function placeSale(shop: DemoShop, purchase: Purchase): void {
  const { decks } = shop
  const kind = decks.kind()
  switch (kind) {
    case 'data':
      return placeData(shop, purchase)
    case 'airtime':
    case 'utilities':
      return placeAtFaceValue(shop, purchase, kind)
    case 'results_checker':
      return placeVouchers(shop, purchase, decks.results_checker())
    case 'afa':
      return placeApplication(shop, purchase, decks.afa())
    case 'sms':
      return placeCampaign(shop, purchase, decks.sms())
  }
  return kind satisfies never
}

export function placeWantedSale(shop: DemoShop, purchase: Purchase, wanted: WantedSale): void {
  switch (wanted.kind) {
    case 'data':
      return placeData(shop, purchase, wanted.ending)
    case 'airtime':
    case 'utilities':
      return placeAtFaceValue(shop, purchase, wanted.kind, wanted.ending)
    case 'afa':
      return placeApplication(shop, purchase, wanted.ending)
    case 'sms':
      return placeCampaign(shop, purchase, wanted.ending)
  }
  return wanted satisfies never
}
