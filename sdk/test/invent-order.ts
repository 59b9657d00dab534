import { applicant } from '../../server/test/applicant.ts'
import type { Fault } from './faulty-proxy.ts'

export type SeededOrder = {
  readonly name: string
  readonly call: string
  readonly order: object
  readonly faults: readonly Fault[]
  readonly timeoutSeconds: number
}

const possibleFaults: readonly Fault[] = [
  'cut-before',
  'cut-after',
  'reaches-later',
  'twice',
  'half-after',
  'page',
  '502-before',
  '502-after',
  '500-after',
  '503-after',
  '503:overloaded',
  '429:0',
  '401',
]

/** Numbers between 0 and 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** An order of any product, and what happens to it on its way: up to four faults, one after the other. */
export function inventOrder(seed: number, typeId: string): SeededOrder {
  const random = randomOf(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const reference = `seed-${seed}`
  const bundle = (more = '') => ({
    network: 'MTN',
    volume_gb: pick([1, 2]),
    recipient: '0241234567',
    reference: reference + more,
  })
  const [call, order] = pick<readonly [string, () => object]>([
    ['purchaseData', () => bundle()],
    ['purchaseData', () => bundle()],
    ['purchaseDataBatch', () => ({ orders: [bundle('-a'), bundle('-b'), bundle('-c')] })],
    ['purchaseAirtime', () => ({ network: 'MTN', beneficiary_phone: '0241234567', amount: 1, reference })],
    ['purchaseVouchers', () => ({ typeId, quantity: 1, reference })],
    ['payBill', () => ({ biller: 'dstv', account: String(7_000_000_000 + seed), amount: 1, reference })],
    ['registerAfa', () => ({ ...applicant, reference })],
  ])
  const isLate = random() < 0.05
  const faults = Array.from({ length: Math.floor(random() * 5) }, () => pick(possibleFaults))
  // A 401 before any unclear try is a plain refusal and ends the call, so such a fault is left out.
  const first = faults.findIndex((fault) => /cut|later|half|page|50\d-/.test(fault))
  const kept = faults.filter((fault, index) => fault !== '401' || (first !== -1 && first < index))
  return { name: reference, call, order: order(), faults: isLate ? ['late', ...kept] : kept, timeoutSeconds: isLate ? 1 : 150 }
}
