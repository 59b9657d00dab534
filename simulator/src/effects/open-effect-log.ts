import { join } from 'node:path'
import { openAppendOnlyLog } from './open-append-only-log.ts'
import { readLines } from './read-lines.ts'

export type Effect = {
  readonly supplier: string
  readonly product: string
  /** The buyer's reference, as it arrived. */
  readonly reference: string
  readonly supplierReference: string
  readonly recipient: string
  /** The network, in the supplier's word. */
  readonly network: string
  /** In GB, of a bundle. */
  readonly capacity?: number
  /** The amount of airtime or of a bill, in GHS. */
  readonly amount?: number
  /** The price that the buyer was charged, in GHS. */
  readonly cost: number
  /** ISO 8601. */
  readonly at: string
}

export type EffectQuery = {
  readonly reference?: string | undefined
  readonly recipient?: string | undefined
  /** The byte offset from which to read: the `next` of an earlier answer. */
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

/** Everything that was delivered. Lines are only added: an order that was bought under two references has two lines. */
export type EffectLog = {
  /** Resolves when the effect would survive a killed process. */
  record(effect: Effect): Promise<void>
  count(): number
  /** Yields the effects in their order, a few at a time, each with the offset of the next one. */
  read(query: EffectQuery): AsyncGenerator<readonly { readonly effect: Effect; readonly next: number }[]>
  size(): number
  close(): Promise<void>
}

/** Opens `effects.jsonl` in a folder, and calls `onEffect` for every earlier effect. */
export async function openEffectLog(folder: string, onEffect: (effect: Effect) => void): Promise<EffectLog> {
  // Memory keeps only the references and their offsets, so that a million effects need little.
  const offsets = new Map<string, number | number[]>()
  let count = 0

  function index(reference: string, offset: number): void {
    const known = offsets.get(reference)
    if (known === undefined) offsets.set(reference, offset)
    else if (typeof known === 'number') offsets.set(reference, [known, offset])
    else known.push(offset)
    count += 1
  }

  const log = await openAppendOnlyLog(join(folder, 'effects.jsonl'), (text, offset) => {
    const effect = JSON.parse(text) as Effect
    index(effect.reference, offset)
    onEffect(effect)
  })

  async function* read(query: EffectQuery): AsyncGenerator<readonly { effect: Effect; next: number }[]> {
    let left = query.limit ?? Number.POSITIVE_INFINITY
    for (const range of findRanges(query, offsets, log.size())) {
      for await (const lines of readLines(log.file, range)) {
        const found = []
        for (const { text, offset } of query.reference === undefined ? lines : lines.slice(0, 1)) {
          if (left <= 0) break
          const effect = JSON.parse(text) as Effect
          if (query.recipient !== undefined && effect.recipient !== query.recipient) continue
          found.push({ effect, next: offset + Buffer.byteLength(text) + 1 })
          left -= 1
        }
        if (found.length > 0) yield found
        if (left <= 0) return
        if (query.reference !== undefined) break
      }
    }
  }

  return {
    record: async (effect) => index(effect.reference, await log.append(JSON.stringify(effect))),
    count: () => count,
    read,
    size: log.size,
    close: log.close,
  }
}

function findRanges(
  query: EffectQuery,
  offsets: ReadonlyMap<string, number | number[]>,
  to: number,
): { from: number; to: number }[] {
  const after = query.after ?? 0
  if (query.reference === undefined) return [{ from: after, to }]
  const known = offsets.get(query.reference) ?? []
  // Reads a piece of fixed size at each offset. A line is far shorter, and only the first line is used.
  return (typeof known === 'number' ? [known] : known)
    .filter((from) => from >= after)
    .map((from) => ({ from, to: Math.min(to, from + 4_096) }))
}
