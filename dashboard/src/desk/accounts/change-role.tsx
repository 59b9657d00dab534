import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, type AccountRole, endOfDay, pathOf } from './account-calls.ts'
import css from './accounts.module.css'

const roles = Object.keys(words.roles) as AccountRole[]

type Preview = components['schemas']['RolePreview']

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
  if (changed.length === 0) return <p className={css.soft}>{words.samePrices}</p>
  return (
    <>
      <p className={css.soft}>{words.changedOf(changed.length, all)}</p>
      {/* An element that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={css.scroll} tabIndex={0} aria-label={words.preview}>
        <table className={css.prices}>
          <thead>
            <tr>
              <th scope="col">{words.thing}</th>
              <th scope="col" className={css.figure}>
                {words.now}
              </th>
              <th scope="col" className={css.figure}>
                {words.later}
              </th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ name, before, after, show }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className={css.figure}>{show(before)}</td>
                <td className={css.figure}>
                  <b>{show(after)}</b>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** Every price and share that would change, before and after. */
function PricePreview({ accountId, role }: { readonly accountId: string; readonly role: AccountRole }) {
  const preview = useQuery({
    queryKey: ['accounts', accountId, 'preview', role],
    queryFn: ({ signal }) =>
      answerOf(() =>
        api.GET('/desk/api/accounts/{account_id}/role-preview', {
          params: { ...pathOf(accountId), query: { role } },
          signal,
        }),
      ),
  })
  return (
    <Asked query={preview} lines={1}>
      {(answer) => <Changes preview={answer} />}
    </Asked>
  )
}

/** Changes the account's role, for life or to a day; first shows the effect on its prices. */
export function ChangeRole({ account }: { readonly account: Account }) {
  const { account_id: accountId, name } = account
  const [role, setRole] = useState<AccountRole>(account.role)
  const [day, setDay] = useState('')
  const hasEnd = role !== 'customer' && day !== ''
  return (
    <Act
      label={words.changeRole}
      question={words.changeRoleQuestion(name)}
      action={words.changeRoleAction}
      reason="needed"
      topics={['accounts']}
      run={(reason) =>
        answerOf(() =>
          api.PUT('/desk/api/accounts/{account_id}/role', {
            params: pathOf(accountId),
            body: { role, reason, ...(hasEnd && endOfDay(day)) },
          }),
        )
      }
    >
      <div className={css.form}>
        <p>{words.nowThen(words.roles[account.role], `${words.roles[role]}${hasEnd ? ` ${words.until(day)}` : ''}`)}</p>
        <div className={css.row}>
          <NativeSelect
            label={words.newRole}
            data={roles.map((value) => ({ value, label: words.roles[value] }))}
            value={role}
            onChange={({ currentTarget }) => setRole(roles.find((each) => each === currentTarget.value) ?? role)}
          />
          {role !== 'customer' && (
            <TextInput
              type="date"
              label={words.expires}
              value={day}
              onChange={({ currentTarget }) => setDay(currentTarget.value)}
            />
          )}
        </div>
        <PricePreview accountId={accountId} role={role} />
      </div>
    </Act>
  )
}
