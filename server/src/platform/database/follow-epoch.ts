import type { Epoch } from './epoch.ts'

/** A value in memory that is read again, in the background, whenever the epoch has changed. */
export type Followed<T> = {
  /** The result of the last load. */
  value(): T
  /** Reads the value at once. It then includes all changes from before the call. */
  refresh(): Promise<void>
  stop(): void
}

/**
 * Keeps the result of `load` up to date with the database. The first load is awaited. The error of a later load goes to
 * `onError`; then the load is tried again, and the last good value stays in use.
 */
export async function followEpoch<T>(
  epoch: Epoch,
  load: () => Promise<T>,
  onError: (error: unknown) => void,
): Promise<Followed<T>> {
  let loaded: { readonly value: T; readonly epoch: number | undefined } | undefined
  let lastLoad: Promise<void> = Promise.resolve()
  let waitingLoads = 0

  async function loadOnce(): Promise<void> {
    // The epoch is read before the rows, so the rows are at least as new as this epoch.
    const epochBefore = epoch.current()?.epoch
    loaded = { value: await load(), epoch: epochBefore }
  }

  function refresh(): Promise<void> {
    waitingLoads += 1
    // Loads run one after the other: a load that began before this call may have read rows that have changed since.
    lastLoad = lastLoad
      .catch(() => undefined)
      .then(loadOnce)
      .finally(() => {
        waitingLoads -= 1
      })
    return lastLoad
  }

  async function refreshIfChanged(): Promise<void> {
    const current = epoch.current()
    if (!current || waitingLoads > 0 || current.epoch === loaded?.epoch) return
    await refresh().catch(onError)
  }

  await refresh()
  const stopListening = epoch.onRead(() => void refreshIfChanged())
  return {
    value: () => {
      if (!loaded) throw new Error('followEpoch was used before its first load')
      return loaded.value
    },
    refresh,
    stop: stopListening,
  }
}
