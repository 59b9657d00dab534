import { useSyncExternalStore } from 'react'
import { setAnswerObserver } from '../../both/api/call-api.ts'
import css from '../../both/layout/incident-banner.module.css'
import { frameWords } from '../words/frame.ts'

/** No hint is shown for data of at most this age. The server measures the age once a second, so it is never exact. */
const newSeconds = 3

let seconds = 0
const listeners = new Set<() => void>()

setAnswerObserver(({ headers }) => {
  const age = headers.get('x-makola-data-age')
  if (age === null) return
  seconds = Number(age)
  for (const listener of listeners) listener()
})

function onChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says that lists come from a read replica that is behind. */
export function DataAge() {
  const age = useSyncExternalStore(onChange, () => seconds)
  const isOld = age > newSeconds
  return (
    <div role="status" className={isOld ? `${css.incident} ${css.trouble}` : undefined}>
      {isOld ? frameWords.dataAge(age) : null}
    </div>
  )
}
