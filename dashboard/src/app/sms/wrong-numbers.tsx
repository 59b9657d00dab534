import type { Schema } from '../../both/api/call-api.ts'
import { composerWords } from '../words/sms.ts'
import css from './sms.module.css'

type Props = { readonly wrong: Schema<'SmsRecipientsCheck'>['wrong']; readonly count: number }

/** The lines that are left out, each with its mistake. */
export function WrongNumbers({ wrong, count }: Props) {
  if (count === 0) return null
  return (
    <div>
      <p className={css.note}>{composerWords.leftOut(count)}</p>
      {/* A long list scrolls within its own area, also with the keyboard. */}
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
