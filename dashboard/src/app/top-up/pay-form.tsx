import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { bindText } from '../../both/form/typed.ts'
import { Facts } from '../../both/layout/facts.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { cleanPhone, groupDigits, isPhone } from '../../both/phones.ts'
import { topUpWords } from '../words/top-up.ts'
import css from './top-up.module.css'

const quoteAfterMilliseconds = 250

function useQuote(amount: number | undefined) {
  const [settled] = useDebouncedValue(amount, quoteAfterMilliseconds)
  return useRead('top-up-quote', '/app/api/top-ups/quote', { amount: settled ?? 0 }, { enabled: settled !== undefined })
}

/** A payer pays on a page of the gateway (`redirect`), or by an answer on the phone (`prompt`). */
export type PayKind = 'redirect' | 'prompt'

type PaymentToMake = { readonly amount: number; readonly fee: number; readonly phone: string | undefined }

/** Begins the payment, then opens the gateway's page or, where the payer is asked on the phone, the screen of the top-up. */
function usePaying(way: string, onMade: (topUpId: string) => void) {
  const sendOnce = useSentOnce('top-up')
  return useMutation({
    mutationFn: (payment: PaymentToMake) => sendOnce((reference) => post('/app/api/top-ups', { reference, way, ...payment })),
    // Without a page of the gateway, or when that page is no longer open, the screen of the top-up shows the outcome.
    onSuccess: ({ payment_url: page, top_up_id: id }) => {
      onMade(id)
      window.location.assign(page ?? `/app/top-up/${id}`)
    },
  })
}

/** The phone number that the gateway asks to pay. A pasted number is cleaned. */
function PhoneField({ phone, onChange }: { readonly phone: string; readonly onChange: (phone: string) => void }) {
  return (
    <TextInput
      mt={16}
      label={topUpWords.phone}
      description={topUpWords.phoneHelp}
      error={phone.length >= 10 && !isPhone(phone) ? topUpWords.phoneWrong : null}
      inputMode="tel"
      autoComplete="tel-national"
      {...bindText(phone, (text) => onChange(cleanPhone(text)))}
    />
  )
}

type Props = {
  readonly amount: number | undefined
  readonly way: string
  readonly kind: PayKind
  readonly balance: number
  /** The phone number that this person last asked to pay a top-up; null: none is known. */
  readonly lastPhone: string | null
  /** Called when the payment has begun. */
  readonly onMade: (topUpId: string) => void
}

/** The amount for the wallet, the fee, and their sum. */
function Sums({ quote: { amount, fee, charged } }: { readonly quote: Schema<'TopUpQuote'> }) {
  return (
    <Facts
      facts={{
        [topUpWords.intoWallet]: formatGhs(amount),
        [fieldWords.fee]: fee === 0 ? topUpWords.noFee : formatGhs(fee),
        [topUpWords.youPay]: <b className={css.total}>{formatGhs(charged)}</b>,
      }}
    />
  )
}

/** Pays through a gateway: shows the total with the fee, asks once, and then leads to the gateway's page or to the phone. */
export function PayForm({ amount, way, kind, balance, lastPhone, onMade }: Props) {
  const [phone, setPhone] = useState(lastPhone ?? '')
  const [isAsking, setAsking] = useState(false)
  const quote = useQuote(amount)
  const paying = usePaying(way, onMade)
  const shown = quote.data?.amount === amount ? quote.data : undefined
  const isPrompt = kind === 'prompt'
  return (
    <>
      {isPrompt && <PhoneField phone={phone} onChange={setPhone} />}
      {shown && <Sums quote={shown} />}
      {quote.isError && <Failure error={quote.error} onRetry={() => void quote.refetch()} />}
      {paying.isError && <Failure error={paying.error} />}
      <div className={css.act}>
        <Button
          fullWidth
          size="md"
          disabled={!shown || (isPrompt && !isPhone(phone))}
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
          action={isPrompt ? topUpWords.askPhone : topUpWords.payNow}
          isBusy={paying.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            const payment = { amount: shown.amount, fee: shown.fee, phone: isPrompt ? phone : undefined }
            paying.mutate(payment, { onSettled: () => setAsking(false) })
          }}
        >
          {shown.fee > 0 && <p>{topUpWords.withFee(formatGhs(shown.amount), formatGhs(shown.fee))}</p>}
          <p className={css.help}>{isPrompt ? topUpWords.promptHelp(groupDigits(phone)) : topUpWords.payHelp}</p>
        </ConfirmMoney>
      )}
    </>
  )
}
