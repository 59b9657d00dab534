import { useEffect, useState } from 'react'
import type { Drafted } from '../../both/form/fields.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { readMoment } from '../../both/moments/format-moment.ts'
import { switchWords } from '../words/switches.ts'

/** The fields for how long a change lasts: a key of `periods`, and a moment as a `datetime-local` field writes it. */
export const returnFields = {
  period: { kind: 'choice', label: switchWords.until, help: switchWords.untilHelp, options: choicesOf(switchWords.periods) },
  own: {
    kind: 'datetime-local',
    label: switchWords.ownTime,
    isNeeded: true,
    isShown: ({ period }: Readonly<Record<string, string>>) => period === 'own',
  },
} as const

const minutes: Readonly<Record<string, number>> = { m15: 15, h1: 60, h4: 240 }
const minuteMilliseconds = 60_000
const dayMilliseconds = 24 * 60 * minuteMilliseconds

/** The end of the change; undefined when it has none. Ghana's time is UTC all year. */
export function returnOf({ period, own }: Drafted<typeof returnFields>, now = Date.now()): string | undefined {
  const length = minutes[period]
  if (length !== undefined) return new Date(now + length * minuteMilliseconds).toISOString()
  if (period === 'tomorrow') return `${new Date(now + dayMilliseconds).toISOString().slice(0, 10)}T08:00:00.000Z`
  return period === 'own' ? readMoment(own) : undefined
}

/** The time left, such as `in 3 h 12 min`; below 100 seconds by the second, such as `in 42 s`. */
export function Countdown({ to }: { readonly to: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = Math.round((new Date(to).getTime() - now) / 1_000)
  return <span role="timer">{left <= 0 ? switchWords.anyMoment : switchWords.inTime(spell(left))}</span>
}

function spell(seconds: number): string {
  if (seconds < 100) return `${seconds} s`
  const all = Math.ceil(seconds / 60)
  if (all < 100) return `${all} min`
  const hours = Math.floor(all / 60)
  return hours < 48 ? `${hours} h ${all % 60} min` : `${Math.round(hours / 24)} days`
}
