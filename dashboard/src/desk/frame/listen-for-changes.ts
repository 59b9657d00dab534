/** A text for each topic: its mark. A topic has changed when its mark differs. */
type Marks = Readonly<Record<string, string>>

/** The message of one tab of the browser to the others. */
type TabMessage = { readonly marks: Marks; readonly haveChanged: boolean }

const address = '/desk/api/live'
/** The tab that has this lock holds the connection to the server, and passes its messages on to the other tabs. */
const lockName = 'makola-desk-live'
/** If a proxy lets no stream through, the marks are read this often, and after a minute the stream is tried again. */
const pollMilliseconds = 2_000
const streamAgainMilliseconds = 60_000
/** The stream is opened this long after the start, so that the first screen is loaded before it. */
const beginMilliseconds = 1_500

export type ChangeHandlers = {
  /** Called with the topics that have changed on the server. */
  readonly onMoved: (topics: readonly string[]) => void
  /** Called when the server refuses the stream, for example because the session has ended. */
  readonly onRefused: () => void
}

/** Keeps the marks and finds out which topics have changed. */
function createMarks(onMoved: ChangeHandlers['onMoved']) {
  const known = new Map<string, string>()
  return ({ marks, haveChanged }: TabMessage) => {
    const moved = Object.entries(marks).filter(([topic, mark]) => haveChanged || (known.has(topic) && known.get(topic) !== mark))
    for (const [topic, mark] of Object.entries(marks)) known.set(topic, mark)
    if (moved.length > 0) onMoved(moved.map(([topic]) => topic))
  }
}

/** Reads the marks once. @returns false when the server refuses this browser */
async function ask(take: (message: TabMessage) => void, until: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(address, { signal: until, headers: { accept: 'application/json' } })
    if (answer.ok) take({ marks: ((await answer.json()) as { data: { marks: Marks } }).data.marks, haveChanged: false })
    return answer.status !== 401 && answer.status !== 403
  } catch {
    // There is no connection now; the next try may succeed.
    return true
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Reads the marks again and again while the page is visible, until the signal ends it or the server refuses. */
async function poll(take: (message: TabMessage) => void, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    if (document.visibilityState === 'visible' && !(await ask(take, until))) return
    await wait(pollMilliseconds)
  }
}

/**
 * Listens to the stream until the server refuses it or the signal ends it. The browser opens a stream again by itself when only
 * the connection was lost.
 */
function listen(take: (message: TabMessage) => void, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until.aborted) return resolve()
    const source = new EventSource(address)
    const read = (haveChanged: boolean) => (event: MessageEvent<string>) =>
      take({ marks: JSON.parse(event.data) as Marks, haveChanged })
    source.addEventListener('marks', read(false))
    source.addEventListener('moved', read(true))
    source.addEventListener('error', () => source.readyState === EventSource.CLOSED && resolve())
    until.addEventListener('abort', () => {
      source.close()
      resolve()
    })
  })
}

/** Listens to the stream until the signal ends it. While the server refuses the stream, polls the marks instead. */
async function keepListening(take: (message: TabMessage) => void, onRefused: () => void, until: AbortSignal): Promise<void> {
  // Reads the marks now, while the first screen loads its lists. The stream's first marks are compared with them, so that a
  // change in between is noticed.
  await ask(take, until)
  await wait(beginMilliseconds)
  while (!until.aborted) {
    await listen(take, until)
    if (until.aborted) return
    onRefused()
    await poll(take, AbortSignal.any([until, AbortSignal.timeout(streamAgainMilliseconds)]))
    await wait(pollMilliseconds)
  }
}

/**
 * Learns from the server which topics have changed. All tabs of a browser share one connection, because a browser opens only a
 * few connections to one server: the tab with the lock holds the connection and tells the others.
 *
 * @returns a function that ends it
 */
export function listenForChanges({ onMoved, onRefused }: ChangeHandlers): () => void {
  const stopping = new AbortController()
  const take = createMarks(onMoved)
  const tabs = new BroadcastChannel(lockName)
  tabs.addEventListener('message', (event: MessageEvent<TabMessage>) => take(event.data))
  const takeAndPass = (message: TabMessage) => {
    take(message)
    // A `BroadcastChannel` reaches only tabs of the same origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (!stopping.signal.aborted) tabs.postMessage(message)
  }
  navigator.locks
    .request(lockName, { signal: stopping.signal }, () => keepListening(takeAndPass, onRefused, stopping.signal))
    .catch(() => undefined)
  return () => {
    stopping.abort()
    tabs.close()
  }
}
