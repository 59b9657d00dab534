import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { post } from '../api/call-api.ts'
import { CopyText } from '../copy-text.tsx'
import { fieldWords } from '../field-words.ts'
import { Form } from '../form/form.tsx'
import { bindText } from '../form/typed.ts'
import { State } from '../list/state.tsx'
import { SaveTextButtons } from '../save-text-buttons.tsx'
import type { Face } from '../sign-in/face.ts'
import { Passkeys } from './passkeys.tsx'
import { PasswordPart } from './password-part.tsx'
import css from './second-factor.module.css'
import { secondFactorWords as words } from './second-factor-words.ts'

/** Shows the new back-up codes. No other screen shows them. */
function BackUpCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
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
        <SaveTextButtons text={codes.join('\n')} label={words.copyCodes} fileName={words.codesFile} />
      </div>
      <Button onClick={onKept}>{words.codesKept}</Button>
    </section>
  )
}

/** A text as a QR code, dark on white in both colour schemes, because cameras read that best. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={squares.join('')} fill="#000000" />
    </svg>
  )
}

type Prepared = { readonly totp_uri: string; readonly backup_codes: readonly string[] }

const keyOf = (totpUri: string): string => new URL(totpUri).searchParams.get('secret') ?? ''

/** Groups of four are easier to type. */
const grouped = (key: string): string => key.replaceAll(/(.{4})(?=.)/g, '$1 ')

type ConfirmProps = { readonly prepared: Prepared; readonly face: Face; readonly onConfirmed: () => void }

function ConfirmPart({ prepared, face, onConfirmed }: ConfirmProps) {
  const [text, setCode] = useState('')
  const code = text.replaceAll(/\s/g, '')
  const confirming = useMutation({ mutationFn: () => post(`${face}/two-factor/confirm`, { code }), onSuccess: onConfirmed })
  const key = keyOf(prepared.totp_uri)
  return (
    <Form sending={confirming} action={fieldWords.switchOn}>
      <h2>{words.scanTitle}</h2>
      <QrCode text={prepared.totp_uri} label={words.qrLabel} />
      <p className={css.soft}>{words.scanLead}</p>
      <a className={css.appLink} href={prepared.totp_uri}>
        {words.openApp}
      </a>
      <div>
        <div className={css.soft}>{fieldWords.key}</div>
        <output className={css.key} aria-label={fieldWords.key}>
          {grouped(key)}
        </output>
      </div>
      <div className={css.actions}>
        <CopyText text={key} label={words.copyKey} />
      </div>
      <TextInput label={words.codeLabel} inputMode="numeric" autoComplete="one-time-code" required {...bindText(text, setCode)} />
    </Form>
  )
}

const Head = ({ isOn }: { readonly isOn: boolean }) => (
  <div className={css.part}>
    <State tone={isOn ? 'done' : 'plain'}>{isOn ? fieldWords.on : fieldWords.off}</State>
    <p>{words.why}</p>
  </div>
)

type Props = {
  readonly isOn: boolean
  /** True: the person must keep the second factor, so it cannot be switched off here. */
  readonly isRequired?: boolean
  readonly face: Face
  /**
   * Called when new back-up codes are kept, as after switching on; when it was switched off; and when the passkeys have
   * changed.
   */
  readonly onChanged: () => void
}

/**
 * A person's second factor. The password and a first code switch it on; then passkeys may be added. With the password, the
 * person makes new back-up codes or switches it off.
 */
export function SecondFactor({ isOn, isRequired = false, face, onChanged }: Props) {
  const [prepared, setPrepared] = useState<Prepared>()
  const [codes, setCodes] = useState<readonly string[]>()
  const onKept = () => {
    setCodes(undefined)
    onChanged()
  }
  if (codes) return <BackUpCodes codes={codes} onKept={onKept} />
  if (prepared) {
    const onConfirmed = () => {
      setPrepared(undefined)
      setCodes(prepared.backup_codes)
    }
    return <ConfirmPart prepared={prepared} face={face} onConfirmed={onConfirmed} />
  }
  if (!isOn) {
    return (
      <>
        <Head isOn={isOn} />
        <PasswordPart
          title={fieldWords.switchOn}
          lead={words.beginLead}
          action={fieldWords.switchOn}
          send={(body) => post(`${face}/two-factor`, body)}
          onDone={setPrepared}
        />
      </>
    )
  }
  return (
    <>
      <Head isOn={isOn} />
      <Passkeys face={face} onChanged={onChanged} />
      <PasswordPart
        title={words.renew}
        lead={words.renewLead}
        action={words.renewAction}
        send={(body) => post(`${face}/two-factor/backup-codes`, body)}
        onDone={({ backup_codes }) => setCodes(backup_codes)}
      />
      {isRequired ? (
        <p className={css.soft}>{words.offNotForStaff}</p>
      ) : (
        <PasswordPart
          title={fieldWords.switchOff}
          lead={words.offLead}
          action={words.offAction}
          isGrave
          send={(body) => post(`${face}/two-factor/switch-off`, body)}
          onDone={onChanged}
        />
      )}
    </>
  )
}
