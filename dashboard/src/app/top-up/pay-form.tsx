import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiRefusal, answerOf, api } from '../../shared/api/call-api.ts'
import { Failure } from '../../shared/layout/wait.tsx'
import { ConfirmMoney } from '../../shared/money/confirm-money.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../shared/money/format-ghs.ts'
import { useReference } from '../../shared/money/use-reference.ts'
import { topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'

const quoteAfterMilliseconds = 250

function useQuote(amount: number | undefined) {
  const [settled] = useDebouncedValue(amount, quoteAfterMilliseconds)
  return useQuery({
    queryKey: ['top-up-quote', settled],
    enabled: settled !== undefined,
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/app/api/top-ups/quote', { params: { query: { amount: settled ?? 0 } }, signal })),
  })
}

/** Begins the payment and leads to the gateway's page. */
function usePaying(way: string) {
  const { reference, renew } = useReference('top-up')
  return useMutation({
    mutationFn: ({ amount, fee }: { amount: number; fee: number }) =>
      answerOf(() => api.POST('/app/api/top-ups', { body: { reference, way, amount, fee } })),
    onSuccess: ({ payment_url: page, top_up_id: id }) => {
      renew()
      // Where there is no page any more, the screen of the top-up says what became of it.
      window.location.assign(page ?? `/app/top-up/${id}`)
    },
    // A refusal is an outcome; without an answer the same reference finds out.
    onError: (error) => {
      if (error instanceof ApiRefusal) renew()
    },
  })
}

type Props = { readonly amount: number | undefined; readonly way: string; readonly balance: number }

/** Paying through a gateway: the total with the fee, asked once, then the gateway's page. */
export function PayForm({ amount, way, balance }: Props) {
  const [isAsking, setAsking] = useState(false)
  const quote = useQuote(amount)
  const paying = usePaying(way)
  const shown = quote.data?.amount === amount ? quote.data : undefined
  return (
    <>
      {shown && (
        <dl className={`${css.sums} ${css.bill}`}>
          <div>
            <dt>{topUpWords.intoWallet}</dt>
            <dd>{formatGhs(shown.amount)}</dd>
          </div>
          <div>
            <dt>{topUpWords.fee}</dt>
            <dd>{shown.fee === 0 ? topUpWords.noFee : formatGhs(shown.fee)}</dd>
          </div>
          <div className={css.total}>
            <dt>{topUpWords.youPay}</dt>
            <dd>{formatGhs(shown.charged)}</dd>
          </div>
        </dl>
      )}
      {quote.isError && <Failure error={quote.error} onRetry={() => void quote.refetch()} />}
      {paying.isError && <Failure error={paying.error} />}
      <div className={css.act}>
        <Button
          fullWidth
          size="md"
          disabled={!shown}
          loading={paying.isPending || paying.isSuccess}
          onClick={() => setAsking(true)}
        >
          {topUpWords.pay(shown ? formatGhs(shown.charged) : '')}
        </Button>
      </div>
      {shown && (
        <ConfirmMoney
          isOpen={isAsking}
          question={topUpWords.payQuestion(formatGhs(shown.amount))}
          amount={shown.charged}
          balanceAfter={ghsOf(pesewasOf(balance) + pesewasOf(shown.amount))}
          action={topUpWords.payNow}
          isBusy={paying.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => paying.mutate({ amount: shown.amount, fee: shown.fee }, { onSettled: () => setAsking(false) })}
        >
          <p className={css.help}>{topUpWords.payHelp}</p>
        </ConfirmMoney>
      )}
    </>
  )
}
