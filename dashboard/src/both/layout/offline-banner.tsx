import { useSyncExternalStore } from 'react'
import { sharedWords } from '../words.ts'
import css from './offline-banner.module.css'

function onChange(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

export const useIsOnline = (): boolean => useSyncExternalStore(onChange, () => navigator.onLine)

/** Shows that there is no connection, also when the app was opened without one. */
export function OfflineBanner() {
  const isOnline = useIsOnline()
  return (
    <div role="status" className={isOnline ? undefined : css.offline}>
      {isOnline ? null : sharedWords.offline}
    </div>
  )
}
