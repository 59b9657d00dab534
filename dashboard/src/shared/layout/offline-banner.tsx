import { useNetwork } from '@mantine/hooks'
import { sharedWords } from '../words.ts'
import css from './offline-banner.module.css'

/** Says plainly that there is no connection. */
export function OfflineBanner() {
  const { online } = useNetwork()
  return (
    <div role="status" className={online ? undefined : css.offline}>
      {online ? null : sharedWords.offline}
    </div>
  )
}
