import { type ComponentType, lazy } from 'react'

/** Loads a part that a screen can do without. If its file cannot be loaded, as without a connection, nothing is shown. */
export const lazyOrNothing = <Props>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  lazy(() => load().catch((): { default: ComponentType<Props> } => ({ default: () => null })))

/**
 * Loads once: later calls get the same promise. When the promise is fulfilled already, React shows the part without a waiting
 * state.
 */
export function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}
