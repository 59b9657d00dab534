import { Button } from '@mantine/core'
import type { RefObject } from 'react'
import { bindText } from '../../both/form/typed.ts'
import { Card } from '../../both/layout/page.tsx'
import { groupDigits } from '../../both/phones.ts'
import { composerWords } from '../words/sms.ts'
import css from './sms.module.css'
import type { useComposer } from './use-composer.ts'

type Composer = ReturnType<typeof useComposer>
type Named = NonNullable<Composer['named']>

const token = '{name}'

type InsertProps = { readonly composer: Composer; readonly field: RefObject<HTMLTextAreaElement | null> }

/** Writes `{name}` into the text where the cursor is. */
export function InsertName({ composer: { writing, change }, field }: InsertProps) {
  const insert = () => {
    const { selectionStart: from, selectionEnd: to } = field.current ?? { selectionStart: 0, selectionEnd: 0 }
    change({ message: `${writing.message.slice(0, from)}${token}${writing.message.slice(to)}` })
    // Once React has drawn the new text, moves the cursor behind the token.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(from + token.length, from + token.length)
    })
  }
  return (
    <Button variant="default" disabled={writing.message.length + token.length > 1000} onClick={insert}>
      {composerWords.insertName}
    </Button>
  )
}

type TextsProps = { readonly first: Named['first'] }

/** Texts as they will be sent. */
export function FirstTexts({ first }: TextsProps) {
  if (first.length === 0) return null
  return (
    <ul className={css.texts} aria-label={composerWords.firstTexts}>
      {first.map(({ number, text }) => (
        <li key={number}>
          <b>{groupDigits(number)}</b>
          <p className={css.message}>{text}</p>
        </li>
      ))}
    </ul>
  )
}

/** Shows the effect of `{name}`: how many numbers have no name, the word that they get instead, and the first text. */
export function NamesPart({ composer: { writing, change, checks, named } }: { readonly composer: Composer }) {
  if (!named) return null
  return (
    <div role="status" className={css.gap}>
      {named.unnamed > 0 && (
        <Card tone={named.credits === null ? 'gold' : 'plain'}>
          <b>{composerWords.unnamed(named.unnamed, checks.reach?.recipients ?? 0)}</b>
          <label className={css.label}>
            {composerWords.nameFallback}
            <input
              className={`${css.field} ${css.single}`}
              maxLength={60}
              placeholder={composerWords.nameFallbackHint}
              {...bindText(writing.nameFallback, (nameFallback) => change({ nameFallback }))}
            />
          </label>
        </Card>
      )}
      <FirstTexts first={named.first.slice(0, 1)} />
    </div>
  )
}
