import { type ClipboardEvent, type Ref, useId } from 'react'
import { bindText } from '../both/form/typed.ts'
import css from './numbers-field.module.css'

type Props = {
  readonly label: string
  readonly hint?: string
  readonly placeholder?: string
  readonly inputMode?: 'tel'
  /** The words of the button for a file. */
  readonly file: string
  readonly text: string
  readonly onText: (text: string) => void
  /** Cleans a text that was pasted or read from a file. */
  readonly clean?: (text: string) => string
  readonly field?: Ref<HTMLTextAreaElement>
}

/** The field for numbers, one on each line: typed, pasted in any form, or read from a CSV file. */
export function NumbersField({ label, hint, file, text, onText, clean = (given) => given, field, ...more }: Props) {
  const id = useId()
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    const [before, after] = [text.slice(0, selectionStart), text.slice(selectionEnd)]
    onText(before + clean(event.clipboardData.getData('text')) + after)
  }
  const read = async (chosen: File | undefined) => {
    if (chosen) onText([text.trimEnd(), clean(await chosen.text())].filter(Boolean).join('\n'))
  }
  return (
    <div>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        ref={field}
        className={css.text}
        autoComplete="off"
        spellCheck={false}
        rows={2}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onPaste={paste}
        {...bindText(text, onText)}
        {...more}
      />
      <div className={css.hint}>
        {hint !== undefined && <span id={`${id}-hint`}>{hint}</span>}
        <label className={css.file}>
          {file}
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={(event) => {
              void read(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </label>
      </div>
    </div>
  )
}
