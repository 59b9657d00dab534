/**
 * Loads once: whoever asks later gets the same promise, and React shows a part whose promise is fulfilled without showing first that
 * it waits.
 */
export function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
