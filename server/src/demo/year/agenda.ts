/** Acts to be done in the order of time. */
export type Agenda = {
  add(at: number, act: () => void): void
  /** Does every act that is due up to a moment, those added meanwhile too. */
  runUntil(until: number): void
}

type Entry = { readonly at: number; readonly no: number; readonly act: () => void }

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.no < b.no)

/** Moves the last entry of a binary heap up to its place. */
function rise(heap: Entry[]): void {
  for (let index = heap.length - 1; index > 0; ) {
    const parent = (index - 1) >> 1
    const [above, below] = [heap[parent], heap[index]]
    if (!above || !below || !isBefore(below, above)) return
    heap[parent] = below
    heap[index] = above
    index = parent
  }
}

/** Moves the first entry of a binary heap down to its place. */
function sink(heap: Entry[]): void {
  for (let index = 0; ; ) {
    let first = index
    for (const child of [2 * index + 1, 2 * index + 2]) {
      const [lower, upper] = [heap[child], heap[first]]
      if (lower && upper && isBefore(lower, upper)) first = child
    }
    const [here, there] = [heap[index], heap[first]]
    if (first === index || !here || !there) return
    heap[index] = there
    heap[first] = here
    index = first
  }
}

/** Makes an empty agenda. Acts of the same moment are done in the order in which they were added. */
export function createAgenda(): Agenda {
  const heap: Entry[] = []
  let added = 0

  function takeFirst(): Entry | undefined {
    const [first] = heap
    const last = heap.pop()
    if (last && heap.length > 0) {
      heap[0] = last
      sink(heap)
    }
    return first
  }

  return {
    add(at, act) {
      added += 1
      heap.push({ at, no: added, act })
      rise(heap)
    },
    runUntil(until) {
      while ((heap[0]?.at ?? Number.POSITIVE_INFINITY) <= until) takeFirst()?.act()
    },
  }
}
