import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { Big, Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatCount, formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { isPriceChanged, useSentOnce } from '../../both/money/use-reference.ts'
import { useMay } from '../me.ts'
import { creditWords, smsWords } from '../words/sms.ts'
import { useSms } from './ask-sms.ts'
import css from './sms.module.css'

type Overview = Schema<'SmsOverview'>
type Pack = Overview['packs'][number]

const eachFormat = new Intl.NumberFormat('en-GH', { maximumFractionDigits: 2 })

function useBuying() {
  const sendOnce = useSentOnce('sms-credits')
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ credits, price }: Pack) =>
      sendOnce((reference) => post('/app/api/sms/credits', { credits, price, reference })),
    // The purchase has changed the wallet, so every screen that shows it must read it again.
    onSuccess: () => queries.invalidateQueries(),
    // The dialog asks again, at the new price.
    onError: (error) => (isPriceChanged(error) ? queries.invalidateQueries({ queryKey: ['sms'] }) : undefined),
  })
}

type PacksProps = { readonly packs: readonly Pack[]; readonly chosen: Pack; readonly onChoose: (pack: Pack) => void }

function Packs({ packs, chosen, onChoose }: PacksProps) {
  return (
    <Section title={creditWords.packs}>
      <div className={css.choices}>
        {packs.map((pack) => (
          <button
            key={`${pack.credits} ${pack.price}`}
            type="button"
            className={css.choice}
            aria-pressed={pack === chosen}
            onClick={() => onChoose(pack)}
          >
            {formatCount(pack.credits)}
            <small>{formatGhs(pack.price)}</small>
            <small>{creditWords.each(eachFormat.format(pesewasOf(pack.price) / pack.credits))}</small>
          </button>
        ))}
      </div>
    </Section>
  )
}

function Shop({ overview }: { readonly overview: Overview }) {
  const { packs, balance, credits } = overview
  const [wanted, setWanted] = useState(0)
  const [isAsking, setAsking] = useState(false)
  const buying = useBuying()
  const pack = packs.find((each) => each.credits === wanted) ?? packs[0]
  if (!pack) return <Empty title={creditWords.none}>{creditWords.noneNext}</Empty>
  const after = ghsOf(pesewasOf(balance) - pesewasOf(pack.price))
  const words = smsWords.countCredits(pack.credits)
  return (
    <>
      <Card>
        <Big label={creditWords.now} value={formatCount(credits)} />
        <p className={css.note}>{creditWords.intro}</p>
      </Card>
      <Packs packs={packs} chosen={pack} onChoose={({ credits: chosen }) => setWanted(chosen)} />
      {buying.isSuccess && (
        <p role="status" className={css.note}>
          {creditWords.bought(smsWords.countCredits(buying.data.credits))}
        </p>
      )}
      {buying.isError && !isAsking && <Failure error={buying.error} />}
      <div className={css.actions}>
        <Button disabled={after < 0} onClick={() => setAsking(true)}>
          {creditWords.buy(formatGhs(pack.price))}
        </Button>
      </div>
      <p className={css.after}>
        {after < 0 ? creditWords.tooLittle(formatGhs(balance)) : `${creditWords.wallet}: ${formatGhs(after)}`}
      </p>
      <ConfirmMoney
        isOpen={isAsking}
        question={creditWords.ask(words)}
        amount={pack.price}
        balanceAfter={after}
        action={creditWords.confirm}
        isBusy={buying.isPending}
        refusal={buying.error}
        onConfirm={() => buying.mutate(pack, { onSettled: (_bought, error) => setAsking(isPriceChanged(error)) })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

export default function BuyCreditsScreen() {
  const overview = useSms()
  const mayBuy = useMay('buy')
  return (
    <Page title={creditWords.title}>
      <QueryAnswer query={overview}>
        {(found) =>
          found.is_business && mayBuy ? (
            <Shop overview={found} />
          ) : (
            <Empty title={smsWords.notBusiness}>{smsWords.notBusinessNext}</Empty>
          )
        }
      </QueryAnswer>
    </Page>
  )
}
