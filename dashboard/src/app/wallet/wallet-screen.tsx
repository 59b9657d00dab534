import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { type FieldsOf, get, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Tabs } from '../../both/list/choices.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { FoldedFilters } from '../../both/list/folded-filters.tsx'
import { useFilters } from '../../both/list/use-filters.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { showAmount } from '../../both/money/ledger.tsx'
import { ledgerWords } from '../../both/money/ledger-words.ts'
import { MonthlyStatement } from '../../both/money/monthly-statement.tsx'
import { useMay } from '../me.ts'
import { type Purse, purseWords, walletWords } from '../words/wallet.ts'
import { EntryList } from './entry-list.tsx'
import { MoveCommission } from './move-commission.tsx'
import css from './wallet.module.css'

const filterNames = ['purse', 'kind', 'from', 'to'] as const
type Query = FieldsOf<'/app/api/wallet/entries', 'get'>
type Purses = Schema<'WalletNow'>

const kindsOf: Readonly<Record<Purse, readonly string[]>> = {
  main: ['purchase', 'refund', 'top_up', 'credit', 'commission_move', 'adjustment', 'correction', 'credits_paid'],
  commission: ['commission', 'commission_move'],
  sms_credits: ['purchase', 'credits_bought', 'sms_credit', 'refund', 'sms_refund', 'correction'],
}

const purses = Object.keys(purseWords) as Purse[]

type BalanceProps = { readonly purse: Purse; readonly unit: 'GHS' | 'credits'; readonly held: Purses }

function Balance({ purse, unit, held }: BalanceProps) {
  const mayTopUp = useMay('top_up')
  const mayMove = useMay('move_money')
  return (
    <Card>
      <Big label={purse === 'main' ? fieldWords.balance : purseWords[purse]} value={showAmount(unit, held[purse])} />
      {purse === 'main' && mayTopUp && (
        <div className={css.actions}>
          <Button component={Link} href="/top-up">
            {fieldWords.topUp}
          </Button>
        </div>
      )}
      {purse === 'commission' && (
        <p className="soft">
          {walletWords.earned}
          {held.pending_commission > 0 && ` ${walletWords.pending(formatGhs(held.pending_commission))}`}
        </p>
      )}
      {purse === 'commission' && mayMove && held.commission > 0 && <MoveCommission purses={held} />}
    </Card>
  )
}

const filtersOf = (purse: Purse) =>
  ({
    kind: {
      label: fieldWords.what,
      any: fieldWords.all,
      options: kindsOf[purse].map((kind) => ({ value: kind, label: ledgerWords[kind] ?? kind })),
    },
    from: { label: fieldWords.fromDay, type: 'date' },
    to: { label: fieldWords.toDay, type: 'date' },
  }) as const

export default function WalletScreen() {
  const {
    filters: { purse: named, ...filters },
    setFilters,
  } = useFilters(filterNames)
  const purse = purses.find((each) => each === named) ?? 'main'
  const wanted = { ...filters, purse } as Query
  const unit = purse === 'sms_credits' ? 'credits' : 'GHS'
  const held = useRead('purses', '/app/api/wallet')
  return (
    <Page title={fieldWords.wallet}>
      <Tabs label={walletWords.purses} value={purse} options={choicesOf(purseWords)} hrefOf={(each) => `/wallet?purse=${each}`} />
      <QueryAnswer query={held} lines={1} height={purse === 'main' ? 146 : 86}>
        {(each) => <Balance purse={purse} unit={unit} held={each} />}
      </QueryAnswer>
      <Section title={fieldWords.statement}>
        <Card>
          <p className="soft">{walletWords.statementWhat}</p>
          <MonthlyStatement
            label={walletWords.month}
            topic="statement"
            addressOf={(type) => `/app/api/wallet/statement.${type}?purse=${purse}`}
            read={(month, signal) => get('/app/api/wallet/statement', { purse, month }, signal)}
          />
        </Card>
      </Section>
      <Section
        title={fieldWords.entries}
        end={<FileLink href={`/app/api/wallet/entries.csv?${new URLSearchParams({ ...filters, purse }).toString()}`} />}
      >
        <FoldedFilters fields={filtersOf(purse)} filters={filters} onShow={setFilters} />
        <EntryList query={wanted} unit={unit} isFiltered={Object.keys(filters).length > 0} />
      </Section>
    </Page>
  )
}
