import { Link } from 'wouter'
import { countedWords } from '../../both/counted-words.ts'
import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import { showDay } from '../../both/moments/format-moment.ts'
import { formatCount, formatCounted, formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { roleWords } from '../../both/role-words.ts'
import { Figures } from '../frame/figures.tsx'
import { Facts } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, type AccountLine, showPurse } from './account-calls.ts'
import css from './accounts.module.css'
import { SalesBars } from './sales-bars.tsx'

export function AccountState({ status }: Pick<AccountLine, 'status'>) {
  return <State tone={status === 'active' ? 'done' : 'fail'}>{words.statuses[status]}</State>
}

const detailOfSales = (orders: string, { sales_counted_from: from }: Account): string =>
  from === null ? orders : `${orders} ${countedWords.since(showDay(from))}`

/** The account's balances and sales. */
export function AccountFigures({ account }: { readonly account: Account }) {
  const { purses, notices } = account
  const isLow = notices.low_balance !== null && purses.main < notices.low_balance
  return (
    <>
      <Figures
        label={words.money}
        figures={[
          {
            label: words.main,
            value: formatGhs(purses.main),
            ...(isLow && { detail: fieldWords.low, tone: 'warn' }),
          },
          { label: fieldWords.commission, value: formatGhs(purses.commission) },
          { label: fieldWords.smsCredits, value: showPurse('sms_credits', purses.sms_credits) },
          {
            label: words.sales,
            value: formatCounted(account.sales),
            ...(account.orders !== null && { detail: detailOfSales(words.ordersIn30(formatCount(account.orders)), account) }),
          },
        ]}
      />
      <SalesBars days={account.days} />
    </>
  )
}

export function AccountFacts({ account }: { readonly account: Account }) {
  const { business_name: business, notices } = account
  const mayReadLog = useMay('see_log')
  const accepted = account.policy_accepted_at
  const isBusiness = account.is_business ? words.isBusiness : words.isNoBusiness
  return (
    <>
      <Facts
        label={words.facts}
        facts={{
          [fieldWords.role]: roleWords(account),
          [words.business]: business === null ? isBusiness : `${isBusiness}: ${business}`,
          [fieldWords.since]: showDay(account.created_at),
          [words.policy]: accepted === null ? words.notYet : showDay(accepted),
          [words.lowBalance]: notices.low_balance === null ? words.no : words.belowAmount(formatGhs(notices.low_balance)),
          [words.phone]: notices.phone === null ? words.no : groupDigits(`0${notices.phone.slice(3)}`),
          [words.muted]: notices.muted.join(', '),
        }}
      />
      <div className={css.links}>
        <Link href={`/orders?account=${account.account_id}`}>{fieldWords.orders}</Link>
        {mayReadLog && <Link href={`/log?subject=${account.account_id}`}>{words.log}</Link>}
      </div>
    </>
  )
}
