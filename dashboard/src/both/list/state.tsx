import type { ReactNode } from 'react'
import css from './state.module.css'

/** The tone of a state: done, waiting, failed, or none of these. */
export type Tone = 'done' | 'wait' | 'fail' | 'plain'

const signs: Readonly<Record<Tone, string>> = {
  done: 'M3 8.5l3.2 3.2L13 5',
  wait: 'M8 4v4.2l2.6 1.8',
  fail: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
  plain: 'M4 8h8',
}

/** The sign of a state alone, where its name is shown elsewhere. */
export function StateIcon({ tone }: { readonly tone: Tone }) {
  return (
    <svg className={`${css.sign} ${css[tone]}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <circle cx="8" cy="8" r="7" />
      <path d={signs[tone]} />
    </svg>
  )
}

type Props = { readonly tone: Tone; readonly isBig?: boolean; readonly children: ReactNode }

/** A state as a sign and a word, never as a colour alone. */
export function State({ tone, isBig, children }: Props) {
  return (
    <span className={`${css.state} ${css[tone]} ${isBig ? css.big : ''}`}>
      <StateIcon tone={tone} />
      {children}
    </span>
  )
}

export function StateOf({ word, ...state }: Omit<Props, 'children'> & { readonly word: string }) {
  return <State {...state}>{word}</State>
}
