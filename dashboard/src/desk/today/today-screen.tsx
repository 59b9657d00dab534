import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { countedWords } from '../../both/counted-words.ts'
import { fieldWords } from '../../both/field-words.ts'
import { networkName } from '../../both/goods-words.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { showDay, showTime } from '../../both/moments/format-moment.ts'
import { formatCount, formatCounted, formatGhs } from '../../both/money/format-ghs.ts'
import { sharedWords } from '../../both/words.ts'
import { type Figure, Figures } from '../frame/figures.tsx'
import { formatMargin, formatMinutes, formatPart } from '../words/format-figures.ts'
import { todayWords as words } from '../words/today.ts'
import { HoursChart, HoursTable } from './hours-chart.tsx'
import css from './today.module.css'

type Today = Schema<'DeskToday'>
type Network = Today['networks'][number] & { readonly dayName: string }

/** A float that lasts fewer hours is shown as a warning. */
const lowHours = 24
/** This many floats are shown: those that will be empty first. */
const floatsShown = 3

const dayNames = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' })
const nameOf = (day: string) => dayNames.format(new Date(`${day}T00:00:00Z`))

function soldFigure({ sales, sales_before: before, orders }: Today, day: string): Figure {
  const change = before === 0 ? undefined : (sales - before) / before
  return {
    label: fieldWords.soldToday,
    value: formatGhs(sales),
    detail: `${change === undefined ? words.noneBefore(day) : words.against(change, day)} · ${words.orders(orders)}`,
    tone: change !== undefined && change >= 0 ? 'good' : 'plain',
  }
}

function floatFigures({ floats }: Today): Figure[] {
  return floats
    .filter((float) => float.float !== null)
    .toSorted((one, other) => (one.hours_left ?? Infinity) - (other.hours_left ?? Infinity))
    .slice(0, floatsShown)
    .map(({ supplier, float, hours_left: hours }) => ({
      label: words.float(supplier),
      value: formatGhs(float ?? 0),
      detail: words.hoursLeft(hours),
      tone: hours !== null && hours < lowHours ? 'warn' : 'plain',
    }))
}

const isCounted = ({ orders }: Today['figures']): boolean => orders !== null

function figuresOfToday(today: Today, day: string): Figure[] {
  const { figures, figures_before: before } = today
  const ifCounted = (text: string) => (isCounted(figures) ? text : sharedWords.notCounted)
  return [
    soldFigure(today, day),
    {
      label: fieldWords.margin,
      value: formatMargin(figures),
      detail: words.marginOf(figures.margin_percent, before.margin, day),
      tone: figures.margin !== null && figures.margin < 0 ? 'warn' : 'plain',
    },
    {
      label: fieldWords.deliveredIn,
      value: ifCounted(formatMinutes(figures.median_minutes)),
      ...(isCounted(figures) && { detail: words.median(figures.p95_minutes) }),
    },
    {
      label: fieldWords.delivered,
      value: ifCounted(formatPart(figures.success_rate)),
      detail: words.successBefore(before.success_rate, day),
      tone: figures.success_rate !== null && figures.success_rate < (before.success_rate ?? 0) - 0.02 ? 'warn' : 'plain',
    },
    { label: words.refunds, value: formatCounted(figures.refunds), detail: words.refundsBefore(before.refunds, day) },
  ]
}

/**
 * A figure of a network, and in small letters below it the same figure of last week.
 * @param uncounted shown while that day last week is not counted; by default nothing, because one column says so for all
 */
const withBefore =
  (show: (figures: Today['figures']) => string, uncounted?: (day: string) => string): Column<Network>['show'] =>
  ({ figures, before, dayName }) => (
    <div>
      {isCounted(figures) ? show(figures) : sharedWords.notCounted}
      <span className={css.before}>{isCounted(before) ? words.before(show(before), dayName) : uncounted?.(dayName)}</span>
    </div>
  )

const networkColumns: readonly Column<Network>[] = [
  { title: fieldWords.network, isMain: true, show: ({ network }) => (network === 'none' ? words.none : networkName(network)) },
  { title: fieldWords.sales, isFigure: true, show: withBefore(({ sales }) => formatCounted(sales), words.beforeNotCounted) },
  { title: fieldWords.orders, isFigure: true, show: withBefore(({ orders }) => formatCount(orders ?? 0)) },
  { title: fieldWords.margin, isFigure: true, show: withBefore((figures) => formatMargin(figures)) },
  { title: fieldWords.delivered, isFigure: true, show: withBefore(({ success_rate: rate }) => formatPart(rate)) },
  { title: fieldWords.deliveredIn, isFigure: true, show: withBefore(({ median_minutes: minutes }) => formatMinutes(minutes)) },
]

/** Says why no network is shown: nothing was ordered, or one of the two days is not counted yet. */
function NoNetworks({ today }: { readonly today: Today }) {
  if (isCounted(today.figures) && isCounted(today.figures_before)) return <Empty title={words.noNetworks} />
  return <Empty title={sharedWords.notCounted} />
}

function Day({ today }: { readonly today: Today }) {
  const dayName = nameOf(today.day_before)
  const { hours, hours_before: before } = today
  const floats = floatFigures(today)
  return (
    <>
      <Figures label={words.figures} figures={figuresOfToday(today, dayName)} />
      {floats.length > 0 && <Figures label={words.floats} figures={floats} />}
      <Section
        title={words.hourly}
        end={
          <span className={css.legend}>
            <i className={css.keyNow} /> {fieldWords.today} <i className={css.keyBefore} /> {words.beforeBar(dayName)}
          </span>
        }
      >
        <Card>
          <HoursChart hours={hours} before={before} day={dayName} />
          <HoursTable hours={hours} before={before} day={dayName} />
        </Card>
      </Section>
      <Section title={words.networks}>
        {today.networks.length === 0 ? (
          <NoNetworks today={today} />
        ) : (
          <TableOrCards
            label={words.networks}
            columns={networkColumns}
            rows={today.networks.map((network) => ({ ...network, dayName }))}
            keyOf={({ network }) => network}
          />
        )}
      </Section>
      <p className={css.asOf}>{words.soldMeans}</p>
      {today.counted_from !== null && <p className={css.asOf}>{countedWords.countedSince(showDay(today.counted_from))}</p>}
      <p className={css.asOf}>{today.as_of === null ? countedWords.nothingCounted : words.asOf(showTime(today.as_of))}</p>
    </>
  )
}

/** The figures of today, beside the same day last week. */
export default function TodayScreen() {
  const today = useRead(
    'today',
    '/desk/api/today',
    {},
    {
      // Read again each minute, because an hour ends without any change on the server.
      refetchInterval: 60_000,
    },
  )
  return (
    <Page title={fieldWords.today} isWide>
      <QueryAnswer query={today}>{(found) => <Day today={found} />}</QueryAnswer>
    </Page>
  )
}
