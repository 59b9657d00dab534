import { type DataKazinaNetwork, megabytesPerGigabyte, type Purchase } from './read-purchase.ts'

/** GB → pesewas: an invented price list of today's order of magnitude, a little above DataMart's where both sell. */
const priceLists: Readonly<Record<DataKazinaNetwork, ReadonlyMap<number, number>>> = {
  3: new Map([
    [1, 465],
    [2, 930],
    [3, 1_370],
    [5, 2_240],
    [10, 4_300],
    [20, 8_300],
  ]),
  2: new Map([
    [1, 455],
    [2, 905],
    [5, 2_220],
    [10, 4_200],
    [20, 8_100],
  ]),
  1: new Map([
    [1, 395],
    [2, 790],
    [5, 1_960],
    [10, 3_880],
  ]),
  4: new Map([
    [1, 355],
    [2, 710],
    [5, 1_770],
    [10, 3_500],
    [20, 6_900],
  ]),
}

/** What DataKazina charges for a bundle, in pesewas. A size that is not on its list costs its share of 1 GB. */
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
