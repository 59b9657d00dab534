import { useLocation } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { roleNames } from '../../both/role-words.ts'
import { accountWords as words } from '../words/accounts.ts'
import { endField, endOfDay } from './account-calls.ts'

/** Makes an account, and invites its first owner by mail. */
export function NewAccount() {
  const [, navigate] = useLocation()
  return (
    <Act
      label={words.new}
      question={words.newQuestion}
      action={words.make}
      topics={['accounts']}
      fields={{
        name: { kind: 'text', label: words.newName, isNeeded: true, lengthMax: 100 },
        email: { kind: 'email', label: words.newEmail, isNeeded: true },
        owner: { kind: 'email', label: words.newOwner, help: words.newOwnerHelp },
        role: { kind: 'choice', label: fieldWords.role, options: choicesOf(roleNames), initial: 'agent' },
        day: endField,
        is_business: { kind: 'tick', label: words.approvedForSms },
      }}
      run={async (_reason, { owner, day, ...given }) => {
        const made = await post('/desk/api/accounts', { ...given, owner_email: owner || undefined, expires_at: endOfDay(day) })
        navigate(`/accounts/${made.account_id}`)
      }}
    />
  )
}
