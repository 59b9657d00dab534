import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { cedis, count, mustReadAmount, readAmount } from '../../both/money/read-amount.ts'
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

const amountsOf = (typed: Typed) => ({
  price_customer: mustReadAmount(typed.price_customer, cedis),
  price_agent: mustReadAmount(typed.price_agent, cedis),
  price_dealer: mustReadAmount(typed.price_dealer, cedis),
})

function sendChange(typeId: string, change: Change, reason: string) {
  return answerOf(() =>
    api.POST('/desk/api/vouchers/types/{type_id}', { params: { path: { type_id: typeId } }, body: { ...change, reason } }),
  )
}

function PriceFields({ typed, onChange }: { readonly typed: Typed; readonly onChange: (typed: Typed) => void }) {
  return roles.map(([name, role]) => (
    <AmountField
      key={name}
      kind={cedis}
      mt={8}
      required
      label={voucherWords.price(role)}
      text={typed[name]}
      onText={(text) => onChange({ ...typed, [name]: text })}
    />
  ))
}

function MarkField({ mark, onMark }: { readonly mark: string; readonly onMark: (mark: string) => void }) {
  return <AmountField kind={count} mt={8} required label={voucherWords.lowMark} text={mark} onText={onMark} />
}

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
      run={async () =>
        answerOf(() =>
          api.POST('/desk/api/vouchers/types', {
            body: { name, ...amountsOf(typed), low_stock_count: mustReadAmount(mark, count) },
          }),
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
      <MarkField mark={mark} onMark={setMark} />
    </Act>
  )
}

function ChangePrices({ type }: { readonly type: VoucherType }) {
  const [typed, setTyped] = useState<Typed>({
    price_customer: String(type.price_customer),
    price_agent: String(type.price_agent),
    price_dealer: String(type.price_dealer),
  })
  const changed = roles.flatMap(([name, role]) => {
    const { amount } = readAmount(typed[name], cedis)
    return amount === undefined || amount === type[name] ? [] : [{ name, role, amount }]
  })
  return (
    <Act
      label={voucherWords.changePrices}
      question={voucherWords.pricesQuestion(type.name)}
      reason="needed"
      topics={['vouchers']}
      run={async (reason) => sendChange(type.type_id, amountsOf(typed), reason)}
    >
      <PriceFields typed={typed} onChange={setTyped} />
      <ul className={css.changes}>
        {changed.map(({ name, role, amount }) => (
          <li key={name}>
            {role}: {formatGhs(type[name])} → <b>{formatGhs(amount)}</b>
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
      run={async (reason) => sendChange(type.type_id, { low_stock_count: mustReadAmount(mark, count) }, reason)}
    >
      <MarkField mark={mark} onMark={setMark} />
    </Act>
  )
}

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
