import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type FieldsOf, post, type Schema } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { cedisOrNone, readAmount } from '../../both/money/read-amount.ts'
import { cleanPhone, groupDigits } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { kindWords, noticeWords } from '../words/notices.ts'
import css from './notices.module.css'

type Choices = Schema<'NoticeChoices'>
type Muted = FieldsOf<'/app/api/notices/choices', 'post'>['muted'][number]

const mutedOf = ({ kinds }: Choices): ReadonlySet<Muted> =>
  new Set(
    kinds.flatMap(({ kind, email, sms }) => [
      ...(email ? [] : [`${kind}/email` as Muted]),
      ...(sms ? [] : [`${kind}/sms` as Muted]),
    ]),
  )

type KindsProps = {
  readonly choices: Choices
  readonly muted: ReadonlySet<Muted>
  readonly isFixed: boolean
  readonly toggle: (notice: Muted) => void
}

function Kinds({ choices, muted, isFixed, toggle }: KindsProps) {
  const tick = (notice: Muted, words: string, isLocked: boolean) => (
    <span className={css.box}>
      <Checkbox aria-label={words} checked={!muted.has(notice)} disabled={isLocked} onChange={() => toggle(notice)} />
    </span>
  )
  return (
    <table className={css.kinds}>
      <thead>
        <tr>
          <th scope="col">{noticeWords.what}</th>
          <th scope="col">{noticeWords.mail}</th>
          <th scope="col">{fieldWords.sms}</th>
        </tr>
      </thead>
      <tbody>
        {choices.kinds.map(({ kind, may_mute_email: mayMute }) => (
          <tr key={kind}>
            <td>
              {kindWords[kind]}
              {!mayMute && <div className="soft fine">{noticeWords.always}</div>}
            </td>
            <td>{tick(`${kind}/email` as Muted, `${kindWords[kind]}: ${noticeWords.mail}`, isFixed || !mayMute)}</td>
            <td>{tick(`${kind}/sms` as Muted, `${kindWords[kind]}: ${fieldWords.sms}`, isFixed)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The notices that the account wants. People who may not change the choices can read them. */
export function ChoicesForm({ choices }: { readonly choices: Choices }) {
  const mayChange = useMay('manage_account')
  const [low, setLow] = useState(choices.low_balance === null ? '' : String(choices.low_balance))
  const { amount: lowBalance, problem } = readAmount(low, cedisOrNone)
  const [phone, setPhone] = useState(choices.phone === null ? '' : groupDigits(choices.phone))
  const [muted, setMuted] = useState(mutedOf(choices))
  const saving = useAct(
    () => post('/app/api/notices/choices', { low_balance: lowBalance ?? 0, phone: cleanPhone(phone), muted: [...muted] }),
    ['notice-choices'],
  )
  const toggle = (notice: Muted) => {
    const after = new Set(muted)
    if (!after.delete(notice)) after.add(notice)
    setMuted(after)
  }
  const fields = (
    <>
      <AmountField
        kind={cedisOrNone}
        label={noticeWords.lowBalance}
        description={noticeWords.lowBalanceHint}
        disabled={!mayChange}
        text={low}
        onText={setLow}
      />
      <TextInput
        label={noticeWords.phone}
        description={noticeWords.phoneHint}
        inputMode="numeric"
        autoComplete="tel"
        disabled={!mayChange}
        {...bindText(phone, setPhone)}
        onBlur={() => setPhone(groupDigits(cleanPhone(phone)))}
      />
      <p className="soft fine">
        {choices.is_sms_allowed ? noticeWords.mailsTo : noticeWords.smsOff} {choices.email}
      </p>
      <Kinds choices={choices} muted={muted} isFixed={!mayChange} toggle={toggle} />
    </>
  )
  if (!mayChange) return <div className={css.form}>{fields}</div>
  return (
    <Form sending={saving} action={fieldWords.save} isReady={problem === undefined} done={saving.isSuccess && noticeWords.saved}>
      {fields}
    </Form>
  )
}
