import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { Act } from '../frame/act.tsx'
import { voucherWords } from '../words/vouchers.ts'
import css from './vouchers.module.css'

export type VoucherType = components['schemas']['DeskVoucherType']
type Change = Omit<components['schemas']['ChangeVoucherTypeBody'], 'reason'>

const roles = [
  ['price_customer', voucherWords.customer],
  ['price_agent', voucherWords.agent],
  ['price_dealer', voucherWords.dealer],
] as const
type PriceName = (typeof roles)[number][0]
type Typed = Readonly<Record<PriceName, string>>

const numberOf = (text: string) => Number(text.replaceAll(/[\s,]/g, ''))
const amountsOf = (typed: Typed) => ({
  price_customer: numberOf(typed.price_customer),
  price_agent: numberOf(typed.price_agent),
  price_dealer: numberOf(typed.price_dealer),
})

function sendChange(typeId: string, change: Change, reason: string) {
  return answerOf(() =>
    api.POST('/desk/api/vouchers/types/{type_id}', { params: { path: { type_id: typeId } }, body: { ...change, reason } }),
  )
}

function PriceFields({ typed, onChange }: { readonly typed: Typed; readonly onChange: (typed: Typed) => void }) {
  return roles.map(([name, role]) => (
    <TextInput
      key={name}
      mt={8}
      required
      inputMode="decimal"
      label={voucherWords.price(role)}
      value={typed[name]}
      onChange={({ currentTarget }) => onChange({ ...typed, [name]: currentTarget.value })}
    />
  ))
}

/** Makes a voucher type. */
export function NewType() {
  const nothing = { price_customer: '', price_agent: '', price_dealer: '' }
  const [typed, setTyped] = useState<Typed>(nothing)
  const [name, setName] = useState('')
  const [mark, setMark] = useState('10')
  return (
    <Act
      label={voucherWords.newType}
      question={voucherWords.newQuestion}
      action={voucherWords.make}
      topics={['vouchers']}
      button={{ variant: 'filled' }}
      run={() =>
        answerOf(() =>
          api.POST('/desk/api/vouchers/types', { body: { name, ...amountsOf(typed), low_stock_count: numberOf(mark) } }),
        )
      }
      onDone={() => {
        setTyped(nothing)
        setName('')
      }}
    >
      <TextInput
        required
        label={voucherWords.name}
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <PriceFields typed={typed} onChange={setTyped} />
      <TextInput
        mt={8}
        required
        inputMode="numeric"
        label={voucherWords.lowMark}
        value={mark}
        onChange={({ currentTarget }) => setMark(currentTarget.value)}
      />
    </Act>
  )
}

function ChangePrices({ type }: { readonly type: VoucherType }) {
  const [typed, setTyped] = useState<Typed>({
    price_customer: String(type.price_customer),
    price_agent: String(type.price_agent),
    price_dealer: String(type.price_dealer),
  })
  const changed = roles.filter(([name]) => numberOf(typed[name]) !== type[name])
  return (
    <Act
      label={voucherWords.changePrices}
      question={voucherWords.pricesQuestion(type.name)}
      reason="needed"
      topics={['vouchers']}
      run={(reason) => sendChange(type.type_id, amountsOf(typed), reason)}
    >
      <PriceFields typed={typed} onChange={setTyped} />
      <ul className={css.changes}>
        {changed.map(([name, role]) => (
          <li key={name}>
            {role}: {formatGhs(type[name])} → <b>{formatGhs(numberOf(typed[name]))}</b>
          </li>
        ))}
      </ul>
      <p className={css.help}>{voucherWords.fromNow}</p>
    </Act>
  )
}

function ChangeMark({ type }: { readonly type: VoucherType }) {
  const [mark, setMark] = useState(String(type.low_stock_count))
  return (
    <Act
      label={voucherWords.changeMark}
      question={voucherWords.markQuestion(type.name)}
      reason="needed"
      topics={['vouchers', 'alarms']}
      button={{ variant: 'default' }}
      run={(reason) => sendChange(type.type_id, { low_stock_count: numberOf(mark) }, reason)}
    >
      <TextInput
        required
        inputMode="numeric"
        label={voucherWords.lowMark}
        value={mark}
        onChange={({ currentTarget }) => setMark(currentTarget.value)}
      />
    </Act>
  )
}

/** What can be done with a type. */
export function TypeActs({ type }: { readonly type: VoucherType }) {
  const { type_id: typeId, name, is_active: isOn } = type
  return (
    <div className={css.acts}>
      <ChangePrices key={`${type.price_customer} ${type.price_agent} ${type.price_dealer}`} type={type} />
      <ChangeMark key={type.low_stock_count} type={type} />
      <Act
        label={isOn ? voucherWords.takeOff : voucherWords.putOn}
        question={isOn ? voucherWords.takeOffQuestion(name) : voucherWords.putOnQuestion(name)}
        reason="needed"
        isGrave={isOn}
        topics={['vouchers', 'alarms']}
        button={{ variant: 'default' }}
        run={(reason) => sendChange(typeId, { is_active: !isOn }, reason)}
      >
        {isOn && <p>{voucherWords.takeOffHelp}</p>}
      </Act>
    </div>
  )
}
