import { type ClipboardEvent, type Ref, useId } from 'react'
import { buyWords } from '../words/buy.ts'
import css from './buy.module.css'
import { cleanLines } from './read-lines.ts'

type Props = {
  readonly text: string
  readonly onText: (text: string) => void
  readonly hint: string
  readonly field: Ref<HTMLTextAreaElement>
}

/** The field for numbers, one on each line: typed, pasted in any form, or read from a CSV file. */
export function LinesField({ text, onText, hint, field }: Props) {
  const id = useId()
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    const [before, after] = [text.slice(0, selectionStart), text.slice(selectionEnd)]
    onText(before + cleanLines(event.clipboardData.getData('text')) + after)
  }
  const read = async (file: File | undefined) => {
    if (!file) return
    const read = cleanLines(await file.text())
    onText([text.trimEnd(), read].filter(Boolean).join('\n'))
  }
  return (
    <div className={css.fieldset}>
      <label className={css.legend} htmlFor={id}>
        {buyWords.numbers}
      </label>
      <textarea
        id={id}
        ref={field}
        className={css.text}
        value={text}
        inputMode="tel"
        autoComplete="off"
        spellCheck={false}
        rows={4}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onText(event.currentTarget.value)}
        onPaste={paste}
      />
      <div className={css.hint}>
        <span id={`${id}-hint`}>{hint}</span>
        <label className={css.file}>
          {buyWords.fromFile}
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
