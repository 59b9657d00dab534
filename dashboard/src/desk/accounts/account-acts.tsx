import { post, put } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import look from '../frame/look.module.css'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account } from './account-calls.ts'
import { ChangeRole } from './change-role.tsx'

/** Its key is the status, so that the question closes, and is not another one, when somebody else changes the status. */
function ChangeStatus({ account }: { readonly account: Account }) {
  const isActive = account.status === 'active'
  return (
    <Act
      label={isActive ? words.suspend : words.reactivate}
      question={isActive ? words.suspendQuestion(account.name) : words.reactivateQuestion(account.name)}
      reason="needed"
      isGrave={isActive}
      button={isActive ? { variant: 'light', color: 'red' } : { variant: 'filled' }}
      topics={['accounts']}
      run={(reason) =>
        put('/desk/api/accounts/{account_id}/status', {
          account_id: account.account_id,
          status: isActive ? 'suspended' : 'active',
          reason,
        })
      }
    >
      <p>{isActive ? words.suspendMeans : words.reactivateMeans}</p>
    </Act>
  )
}

/** Opens the app as the account's reseller sees it, in this tab; its banner leads back. */
function LookAsReseller({ account }: { readonly account: Account }) {
  return (
    <Act
      label={words.look}
      question={words.lookQuestion(account.name)}
      action={words.lookAction}
      reason="needed"
      topics={[]}
      run={(reason) => post('/desk/api/accounts/{account_id}/view', { account_id: account.account_id, reason })}
      onDone={() => location.assign('/app')}
    >
      <p>{words.lookMeans}</p>
    </Act>
  )
}

export function AccountActs({ account }: { readonly account: Account }) {
  if (!useMay('manage_accounts')) return null
  return (
    <div className={look.acts}>
      <ChangeRole key={account.role} account={account} />
      <ChangeStatus key={account.status} account={account} />
      <LookAsReseller account={account} />
    </div>
  )
}
