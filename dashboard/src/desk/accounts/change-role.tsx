import { put, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { roleNames } from '../../both/role-words.ts'
import { SmallTable } from '../frame/small-table.tsx'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, type AccountRole, endField, endOfDay } from './account-calls.ts'

type Preview = Schema<'RolePreview'>

/** The prices and shares that would change, each in its unit. */
function changesOf({ prices, shares }: Preview) {
  const changes = [
    ...prices.map(({ name, before, after }) => ({ name, before, after, show: formatGhs })),
    ...shares.map(({ product, before, after }) => ({
      name: `${product}: ${words.sharePercent}`,
      before,
      after,
      show: (percent: number) => `${percent} %`,
    })),
  ]
  return { all: changes.length, changed: changes.filter(({ before, after }) => before !== after) }
}

function Changes({ preview }: { readonly preview: Preview }) {
  const { all, changed } = changesOf(preview)
  if (changed.length === 0) return <p className="soft fine">{words.samePrices}</p>
  return (
    <>
      <p className="soft fine">{words.changedOf(changed.length, all)}</p>
      <SmallTable
        label={words.preview}
        head={[fieldWords.what, fieldWords.now, words.later]}
        figures={2}
        height="28vh"
        rows={changed.map(({ name, before, after, show }) => ({
          key: name,
          cells: [name, show(before), <b key="after">{show(after)}</b>],
        }))}
      />
    </>
  )
}

/** Reads what the new role would change, and shows it before and after. */
function PricePreview({ accountId, role }: { readonly accountId: string; readonly role: AccountRole }) {
  const preview = useRead('accounts', '/desk/api/accounts/{account_id}/role-preview', { account_id: accountId, role })
  return (
    <QueryAnswer query={preview} lines={1}>
      {(answer) => <Changes preview={answer} />}
    </QueryAnswer>
  )
}

/** Changes the account's role, for ever or until a day; first shows the effect on its prices. */
export function ChangeRole({ account }: { readonly account: Account }) {
  const { account_id, name, role: before } = account
  return (
    <Act
      label={fieldWords.changeRole}
      question={words.changeRoleQuestion(name)}
      action={fieldWords.change}
      reason="needed"
      topics={['accounts']}
      fields={{
        role: { kind: 'choice', label: words.newRole, options: choicesOf(roleNames), initial: before },
        day: endField,
      }}
      run={(reason, { role, day }) =>
        put('/desk/api/accounts/{account_id}/role', { account_id, role, reason, expires_at: endOfDay(day) })
      }
      effect={({ role, day }) => (
        <>
          <p>{fieldWords.becomes(roleNames[before], `${roleNames[role]}${day === '' ? '' : ` ${words.until(day)}`}`)}</p>
          <PricePreview accountId={account_id} role={role} />
        </>
      )}
    />
  )
}
