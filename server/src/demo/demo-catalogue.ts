import { pesewas } from '../money/pesewas.ts'
import type { WantedPackage } from '../products/data/catalogue/write-packages.ts'

/** GB, then pesewas: the prices for customers, agents and dealers, and DataMart's cost. */
type PriceLine = readonly [volumeGb: number, customer: number, agent: number, dealer: number, cost: number]

const priceLists: Readonly<Record<string, readonly PriceLine[]>> = {
  MTN: [
    [1, 420, 370, 345, 285],
    [2, 810, 710, 670, 570],
    [3, 1200, 1050, 990, 855],
    [5, 1950, 1720, 1630, 1425],
    [10, 3800, 3350, 3180, 2850],
    [20, 7400, 6550, 6250, 5700],
  ],
  Telecel: [
    [1, 400, 355, 330, 275],
    [2, 780, 690, 645, 550],
    [5, 1880, 1660, 1570, 1375],
    [10, 3650, 3230, 3060, 2750],
    [20, 7100, 6300, 6000, 5500],
  ],
  'AT-iShare': [
    [1, 390, 345, 320, 270],
    [2, 760, 670, 625, 540],
    [5, 1840, 1620, 1530, 1350],
    [10, 3580, 3160, 2990, 2700],
  ],
  'AT-BigTime': [
    [1, 375, 330, 310, 270],
    [2, 730, 640, 600, 540],
    [5, 1760, 1560, 1470, 1350],
    [10, 3420, 3020, 2860, 2700],
    [20, 6650, 5900, 5650, 5400],
  ],
}

/**
 * DataKazina's cost above DataMart's, in pesewas per GB. Every role still pays more than DataKazina's cost. On AT-BigTime,
 * DataKazina is the cheaper one.
 */
const dataKazinaMarkup: Readonly<Record<string, number>> = { MTN: 10, Telecel: 10, 'AT-iShare': 10, 'AT-BigTime': -5 }

/** DataMart's code of a bundle is its size in GB. DataKazina's code is its size in MB, where 1 GB is 1,000 MB. */
function demoOffers(network: string, volumeGb: number, cost: number): WantedPackage['offers'] {
  const markup = (dataKazinaMarkup[network] ?? 0) * volumeGb
  return new Map([
    ['datamart', { code: String(volumeGb), costPesewas: pesewas(cost) }],
    ['datakazina', { code: String(volumeGb * 1_000), costPesewas: pesewas(cost + markup) }],
  ])
}

/** The bundles of a fresh demo. The prices are invented, near real ones; the stock is unlimited. */
export const demoPackages: readonly WantedPackage[] = Object.entries(priceLists).flatMap(([network, lines]) =>
  lines.map(([volumeGb, customer, agent, dealer, cost]) => ({
    network,
    volumeGb,
    priceCustomer: pesewas(customer),
    priceAgent: pesewas(agent),
    priceDealer: pesewas(dealer),
    isAvailable: true,
    stock: null,
    offers: demoOffers(network, volumeGb, cost),
  })),
)
