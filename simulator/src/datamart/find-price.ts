import type { DataMartNetwork, Purchase } from './read-purchase.ts'

/** GB → pesewas: invented prices. The demo's price list uses them as its costs, so that the demo sells at a profit. */
const priceLists: Readonly<Record<DataMartNetwork, ReadonlyMap<number, number>>> = {
  YELLO: new Map([
    [1, 285],
    [2, 570],
    [3, 855],
    [5, 1_425],
    [10, 2_850],
    [20, 5_700],
  ]),
  TELECEL: new Map([
    [1, 275],
    [2, 550],
    [5, 1_375],
    [10, 2_750],
    [20, 5_500],
  ]),
  AT_PREMIUM: new Map([
    [1, 270],
    [2, 540],
    [5, 1_350],
    [10, 2_700],
  ]),
  AT_BIGTIME: new Map([
    [1, 270],
    [2, 540],
    [5, 1_350],
    [10, 2_700],
    [20, 5_400],
  ]),
}

/** DataMart's price of a bundle, in pesewas. A size that is not listed costs its share of 1 GB. */
export function findPricePesewas({ network, capacity }: Purchase): number {
  const prices = priceLists[network]
  return prices.get(capacity) ?? Math.ceil((prices.get(1) ?? 0) * capacity)
}
