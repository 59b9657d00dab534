import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { liveTopics } from './live-topics.ts'
import { type LiveMarks, type ReadMarks, readLiveMarks } from './read-live-marks.ts'

/** Called with the topics that have changed, and their present marks. A mark may be the same as at the last call. */
export type LiveListener = (moved: Partial<LiveMarks>) => void

export type Live = {
  /** Reads the marks. Calls within half a second share one read. */
  read(): Promise<LiveMarks>
  /** Returns the present marks, and calls the listener at every change after them. `marks` rejects when they cannot be read. */
  listen(listener: LiveListener): { readonly marks: Promise<LiveMarks>; readonly stopListening: () => void }
}

/** While there is a listener, the marks are read this often. */
const pollMilliseconds = 1_000

/** Calls of `read` within this time share one read of the database. */
const sharedMilliseconds = 500

function movedBetween(before: ReadMarks, now: ReadMarks, announcedEarly: ReadonlySet<string>): Partial<LiveMarks> {
  // Some markers change before their transaction has committed. Their topics are announced again with the next read, because
  // most transactions have ended by then.
  const moved = liveTopics.filter((topic) => before.marks[topic] !== now.marks[topic] || announcedEarly.has(topic))
  return Object.fromEntries(moved.map((topic) => [topic, now.marks[topic]]))
}

type LiveDeps = {
  readonly db: Db
  readonly log: Logger
  /** Waits until the replica has the changes, so that screens that read again see them. */
  readonly untilReadable: () => Promise<void>
}

/**
 * Watches the database for changes. Whatever the number of listeners in this process, it sends at most one statement a second;
 * without a listener, none. Calls of `read` add at most two a second.
 */
export function openLive({ db, log, untilReadable }: LiveDeps): Live {
  const listeners = new Set<LiveListener>()
  let isPolling = false
  /** The last read of the poll; undefined before its first read, and while no poll runs. */
  let last: ReadMarks | undefined
  /** Listeners that come before the first read wait for it. */
  let firstRead: PromiseWithResolvers<ReadMarks> | undefined
  let early: ReadonlySet<string> = new Set()
  let shared: { readonly read: Promise<ReadMarks>; readonly at: number } | undefined
  let hasFailed = false

  async function readMarks(): Promise<ReadMarks> {
    const marks = await readLiveMarks(db)
    await untilReadable()
    return marks
  }

  function readShared(): Promise<ReadMarks> {
    if (shared && performance.now() - shared.at < sharedMilliseconds) return shared.read
    shared = { read: readMarks(), at: performance.now() }
    return shared.read
  }

  async function readAndNotify(): Promise<void> {
    try {
      const now = await readMarks()
      shared = { read: Promise.resolve(now), at: performance.now() }
      const before = last ?? now
      const moved = movedBetween(before, now, early)
      early = new Set(liveTopics.filter((topic) => before.early[topic] !== now.early[topic]))
      last = now
      hasFailed = false
      firstRead?.resolve(now)
      if (Object.keys(moved).length > 0) for (const listener of listeners) listener(moved)
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'what has changed cannot be read, so open desks are not told')
      hasFailed = true
      firstRead?.reject(error)
    }
    firstRead = undefined
  }

  async function poll(): Promise<void> {
    if (isPolling) return
    isPolling = true
    while (listeners.size > 0) {
      await readAndNotify()
      await new Promise<void>((resolve) => setTimeout(resolve, pollMilliseconds).unref())
    }
    isPolling = false
    last = undefined
    early = new Set()
  }

  return {
    read: async () => (await readShared()).marks,
    listen(listener) {
      listeners.add(listener)
      const read = last ?? (firstRead ??= Promise.withResolvers()).promise
      void poll()
      return { marks: Promise.resolve(read).then(({ marks }) => marks), stopListening: () => listeners.delete(listener) }
    },
  }
}
