import { useSyncExternalStore } from 'react'
import { onAnswer } from '../../both/api/call-api.ts'
import css from '../../both/layout/offline-banner.module.css'
import { frameWords } from '../words/frame.ts'

/** What is as young as this counts as new: the server looks once a second how old it is. */
const newSeconds = 3

let seconds = 0
const listeners = new Set<() => void>()

onAnswer(({ headers }) => {
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
    <div role="status" className={isOld ? css.offline : undefined}>
      {isOld ? frameWords.dataAge(age) : null}
    </div>
  )
}
