import { Button, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Facts } from '../../both/layout/facts.tsx'
import { lazyOrNothing } from '../../both/layout/load-parts.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { useMay } from '../me.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { topUpWords } from '../words/top-up.ts'
import { ApproveGuide } from './approve-guide.tsx'
import css from './top-up.module.css'
import { stateOf, type TopUp, TopUpState } from './top-up-state.tsx'

/** The pauses between two reads of the top-up: short for the first reads of a payment, longer afterwards and for a transfer. */
const soonMilliseconds = 2_500
const laterMilliseconds = 15_000
const soonTimes = 40

/**
 * Reads the top-up again and again until the outcome is known. The server verifies it at the gateway, unless it is a transfer.
 */
function useTopUp(id: string) {
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: ['top-up', id],
    queryFn: ({ signal }) => post('/app/api/top-ups/{top_up_id}/verify', { top_up_id: id }, signal),
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

/** The buttons for the next step: pay, begin again, or, once the money is credited, buy and save the receipt. */
function NextStep({ topUp }: { readonly topUp: TopUp }) {
  const mayTopUp = useMay('top_up')
  const [buying] = useSavedFields('buying', { address: '', topUpId: '' })
  const mayBuy = useMay('buy')
  const { state, payment_url: page, top_up_id: id } = topUp
  const button = { fullWidth: true, size: 'md' }
  const isOfBuying = buying.topUpId === id && buying.address.startsWith('/buy')
  if (state === 'credited') {
    return (
      <Stack gap={8}>
        {mayBuy && (
          <Button component={Link} href={isOfBuying ? buying.address : '/buy'} {...button}>
            {isOfBuying ? topUpWords.backToBuying : topUpWords.buy}
          </Button>
        )}
        <Button component="a" href={`/app/api/top-ups/${id}/receipt`} download {...button} variant={mayBuy ? 'light' : 'filled'}>
          {topUpWords.receipt}
        </Button>
      </Stack>
    )
  }
  if (mayTopUp && state === 'pending' && page !== null && stateOf(topUp) !== 'in_progress') {
    return (
      <Button component="a" href={page} {...button}>
        {topUpWords.goOn}
      </Button>
    )
  }
  return (
    mayTopUp &&
    ['failed', 'expired', 'declined'].includes(state) && (
      <Button component={Link} href="/top-up" {...button}>
        {topUpWords.again}
      </Button>
    )
  )
}

function Details({ topUp }: { readonly topUp: TopUp }) {
  return (
    <Section title={topUpWords.details}>
      <Card>
        <Facts
          facts={{
            [topUpWords.paidBy]: topUpWords.wayOf(topUp.way),
            [topUpWords.payerPhone]: topUp.payer_phone && groupDigits(topUp.payer_phone),
            [topUpWords.number]: topUp.transfer_reference,
            [fieldWords.fee]: topUp.fee !== 0 && formatGhs(topUp.fee),
            [topUpWords.youPay]: formatGhs(topUp.charged),
            [fieldWords.madeBy]: topUp.is_by_floor ? topUpWords.byFloor : topUp.made_by,
            [fieldWords.made]: <Moment at={topUp.created_at} />,
            [fieldWords.ended]: topUp.ended_at && <Moment at={topUp.ended_at} />,
            [fieldWords.reference]: topUp.reference,
          }}
        />
        {topUp.has_picture && (
          <img className={css.picture} src={`/app/api/top-ups/${topUp.top_up_id}/picture`} alt={topUpWords.pictureShown} />
        )}
      </Card>
    </Section>
  )
}

const FailureHelp = lazyOrNothing(() => import('../help/failure-help.tsx'))

const needsHelp: ReadonlySet<TopUp['state']> = new Set(['failed', 'expired', 'declined', 'held'])

/** One top-up. The gateway sends its payers back to this screen, which shows the outcome as soon as it is known. */
export default function OneTopUpScreen() {
  const { id } = useParams<{ id: string }>()
  const query = useTopUp(id)
  return (
    <Page title={topUpWords.one}>
      <QueryAnswer query={query}>
        {(topUp) => (
          <>
            <Card>
              <div className={css.head}>
                <Big label={topUpWords.intoWallet} value={formatGhs(topUp.amount)} />
                <TopUpState topUp={topUp} />
              </div>
            </Card>
            <Truth topUp={topUp} />
            <ApproveGuide topUp={topUp} />
            <div className={css.truth}>
              <NextStep topUp={topUp} />
              {needsHelp.has(topUp.state) && (
                <Suspense fallback={null}>
                  <FailureHelp topUp={topUp.reference} />
                </Suspense>
              )}
            </div>
            <Details topUp={topUp} />
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
