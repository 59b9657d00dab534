import { Button } from '@mantine/core'
import type { Schema } from '../../both/api/call-api.ts'
import { Card } from '../../both/layout/page.tsx'
import { composerWords } from '../words/sms.ts'
import css from './sms.module.css'

type Check = Schema<'SmsTextCheck'>
type Unusual = Check['unusual'][number]

const shownMax = 4

type Props = { readonly check: Check; readonly message: string; readonly onChange: (message: string) => void }

/** Shows why a text costs more, with a button that corrects it, and why a text may not be sent. */
export function TextCheck({ check, message, onChange }: Props) {
  const { unusual, segments, plain_segments, blocked_because } = check
  const replace = (each: readonly Unusual[]) =>
    onChange(each.reduce((text, { character, replacement }) => text.replaceAll(character, replacement), message))
  return (
    <div role="status" className={css.gap}>
      {blocked_because !== null && (
        <Card tone="bad">
          <b>{composerWords.blocked}</b>
          <p>
            {blocked_because} {composerWords.blockedNext}
          </p>
        </Card>
      )}
      {unusual.length > 0 && (
        <Card tone="gold">
          {unusual.slice(0, shownMax).map((each) => (
            <div key={each.character} className={css.line}>
              <b>
                {segments > plain_segments
                  ? composerWords.unusual(each.character, segments)
                  : composerWords.unusualSame(each.character)}
              </b>
              <Button variant="default" onClick={() => replace([each])}>
                {composerWords.replace(each.replacement)}
              </Button>
            </div>
          ))}
          {unusual.length > 1 && (
            <Button mt={12} variant="default" fullWidth onClick={() => replace(unusual)}>
              {composerWords.replaceAll(segments > plain_segments ? plain_segments : undefined)}
            </Button>
          )}
        </Card>
      )}
    </div>
  )
}
