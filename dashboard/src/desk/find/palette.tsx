import { Modal, TextInput } from '@mantine/core'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useFocusBack } from '../../both/form/use-focus-back.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { useSignOut } from '../../both/sign-in/sign-out-button.tsx'
import { useDeskMe } from '../me.ts'
import { findWords as words } from '../words/find.ts'
import css from './find.module.css'
import { keepRecent } from './recent.ts'
import { type Choice, useChoices } from './use-choices.ts'

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

/** Carries out the chosen line of the search: opens its screen, or signs out. */
function useChoose(onClose: () => void) {
  const [, navigate] = useLocation()
  const { person } = useDeskMe()
  const signingOut = useSignOut('/desk/api')
  const choose = (choice: Choice | undefined) => {
    if (choice?.act === 'signOut') return signingOut.mutate()
    if (choice?.path === undefined) return
    const { title, detail, path } = choice
    keepRecent(person.person_id, { title, detail, path })
    onClose()
    navigate(path)
  }
  return { choose, signOutError: signingOut.error }
}

/** The dialog of Ctrl K: searches orders, accounts and other records by any text, and lists screens and acts such as signing out. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  useFocusBack()
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { choices, more, isSearching, error } = useChoices(text)
  const { choose, signOutError } = useChoose(onClose)
  const move = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
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
        placeholder={words.hint}
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
        {error || signOutError ? <Failure error={error ?? signOutError} /> : null}
        {choices.length === 0 && !isSearching && text.trim() !== '' ? words.nothing : null}
        {more.map((things) => (
          <div key={things}>{words.more(things)}</div>
        ))}
        <div className={css.help}>{words.help}</div>
      </div>
    </Modal>
  )
}
