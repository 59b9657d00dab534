/** The marks of topics: a topic has changed when its mark is another one. */
type Marks = Readonly<Record<string, string>>

/** What is told between the tabs of a browser. */
type Told = { readonly marks: Marks; readonly areMoved: boolean }

const address = '/desk/api/live'
/** The tab that has this lock holds the connection, and tells the others. */
const lockName = 'makola-desk-live'
/** Where no stream gets through, the marks are asked for so often, and the stream is tried again after a while. */
const pollMilliseconds = 2_000
const streamAgainMilliseconds = 60_000
/** The first screen is loaded before the stream. */
const beginMilliseconds = 1_500

export type LiveHandlers = {
  /** What has changed somewhere else. */
  readonly onMoved: (topics: readonly string[]) => void
  /** The server gives this browser nothing: the session may have ended. */
  readonly onRefused: () => void
}

/** Remembers the marks and finds out which topics have moved. */
function createMarks(onMoved: LiveHandlers['onMoved']) {
  const known = new Map<string, string>()
  return ({ marks, areMoved }: Told) => {
    const moved = Object.entries(marks).filter(([topic, mark]) => areMoved || (known.has(topic) && known.get(topic) !== mark))
    for (const [topic, mark] of Object.entries(marks)) known.set(topic, mark)
    if (moved.length > 0) onMoved(moved.map(([topic]) => topic))
  }
}

/** Asks for the marks once. @returns whether the server gives them to this browser */
async function ask(take: (told: Told) => void, until: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(address, { signal: until, headers: { accept: 'application/json' } })
    if (answer.ok) take({ marks: ((await answer.json()) as { data: { marks: Marks } }).data.marks, areMoved: false })
    return answer.status !== 401 && answer.status !== 403
  } catch {
    // The connection is gone: the next time may find it again.
    return true
  }
}

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Asks for the marks again and again, as long as somebody looks; until the signal. */
async function poll(take: (told: Told) => void, until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    if (document.visibilityState === 'visible' && !(await ask(take, until))) return
    await wait(pollMilliseconds)
  }
}

/** Listens to a stream until it is refused or the signal comes; what is only lost the browser takes up again by itself. */
function listen(take: (told: Told) => void, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until.aborted) return resolve()
    const source = new EventSource(address)
    const read = (areMoved: boolean) => (event: MessageEvent<string>) =>
      take({ marks: JSON.parse(event.data) as Marks, areMoved })
    source.addEventListener('marks', read(false))
    source.addEventListener('moved', read(true))
    source.addEventListener('error', () => source.readyState === EventSource.CLOSED && resolve())
    until.addEventListener('abort', () => {
      source.close()
      resolve()
    })
  })
}

/** Holds the stream until the signal; where it is refused, asks instead for a while. */
async function hold(take: (told: Told) => void, onRefused: () => void, until: AbortSignal): Promise<void> {
  // What the first screen shows is of this moment. The stream comes when the screen stands, and compares.
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
 * Hears from the server what has changed. All tabs of a browser share one connection, because a browser opens only a few
 * to one server: the tab with the lock holds it and tells the others.
 *
 * @returns stops it
 */
export function listenLive({ onMoved, onRefused }: LiveHandlers): () => void {
  const stopping = new AbortController()
  const take = createMarks(onMoved)
  const tabs = new BroadcastChannel(lockName)
  tabs.addEventListener('message', (event: MessageEvent<Told>) => take(event.data))
  const takeAndTell = (told: Told) => {
    take(told)
    // A channel reaches the tabs of its own origin alone.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (!stopping.signal.aborted) tabs.postMessage(told)
  }
  navigator.locks
    .request(lockName, { signal: stopping.signal }, () => hold(takeAndTell, onRefused, stopping.signal))
    .catch(() => undefined)
  return () => {
    stopping.abort()
    tabs.close()
  }
}
