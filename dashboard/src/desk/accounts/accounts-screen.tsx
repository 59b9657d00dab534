import { NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { countedWords } from '../../both/counted-words.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { ListScreen } from '../../both/list/list-screen.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import type { Filters } from '../../both/list/use-filters.ts'
import { relativeMoment, showDay } from '../../both/moments/format-moment.ts'
import { formatCounted, formatGhs } from '../../both/money/format-ghs.ts'
import { roleNames, roleWords } from '../../both/role-words.ts'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { frameWords } from '../words/frame.ts'
import type { AccountLine } from './account-calls.ts'
import { AccountState } from './account-facts.tsx'
import { AccountPanel } from './account-panel.tsx'
import css from './accounts.module.css'
import { NewAccount } from './new-account.tsx'

const columns: readonly Column<AccountLine>[] = [
  {
    title: fieldWords.account,
    show: ({ name, email }) => (
      <>
        {name}
        <span className={css.mail}>{email}</span>
      </>
    ),
    isMain: true,
  },
  { title: fieldWords.role, show: roleWords },
  { title: fieldWords.state, show: ({ status }) => <AccountState status={status} /> },
  {
    title: fieldWords.balance,
    show: ({ balance, is_low: isLow }) => (
      <>
        <b>{formatGhs(balance)}</b>
        {isLow && <span className={css.low}>{fieldWords.low}</span>}
      </>
    ),
    isFigure: true,
  },
  {
    title: words.sales,
    show: ({ sales, sales_counted_from: from }) => (
      <>
        {formatCounted(sales)}
        {from !== null && <span className={css.mail}>{countedWords.since(showDay(from))}</span>}
      </>
    ),
    isFigure: true,
  },
  { title: words.lastActive, show: ({ last_active_at: at }) => (at === null ? fieldWords.never : relativeMoment(at)) },
]

/** Beside the panel there is room only for the columns by which people tell accounts apart. */
const besidePanel: readonly string[] = [fieldWords.account, fieldWords.state, fieldWords.balance]
const columnsBesidePanel = columns.filter(({ title }) => besidePanel.includes(title))

const option = <Value extends string>(value: Value, label: string) => ({ value, label })

/** The field for activity sets one of two filters: `active_within_days` or `quiet_for_days`. */
const activities = [
  option('', words.any),
  ...['1', '7', '30'].map((days) => option(`active_within_days=${days}`, words.activeWithin(days))),
  ...['7', '30', '90'].map((days) => option(`quiet_for_days=${days}`, words.quietFor(days))),
]

const typingMilliseconds = 150

/** Puts the search into the address once the typing pauses, and follows the address when something else changes it. */
function SearchField({ search, set }: { readonly search: string; readonly set: (change: { readonly search: string }) => void }) {
  const [text, setText] = useState(search)
  const sent = useRef(search)
  useEffect(() => {
    if (text.trim() === sent.current) return undefined
    const timer = setTimeout(() => {
      sent.current = text.trim()
      set({ search: sent.current })
    }, typingMilliseconds)
    return () => clearTimeout(timer)
  }, [text, set])
  useEffect(() => {
    if (search === sent.current) return
    sent.current = search
    setText(search)
  }, [search])
  return (
    <TextInput
      className={css.search ?? ''}
      type="search"
      label={words.search}
      description={words.searchHelp}
      {...bindText(text, setText)}
    />
  )
}

const ownNames = ['search', 'active_within_days', 'quiet_for_days'] as const
type Own = Filters<(typeof ownNames)[number]>

/** The fields that take effect at once, without the button: the search, and the activity, which sets one of two filters. */
function OwnFields({ filters, set }: { readonly filters: Own; readonly set: (change: Own) => void }) {
  const { active_within_days: active, quiet_for_days: quiet } = filters
  return (
    <>
      <SearchField search={filters.search ?? ''} set={set} />
      <NativeSelect
        label={words.activity}
        data={activities}
        value={active ? `active_within_days=${active}` : quiet ? `quiet_for_days=${quiet}` : ''}
        onChange={({ currentTarget }) => {
          const [name = '', days = ''] = currentTarget.value.split('=')
          set({ active_within_days: '', quiet_for_days: '', ...(name !== '' && { [name]: days }) })
        }}
      />
    </>
  )
}

const filters = {
  role: { label: fieldWords.role, options: choicesOf(roleNames), any: words.any },
  status: { label: fieldWords.state, options: choicesOf(words.statuses), any: words.any },
  business: {
    label: words.business,
    options: [option('yes', words.isBusiness), option('no', words.isNoBusiness)],
    any: words.any,
  },
  balance_below: {
    label: fieldWords.balance,
    options: ['10', '50', '200', '1000'].map((ghs) => option(ghs, words.below(ghs))),
    any: words.any,
  },
} as const

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text))

/** All accounts, with a search for anything that somebody on the phone may name, and the chosen account beside the list. */
export default function AccountsScreen() {
  const mayManage = useMay('manage_accounts')
  return (
    <ListScreen
      title={fieldWords.accounts}
      end={
        <>
          <Link href="/problems">{frameWords.problems}</Link>
          {mayManage && <NewAccount />}
        </>
      }
      at="/accounts"
      filters={filters}
      ownFilters={{ names: ownNames, show: (given, set) => <OwnFields filters={given} set={set} /> }}
      clear={fieldWords.clearFilters}
      topic="accounts"
      path="/desk/api/accounts"
      rows="accounts"
      asked={({ balance_below: below, active_within_days: active, quiet_for_days: quiet, ...rest }) => ({
        ...rest,
        balance_below: numberOf(below),
        active_within_days: numberOf(active),
        quiet_for_days: numberOf(quiet),
      })}
      more={words.more}
      label={fieldWords.accounts}
      columns={columns}
      columnsBesidePanel={columnsBesidePanel}
      keyOf={({ account_id }) => account_id}
      panelLabel={words.panel}
      panel={(id) => <AccountPanel key={id} accountId={id} />}
      empty={(isFiltered) =>
        isFiltered ? { title: words.empty, next: words.emptyNext } : { title: words.none, next: words.noneNext }
      }
    />
  )
}
