import { type DataKazinaNetwork, megabytesPerGigabyte, type Purchase } from './read-purchase.ts'

/**
 * GB → pesewas: invented prices, a little above DataMart's except for AT-BigTime. The demo's price list uses them as its
 * costs.
 */
const priceLists: Readonly<Record<DataKazinaNetwork, ReadonlyMap<number, number>>> = {
  3: new Map([
    [1, 295],
    [2, 590],
    [3, 885],
    [5, 1_475],
    [10, 2_950],
    [20, 5_900],
  ]),
  2: new Map([
    [1, 285],
    [2, 570],
    [5, 1_425],
    [10, 2_850],
    [20, 5_700],
  ]),
  1: new Map([
    [1, 280],
    [2, 560],
    [5, 1_400],
    [10, 2_800],
  ]),
  4: new Map([
    [1, 265],
    [2, 530],
    [5, 1_325],
    [10, 2_650],
    [20, 5_300],
  ]),
}

/** DataKazina's price of a bundle, in pesewas. A size that is not listed costs its share of 1 GB. */
export function findPricePesewas({ network, capacity }: Purchase): number {
  const prices = priceLists[network]
  return prices.get(capacity) ?? Math.ceil((prices.get(1) ?? 0) * capacity)
}

/** The price list as `/fetch-data-packages` shows it: sizes in MB, GHS with four decimals as text. */
export function listPrices(): { network_id: number; shared_bundle: number; price: string }[] {
  return Object.entries(priceLists).flatMap(([network, prices]) =>
    [...prices].map(([capacity, pesewas]) => ({
      network_id: Number(network),
      shared_bundle: capacity * megabytesPerGigabyte,
      price: (pesewas / 100).toFixed(4),
    })),
  )
}
