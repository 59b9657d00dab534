import { useState } from 'react'
import { exactMoment, relativeMoment } from './format-moment.ts'
import css from './moment.module.css'

/** A moment relative to now; a tap shows the exact one. */
export function Moment({ at }: { readonly at: string }) {
  const [isExact, setExact] = useState(false)
  return (
    <button type="button" className={css.moment} title={exactMoment(at)} onClick={() => setExact(!isExact)}>
      <time dateTime={at}>{isExact ? exactMoment(at) : relativeMoment(at)}</time>
    </button>
  )
}
