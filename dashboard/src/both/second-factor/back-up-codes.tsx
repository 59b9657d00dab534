import { Button } from '@mantine/core'
import { CopyText } from '../copy-text.tsx'
import css from './second-factor.module.css'
import { secondFactorWords as words } from './second-factor-words.ts'

function save(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = words.codesFile
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Shows the new back-up codes. No other screen shows them. */
export function BackUpCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  const text = `${codes.join('\n')}\n`
  return (
    <section className={css.part} aria-label={words.codesTitle}>
      <h2>{words.codesTitle}</h2>
      <p>{words.codesLead}</p>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={css.actions}>
        <CopyText text={text} label={words.copyCodes} />
        <Button variant="light" onClick={() => save(text)}>
          {words.saveCodes}
        </Button>
      </div>
      <Button onClick={onKept}>{words.codesKept}</Button>
    </section>
  )
}
