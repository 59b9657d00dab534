import { useRead } from '../../both/api/use-read.ts'
import { Big, Card, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { priceWords } from '../words/prices.ts'
import css from './prices.module.css'

/** The account's profit from its own prices: today, in seven days, and by customer. */
export function ProfitCard() {
  return (
    <QueryAnswer query={useRead('profit', '/app/api/profit')}>
      {({ is_known, today, week, customers }) =>
        is_known ? (
          <>
            <Card>
              <div className={css.sums}>
                <div>
                  <Big label={priceWords.earnedToday} value={formatGhs(today.profit)} />
                  <p className="soft">{priceWords.sold(formatGhs(today.sold), today.orders)}</p>
                </div>
                <div>
                  <span className="soft">{priceWords.earnedWeek}</span>
                  <b className={css.week}>{formatGhs(week.profit)}</b>
                  <p className="soft">{priceWords.sold(formatGhs(week.sold), week.orders)}</p>
                </div>
              </div>
            </Card>
            {customers.length > 0 && (
              <Section title={priceWords.byCustomer}>
                <Rows label={priceWords.byCustomer}>
                  {customers.map(({ recipient, name, profit, orders }) => (
                    <Row
                      key={recipient}
                      href={`/orders?search=${encodeURIComponent(recipient)}`}
                      title={name ?? groupDigits(recipient)}
                      detail={[name === null ? '' : groupDigits(recipient), priceWords.sales(orders)].filter(Boolean).join(' · ')}
                      end={<b>{formatGhs(profit)}</b>}
                    />
                  ))}
                </Rows>
              </Section>
            )}
          </>
        ) : (
          <Empty title={priceWords.notKnown}>{priceWords.notKnownNext}</Empty>
        )
      }
    </QueryAnswer>
  )
}
