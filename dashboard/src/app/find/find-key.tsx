import { lazy } from 'react'
import { FindField } from '../../both/find/find-field.tsx'
import { appFindWords } from '../words/find.ts'
import css from './find-key.module.css'

const Palette = lazy(() => import('./palette.tsx'))

/** The search on a wide screen: Ctrl-K, or a button in the navigation rail. */
export default function FindKey() {
  return (
    <div role="search">
      <FindField hint={appFindWords.button} className={css.button} Palette={Palette} />
    </div>
  )
}
