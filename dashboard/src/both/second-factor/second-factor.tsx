import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { CopyText } from '../copy-text.tsx'
import { Failure } from '../layout/wait.tsx'
import { State } from '../list/state.tsx'
import { BackUpCodes } from './back-up-codes.tsx'
import { PasswordPart } from './password-part.tsx'
import css from './second-factor.module.css'
import { secondFactorWords as words } from './second-factor-words.ts'

/** A text as a QR code, dark on white in both colour schemes, because cameras want it so. */
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

/** The calls of one face. */
export type SecondFactorCalls = {
  readonly begin: (body: { password: string }) => Promise<Prepared>
  readonly confirm: (body: { code: string }) => Promise<unknown>
  readonly renewCodes: (body: { password: string }) => Promise<{ readonly backup_codes: readonly string[] }>
  readonly switchOff: (body: { password: string }) => Promise<unknown>
}

const keyOf = (totpUri: string): string => new URL(totpUri).searchParams.get('secret') ?? ''

/** Groups of four are easier to type. */
const grouped = (key: string): string => key.replaceAll(/(.{4})(?=.)/g, '$1 ')

type ConfirmProps = { readonly prepared: Prepared; readonly calls: SecondFactorCalls; readonly onConfirmed: () => void }

function ConfirmPart({ prepared, calls, onConfirmed }: ConfirmProps) {
  const [code, setCode] = useState('')
  const confirming = useMutation({
    mutationFn: () => calls.confirm({ code: code.replaceAll(/\s/g, '') }),
    onSuccess: onConfirmed,
  })
  const key = keyOf(prepared.totp_uri)
  return (
    <form
      className={css.part}
      onSubmit={(event) => {
        event.preventDefault()
        confirming.mutate()
      }}
    >
      <h2>{words.scanTitle}</h2>
      <QrCode text={prepared.totp_uri} label={words.qrLabel} />
      <p className={css.soft}>{words.scanLead}</p>
      <a className={css.appLink} href={prepared.totp_uri}>
        {words.openApp}
      </a>
      <div>
        <div className={css.soft}>{words.key}</div>
        <output className={css.key} aria-label={words.key}>
          {grouped(key)}
        </output>
      </div>
      <div className={css.actions}>
        <CopyText text={key} label={words.copyKey} />
      </div>
      {confirming.error && <Failure error={confirming.error} />}
      <TextInput
        label={words.codeLabel}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={confirming.isPending}>
        {words.confirm}
      </Button>
    </form>
  )
}

type Props = {
  readonly isOn: boolean
  /** Whether the person must keep the second factor, so that it cannot be switched off here. */
  readonly isRequired?: boolean
  readonly calls: SecondFactorCalls
  /** Called when the second factor was switched on or off, and when new back-up codes are kept. */
  readonly onChanged: () => void
}

/** A person's second factor: switched on with a first code, renewed and switched off with the password. */
export function SecondFactor({ isOn, isRequired = false, calls, onChanged }: Props) {
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
    return <ConfirmPart prepared={prepared} calls={calls} onConfirmed={onConfirmed} />
  }
  const state = <State tone={isOn ? 'done' : 'plain'}>{isOn ? words.isOn : words.isOff}</State>
  if (!isOn) {
    return (
      <>
        <div className={css.part}>
          {state}
          <p>{words.why}</p>
        </div>
        <PasswordPart title={words.begin} lead={words.beginLead} action={words.begin} send={calls.begin} onDone={setPrepared} />
      </>
    )
  }
  return (
    <>
      <div className={css.part}>
        {state}
        <p>{words.why}</p>
      </div>
      <PasswordPart
        title={words.renew}
        lead={words.renewLead}
        action={words.renewAction}
        send={calls.renewCodes}
        onDone={({ backup_codes }) => setCodes(backup_codes)}
      />
      {isRequired ? (
        <p className={css.soft}>{words.offNotForStaff}</p>
      ) : (
        <PasswordPart
          title={words.off}
          lead={words.offLead}
          action={words.offAction}
          isGrave
          send={calls.switchOff}
          onDone={onChanged}
        />
      )}
    </>
  )
}
