import { post, remove, type Schema } from '../api/call-api.ts'
import { useRead } from '../api/use-read.ts'
import { fieldWords } from '../field-words.ts'
import { Act } from '../form/act.tsx'
import { QueryAnswer } from '../layout/query-states.tsx'
import { Row, Rows } from '../list/rows.tsx'
import { Moment } from '../moments/moment.tsx'
import type { Face } from '../sign-in/face.ts'
import { makePasskey } from '../sign-in/passkey-button.tsx'
import css from './second-factor.module.css'
import { secondFactorWords as words } from './second-factor-words.ts'

type Passkey = Schema<'PasskeyList'>['passkeys'][number]
type Props = { readonly face: Face; readonly onChanged: () => void }

/** Read again after a change: the person's passkeys, and the list of staff, which shows how many each has. */
const topics = ['passkeys', 'staff']

function RemovePasskey({ face, passkey, onChanged }: Props & { readonly passkey: Passkey }) {
  return (
    <Act
      label={fieldWords.remove}
      question={words.removePasskey(passkey.name)}
      button={{ variant: 'default', 'aria-label': words.removePasskey(passkey.name) }}
      isGrave
      run={() => remove(`${face}/passkeys/{passkey_id}`, { passkey_id: passkey.passkey_id })}
      topics={topics}
      onDone={onChanged}
    >
      <p>{words.removePasskeyLead}</p>
    </Act>
  )
}

/**
 * A person's passkeys, which serve in place of codes. An authenticator app's codes still work, so each passkey may be removed.
 */
export function Passkeys({ face, onChanged }: Props) {
  const query = useRead('passkeys', `${face}/passkeys`)
  return (
    <section className={css.part} aria-label={words.passkeys}>
      <h2>{words.passkeys}</h2>
      <p className={css.soft}>{words.passkeysLead}</p>
      <QueryAnswer query={query} lines={1}>
        {({ passkeys }) => (
          <Rows label={words.passkeys}>
            {passkeys.map((passkey) => (
              <Row
                key={passkey.passkey_id}
                title={passkey.name}
                detail={
                  passkey.last_used_at === null ? (
                    words.passkeyUnused
                  ) : (
                    <>
                      {words.passkeyUsed} <Moment at={passkey.last_used_at} />
                    </>
                  )
                }
                end={<RemovePasskey face={face} passkey={passkey} onChanged={onChanged} />}
              />
            ))}
          </Rows>
        )}
      </QueryAnswer>
      <Act
        label={words.addPasskey}
        question={words.addPasskey}
        fields={{ name: { kind: 'text', label: words.passkeyName, help: words.passkeyNameHelp, isNeeded: true, lengthMax: 60 } }}
        run={async (_reason, { name }) => {
          const { options } = await post(`${face}/passkeys/options`)
          await post(`${face}/passkeys`, { name, passkey: await makePasskey(options) })
        }}
        topics={topics}
        onDone={onChanged}
      />
    </section>
  )
}
