import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { showPhone } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'
import { stateOf, type TopUp, TopUpState } from './top-up-state.tsx'

/** The pauses between two reads of the top-up: short while the payer is paying, longer when the payment takes long. */
const soonMilliseconds = 2_500
const laterMilliseconds = 15_000
const soonTimes = 40

/** Reads the top-up, which the server verifies at the gateway, again and again until the outcome is known. */
function useTopUp(id: string) {
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['top-up', id],
    queryFn: ({ signal }) =>
      answerOf(() => api.POST('/app/api/top-ups/{top_up_id}/verify', { params: { path: { top_up_id: id } }, signal })),
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data?.state === 'pending') return dataUpdateCount < soonTimes ? soonMilliseconds : laterMilliseconds
      return data?.state === 'waiting' ? laterMilliseconds : false
    },
  })
  const isCredited = query.data?.state === 'credited'
  // The top-up has changed the wallet, so every screen with a balance must read it again.
  useEffect(() => {
    if (isCredited) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'top-up' })
  }, [isCredited, queries])
  return query
}

function Truth({ topUp }: { readonly topUp: TopUp }) {
  const standing = stateOf(topUp)
  const tone = standing === 'held' || standing === 'unanswered' ? 'gold' : standing === 'declined' ? 'bad' : 'plain'
  return (
    <div className={css.truth} aria-live="polite">
      <Card tone={tone}>
        <p>{topUpWords.truths[standing]}</p>
        {topUp.reason !== null && (
          <p className={css.help}>
            {topUpWords.why}: {topUp.reason}
          </p>
        )}
      </Card>
    </div>
  )
}

/** The button for the next step: pay, look at the receipt, or begin again. */
function NextStep({ topUp }: { readonly topUp: TopUp }) {
  const mayTopUp = useMay('top_up')
  const { state, payment_url: page, top_up_id: id } = topUp
  if (state === 'credited') {
    return (
      <Button component="a" href={`/app/api/top-ups/${id}/receipt`} download fullWidth size="md">
        {topUpWords.receipt}
      </Button>
    )
  }
  if (!mayTopUp) return null
  if (state === 'pending' && page !== null && stateOf(topUp) !== 'in_progress') {
    return (
      <Button component="a" href={page} fullWidth size="md">
        {topUpWords.goOn}
      </Button>
    )
  }
  if (state === 'failed' || state === 'expired' || state === 'declined') {
    return (
      <Button component={Link} href="/top-up" fullWidth size="md">
        {topUpWords.again}
      </Button>
    )
  }
  return null
}

function Details({ topUp }: { readonly topUp: TopUp }) {
  const lines: [string, React.ReactNode][] = [
    [topUpWords.paidBy, topUpWords.wayOf(topUp.way)],
    ...(topUp.payer_phone === null ? [] : ([[topUpWords.payerPhone, showPhone(topUp.payer_phone)]] as [string, string][])),
    ...(topUp.transfer_reference === null ? [] : ([[topUpWords.transferNumber, topUp.transfer_reference]] as [string, string][])),
    ...(topUp.fee === 0 ? [] : ([[topUpWords.fee, formatGhs(topUp.fee)]] as [string, string][])),
    [topUpWords.youPay, formatGhs(topUp.charged)],
    [topUpWords.madeBy, topUp.made_by],
    [topUpWords.madeAt, <Moment key="made" at={topUp.created_at} />],
    ...(topUp.ended_at === null
      ? []
      : ([[topUpWords.endedAt, <Moment key="ended" at={topUp.ended_at} />]] as [string, React.ReactNode][])),
    [topUpWords.reference, topUp.reference],
  ]
  return (
    <Section title={topUpWords.details}>
      <Card>
        <dl className={css.sums}>
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {topUp.has_picture && (
          <img className={css.picture} src={`/app/api/top-ups/${topUp.top_up_id}/picture`} alt={topUpWords.pictureShown} />
        )}
      </Card>
    </Section>
  )
}

/** One top-up. The gateway sends its payers back to this screen, which shows the outcome as soon as it is known. */
export default function OneTopUpScreen() {
  const { id } = useParams<{ id: string }>()
  const query = useTopUp(id)
  return (
    <Page title={topUpWords.one} end={<Link href="/top-up">{topUpWords.back}</Link>}>
      <Asked query={query}>
        {(topUp) => (
          <>
            <Card>
              <div className={css.head}>
                <Big label={topUpWords.intoWallet} value={formatGhs(topUp.amount)} />
                <TopUpState topUp={topUp} />
              </div>
            </Card>
            <Truth topUp={topUp} />
            <div className={css.truth}>
              <NextStep topUp={topUp} />
            </div>
            <Details topUp={topUp} />
          </>
        )}
      </Asked>
    </Page>
  )
}
