import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { goodsWords } from '../../both/goods-words.ts'
import { Logo } from '../../both/layout/logo.tsx'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { roleWords } from '../../both/role-words.ts'
import { canBuyAgain, useBuyAgain } from '../buy-again.ts'
import { useMay, useMe } from '../me.ts'
import { OrderRow } from '../orders/order-row.tsx'
import { useStates } from '../orders/use-states.ts'
import { SetUpList } from '../set-up/set-up-list.tsx'
import { frameWords } from '../words/frame.ts'
import { compareWords, homeWords, paceWords } from '../words/home.ts'
import css from './home.module.css'
import { NeedsSection } from './needs-section.tsx'
import { Sparkline } from './sparkline.tsx'
import { WeekCard } from './week-card.tsx'

type Home = Schema<'Home'>

/** The balance in large figures, with buttons for the most usual next steps. */
function BalanceCard({ main }: { readonly main: number }) {
  const mayTopUp = useMay('top_up')
  return (
    <Card>
      <Big label={fieldWords.balance} value={formatGhs(main)} />
      <div className={css.actions}>
        {mayTopUp && (
          <Button component={Link} href="/top-up">
            {fieldWords.topUp}
          </Button>
        )}
        <Button component={Link} href="/wallet" variant="light">
          {homeWords.statement}
        </Button>
      </div>
    </Card>
  )
}

/** Warns that the balance is low, and says how long it lasts at the present pace of sales, where that is known. */
function LowBanner({ pace }: { readonly pace: Home['pace'] }) {
  if (!pace.is_low) return null
  return (
    <div className={css.gap}>
      <Card tone="gold">
        <b>{pace.days_left === null ? homeWords.lowTitle : homeWords.lasts(Math.floor(pace.days_left))}</b>
        <p>
          {pace.per_day === null
            ? homeWords.belowLimit(formatGhs(pace.low_balance ?? 0))
            : paceWords(formatGhs(pace.per_day), pace.empty_at)}
        </p>
      </Card>
    </div>
  )
}

function TodayCard({ today }: { readonly today: Home['today'] }) {
  return (
    <Card>
      <div className={css.drawn}>
        <div>
          <b className={css.sum}>{formatGhs(today.sales)}</b>
          <span className="soft">{compareWords(today.orders, today.orders_before)}</span>
        </div>
        <Sparkline label={homeWords.drawnToday} values={today.hours} before={today.hours_before} />
      </div>
    </Card>
  )
}

function Newest({ orders }: { readonly orders: Home['newest'] }) {
  return (
    <Section title={homeWords.newest} end={orders.length > 0 && <Link href="/orders">{fieldWords.allOrders}</Link>}>
      {orders.length === 0 ? (
        <Empty title={homeWords.noOrders}>{homeWords.noOrdersNext}</Empty>
      ) : (
        <Rows label={homeWords.newest}>
          {orders.map((order) => (
            <OrderRow key={order.order_id} order={order} />
          ))}
        </Rows>
      )}
    </Section>
  )
}

function OtherWallets({ purses }: { readonly purses: Home['purses'] }) {
  return (
    <Section title={homeWords.others}>
      <Rows label={homeWords.others}>
        <Row
          title={fieldWords.commission}
          detail={homeWords.commissionWhat}
          end={<b>{formatGhs(purses.commission)}</b>}
          href="/wallet?purse=commission"
        />
        <Row
          title={fieldWords.smsCredits}
          detail={homeWords.smsWhat}
          end={<b>{formatCount(purses.sms_credits)}</b>}
          href="/wallet?purse=sms_credits"
        />
      </Rows>
    </Section>
  )
}

/**
 * Numbers to buy for again. One tap opens the form and its confirmation dialog, the next one pays; a bill is looked up first.
 */
function BuyAgain({ sales }: { readonly sales: Home['again'] }) {
  const buyAgain = useBuyAgain()
  const mayBuy = useMay('buy')
  const shown = sales.filter(canBuyAgain)
  if (!mayBuy || shown.length === 0) return null
  return (
    <Section title={homeWords.again} end={<Link href="/customers">{frameWords.customers}</Link>}>
      <div className={css.again}>
        {shown.map((sale) => (
          <button key={sale.recipient} type="button" className={css.sale} onClick={() => buyAgain(sale)}>
            <b>{sale.name ?? groupDigits(sale.recipient)}</b>
            <span>{goodsWords(sale)}</span>
          </button>
        ))}
      </div>
    </Section>
  )
}

/** On a phone the parts are one below the other, on a wide screen in two columns. */
function Shown({ home }: { readonly home: Home }) {
  useStates([...home.newest, ...home.needs.orders.map(({ order }) => order)])
  return (
    <div className={css.columns}>
      <div>
        <BalanceCard main={home.purses.main} />
        <LowBanner pace={home.pace} />
        <SetUpList setUp={home.set_up} />
        <BuyAgain sales={home.again} />
        <Section title={fieldWords.today} end={<Link href="/prices">{homeWords.profit}</Link>}>
          <TodayCard today={home.today} />
        </Section>
        <Section title={homeWords.week}>
          <WeekCard week={home.week} />
        </Section>
      </div>
      <div className={css.second}>
        <NeedsSection needs={home.needs} />
        <Newest orders={home.newest} />
        <OtherWallets purses={home.purses} />
      </div>
    </div>
  )
}

export default function HomeScreen() {
  const { account } = useMe()
  const query = useRead('home', '/app/api/home', {}, { refetchInterval: 60_000 })
  return (
    <Page
      title={account.name}
      lead={<Logo />}
      detail={roleWords(account)}
      end={
        <div className={css.find}>
          <Button component={Link} href="/orders" variant="default">
            {fieldWords.find}
          </Button>
        </div>
      }
    >
      <QueryAnswer query={query}>{(home) => <Shown home={home} />}</QueryAnswer>
    </Page>
  )
}
