import { pesewas } from '../src/money/pesewas.ts'
import type { WantedPackage } from '../src/products/data/catalogue/write-packages.ts'

/** Prices for one GB, in pesewas; a bundle of n GB costs n times as much. */
const pricesPerGb = {
  MTN: { customer: 600, agent: 520, dealer: 490 },
  Telecel: { customer: 580, agent: 510, dealer: 480 },
  'AT-iShare': { customer: 500, agent: 440, dealer: 410 },
  'AT-BigTime': { customer: 480, agent: 420, dealer: 395 },
}

const volumesGb = [1, 2, 3, 5, 10, 20]

/** The bundles that tests buy: fixed prices, so that a test may name them. */
export const testPackages: readonly WantedPackage[] = Object.entries(pricesPerGb).flatMap(([network, prices]) =>
  volumesGb.map((volumeGb) => ({
    network,
    volumeGb,
    priceCustomer: pesewas(prices.customer * volumeGb),
    priceAgent: pesewas(prices.agent * volumeGb),
    priceDealer: pesewas(prices.dealer * volumeGb),
    isAvailable: true,
    stock: null,
    offers: new Map([['datamart', { code: String(volumeGb), costPesewas: pesewas(100 * volumeGb) }]]),
  })),
)
