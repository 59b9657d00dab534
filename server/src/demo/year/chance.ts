import { repeatableNumbers } from '../../platform/repeatable-numbers.ts'

/** A source of random numbers. The same seed gives the same numbers again. */
export type Chance = {
  /** At least 0, below 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True with this probability, from 0 to 1. */
  happens(share: number): boolean
  pick<T>(items: readonly T[]): T
  /** Picks one of the items. An item with more weight is picked more often. */
  pickWeighted<T>(weighted: readonly (readonly [item: T, weight: number])[]): T
  /** Picks a delay in the unit of `median`: mostly close to it, rarely many times as long. */
  delay(median: number): number
  /** A UUID of version 7 of that moment, so that ids are in the order of time as real ones are. */
  idAt(milliseconds: number): string
  hex(length: number): string
}

export function createChance(seed: number): Chance {
  const next = repeatableNumbers(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const hex = (length: number) => Array.from({ length }, () => between(0, 15).toString(16)).join('')
  return {
    next,
    between,
    hex,
    happens: (share) => next() < share,
    pick(items) {
      const item = items[between(0, items.length - 1)]
      if (item === undefined) throw new RangeError('there is nothing to pick from')
      return item
    },
    pickWeighted(weighted) {
      let left = next() * weighted.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of weighted) {
        left -= weight
        if (left < 0) return item
      }
      throw new RangeError('there is nothing to weigh')
    },
    // A log-normal distribution, its normal part by the method of Box and Muller.
    delay: (median) => Math.round(median * Math.exp(0.6 * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()))),
    idAt(milliseconds) {
      const time = Math.floor(milliseconds).toString(16).padStart(12, '0')
      return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${between(8, 11).toString(16)}${hex(3)}-${hex(12)}`
    },
  }
}

/**
 * Deals names as often as their counts say, in random order, and begins anew when all are dealt. So even a rare name occurs in
 * every deck.
 */
export function createDeck<T extends string>(chance: Chance, counts: Readonly<Partial<Record<T, number>>>): () => T {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = (Object.entries(counts) as [T, number][]).flatMap(([name, count]) => Array<T>(count).fill(name))
    const [dealt] = left.splice(chance.between(0, left.length - 1), 1)
    if (dealt === undefined) throw new RangeError('the deck is empty')
    return dealt
  }
}
