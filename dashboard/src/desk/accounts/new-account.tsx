import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { accountWords as words } from '../words/accounts.ts'
import { type AccountRole, endOfDay } from './account-calls.ts'
import css from './accounts.module.css'

const roles = Object.keys(words.roles) as AccountRole[]
const empty = { name: '', email: '', owner: '', day: '', role: 'agent' as AccountRole, isBusiness: false }

type Form = typeof empty
type FieldsProps = { readonly form: Form; readonly change: (changed: Partial<Form>) => void }

function Names({ form, change }: FieldsProps) {
  return (
    <>
      <TextInput
        label={words.newName}
        required
        maxLength={100}
        value={form.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        type="email"
        label={words.newEmail}
        required
        value={form.email}
        onChange={({ currentTarget }) => change({ email: currentTarget.value })}
      />
      <TextInput
        type="email"
        label={words.newOwner}
        description={words.newOwnerHelp}
        value={form.owner}
        onChange={({ currentTarget }) => change({ owner: currentTarget.value })}
      />
    </>
  )
}

function RoleAndEnd({ form, change }: FieldsProps) {
  return (
    <div className={css.row}>
      <NativeSelect
        label={words.role}
        data={roles.map((value) => ({ value, label: words.roles[value] }))}
        value={form.role}
        onChange={({ currentTarget }) => change({ role: roles.find((each) => each === currentTarget.value) ?? form.role })}
      />
      {form.role !== 'customer' && (
        <TextInput
          type="date"
          label={words.expires}
          value={form.day}
          onChange={({ currentTarget }) => change({ day: currentTarget.value })}
        />
      )}
    </div>
  )
}

async function makeAccount(form: Form) {
  const owner = form.owner.trim()
  return answerOf(() =>
    api.POST('/desk/api/accounts', {
      body: {
        name: form.name.trim(),
        email: form.email.trim(),
        role: form.role,
        is_business: form.isBusiness,
        ...(owner !== '' && { owner_email: owner }),
        ...(form.role !== 'customer' && endOfDay(form.day)),
      },
    }),
  )
}

/** Makes an account, and invites its first owner by mail. */
export function NewAccount() {
  const [, navigate] = useLocation()
  const [form, setForm] = useState(empty)
  const change = (changed: Partial<Form>) => setForm((before) => ({ ...before, ...changed }))
  const make = async () => {
    const made = await makeAccount(form)
    setForm(empty)
    navigate(`/accounts/${made.account_id}`)
  }
  return (
    <Act label={words.new} question={words.newQuestion} action={words.make} topics={['accounts']} run={make}>
      <div className={css.form}>
        <Names form={form} change={change} />
        <RoleAndEnd form={form} change={change} />
        <Checkbox
          label={words.approvedForSms}
          checked={form.isBusiness}
          onChange={({ currentTarget }) => change({ isBusiness: currentTarget.checked })}
        />
      </div>
    </Act>
  )
}
