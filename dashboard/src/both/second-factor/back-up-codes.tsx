import { Button } from '@mantine/core'
import { KeepText } from '../keep-text.tsx'
import css from './second-factor.module.css'
import { secondFactorWords as words } from './second-factor-words.ts'

/** Shows the new back-up codes. No other screen shows them. */
export function BackUpCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
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
        <KeepText text={codes.join('\n')} label={words.copyCodes} fileName={words.codesFile} />
      </div>
      <Button onClick={onKept}>{words.codesKept}</Button>
    </section>
  )
}
