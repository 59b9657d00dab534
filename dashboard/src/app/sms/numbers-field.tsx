import type { ChangeEvent } from 'react'
import type { Schema } from '../../both/api/call-api.ts'
import { composerWords } from '../words/sms.ts'
import css from './sms.module.css'

type Props = {
  readonly label: string
  readonly hint: string
  readonly file: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A field for numbers, pasted, typed, or taken from a file. */
export function NumbersField({ label, hint, file, value, onChange }: Props) {
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const { files } = event.currentTarget
    const text = (await files?.[0]?.text()) ?? ''
    onChange(value.trim() === '' ? text : `${value.trimEnd()}\n${text}`)
  }
  return (
    <>
      <label className={css.label}>
        {label}
        <textarea
          className={`${css.field} ${css.numbers}`}
          value={value}
          placeholder={hint}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </label>
      <label className={css.file}>
        {file}
        <input type="file" accept=".csv,.txt,text/csv,text/plain" onChange={(event) => void take(event)} />
      </label>
    </>
  )
}

type WrongProps = { readonly wrong: Schema<'SmsRecipientsCheck'>['wrong']; readonly count: number }

/** The lines that are left out, each with its mistake. */
export function WrongNumbers({ wrong, count }: WrongProps) {
  if (count === 0) return null
  return (
    <div>
      <p className={css.note}>{composerWords.leftOut(count)}</p>
      {/* A long list scrolls by itself, also with the keyboard. */}
      <ul className={css.wrong} tabIndex={0} aria-label={composerWords.leftOut(count)}>
        {wrong.map(({ line, given, why }) => (
          <li key={`${line} ${given}`}>
            <b>{given}</b> {composerWords.why[why]} ({composerWords.line(line)})
          </li>
        ))}
      </ul>
    </div>
  )
}
