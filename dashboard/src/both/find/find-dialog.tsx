import { Modal, TextInput } from '@mantine/core'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { fieldWords } from '../field-words.ts'
import { useFocusBack } from '../form/use-focus-back.ts'
import { Failure } from '../layout/query-states.tsx'
import type { Face } from '../sign-in/face.ts'
import { useSignOut } from '../sign-in/sign-out-button.tsx'
import css from './find.module.css'
import { findWords as words } from './find-words.ts'
import { matchesWords } from './match-words.ts'

export type Choice = {
  readonly key: string
  readonly group: string
  readonly title: string
  readonly detail: string
  /** The address of this result. Undefined: no screen shows it, and its text in the list is complete. */
  readonly path: string | undefined
  /** Choosing this result signs out; it opens no screen. */
  readonly act?: 'signOut'
}

export type Found = {
  readonly choices: readonly Choice[]
  /** Kinds of results, such as orders, of which the list shows only some. */
  readonly more: readonly string[]
  readonly isSearching: boolean
  readonly error: unknown
}

/** The pause after the last key before the server is asked. */
export const pauseMilliseconds = 120
/** A search needs at least two letters, because one letter fits too much. */
export const lengthMin = 2

/** The choice that signs out, if the text fits it. */
export const signOutFor = (text: string): readonly Choice[] =>
  matchesWords(text, `${fieldWords.signOut} log out leave`)
    ? [{ key: 'sign out', group: words.commands, title: fieldWords.signOut, detail: '', path: undefined, act: 'signOut' }]
    : []

type ListProps = {
  readonly id: string
  readonly choices: readonly Choice[]
  readonly at: number
  readonly onPoint: (at: number) => void
  readonly onChoose: (choice: Choice) => void
}

/** The list of choices. The focus stays in the search field, whose arrow keys move the mark in this list. */
function Choices({ id, choices, at, onPoint, onChoose }: ListProps) {
  const marked = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Braces, because some browsers return a promise here, and an effect must not return one.
    marked.current?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div id={id} role="listbox" aria-label={words.results} className={css.choices}>
      {choices.map((choice, index) => (
        <Fragment key={choice.key}>
          {choice.group !== choices[index - 1]?.group && (
            <div className={css.group} role="presentation">
              {choice.group}
            </div>
          )}
          {/* The search field has the focus and handles the keys. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
          <div
            id={`${id}-${index}`}
            ref={index === at ? marked : undefined}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            aria-disabled={choice.path === undefined && choice.act === undefined}
            className={`${css.choice} ${index === at ? css.isAt : ''}`}
            onMouseMove={() => onPoint(index)}
            onClick={() => onChoose(choice)}
          >
            <b>{choice.title}</b>
            {choice.detail !== '' && <span>{choice.detail}</span>}
          </div>
        </Fragment>
      ))}
    </div>
  )
}

type Props = {
  readonly face: Face
  readonly hint: string
  /** A hook that returns the results for the typed text. */
  readonly useFound: (text: string) => Found
  readonly onOpen?: (choice: { readonly title: string; readonly detail: string; readonly path: string }) => void
  readonly onClose: () => void
}

const arrowSteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The dialog of Ctrl K: lists screens, actions such as signing out, and what the server finds. */
export function FindDialog({ face, hint, useFound, onOpen, onClose }: Props) {
  useFocusBack()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [, navigate] = useLocation()
  const { choices, more, isSearching, error } = useFound(text)
  const signingOut = useSignOut(face)
  const choose = (choice: Choice | undefined) => {
    if (choice?.act === 'signOut') return signingOut.mutate()
    if (choice?.path === undefined) return
    const { title, detail, path } = choice
    onOpen?.({ title, detail, path })
    onClose()
    navigate(path)
  }
  const move = (event: KeyboardEvent) => {
    const step = arrowSteps[event.key]
    if (step !== undefined && choices.length > 0) {
      event.preventDefault()
      setAt((at + step + choices.length) % choices.length)
    }
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(choices[at])
    }
  }
  return (
    <Modal opened onClose={onClose} title={<b>{words.title}</b>} size="lg" padding={16} centered={false} yOffset="8vh">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={words.label}
        aria-expanded={choices.length > 0}
        aria-controls={id}
        aria-activedescendant={choices.length > 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={move}
      />
      <Choices id={id} choices={choices} at={at} onPoint={setAt} onChoose={choose} />
      <div role="status" className={css.foot}>
        {error || signingOut.error ? <Failure error={error ?? signingOut.error} /> : null}
        {choices.length === 0 && !isSearching && text.trim() !== '' ? words.nothing : null}
        {more.map((things) => (
          <div key={things}>{words.more(things)}</div>
        ))}
        <div className={css.help}>{words.help}</div>
      </div>
    </Modal>
  )
}
