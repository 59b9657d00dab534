import type { DataMartNetwork, Purchase } from './read-purchase.ts'

/** GB → pesewas: an invented price list of today's order of magnitude. */
const priceLists: Readonly<Record<DataMartNetwork, ReadonlyMap<number, number>>> = {
  YELLO: new Map([
    [1, 450],
    [2, 900],
    [3, 1_330],
    [5, 2_180],
    [10, 4_150],
    [20, 8_000],
  ]),
  TELECEL: new Map([
    [1, 440],
    [2, 880],
    [5, 2_150],
    [10, 4_050],
    [20, 7_850],
  ]),
  AT_PREMIUM: new Map([
    [1, 380],
    [2, 760],
    [5, 1_900],
    [10, 3_750],
  ]),
  AT_BIGTIME: new Map([
    [1, 365],
    [2, 730],
    [5, 1_820],
    [10, 3_600],
    [20, 7_100],
  ]),
}

/** What DataMart charges for a bundle, in pesewas. A size that is not on its list costs its share of 1 GB. */
export function findPricePesewas({ network, capacity }: Purchase): number {
  const prices = priceLists[network]
  return prices.get(capacity) ?? Math.ceil((prices.get(1) ?? 0) * capacity)
}
