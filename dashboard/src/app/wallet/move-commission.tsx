import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRefresh } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/query-states.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { cedis, readAmount } from '../../both/money/read-amount.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { walletWords } from '../words/wallet.ts'
import css from './wallet.module.css'

/** Moves commission to the main wallet. A repeated request moves it only once. */
export function MoveCommission({ purses }: { readonly purses: Schema<'Purses'> }) {
  const [text, setText] = useState('')
  const [isAsking, setAsking] = useState(false)
  const typed = readAmount(text, cedis).amount
  const amount = typed === undefined ? undefined : pesewasOf(typed)
  const isTooMuch = amount !== undefined && amount > pesewasOf(purses.commission)
  const sendOnce = useSentOnce('commission')
  const refresh = useRefresh()
  const moving = useMutation({
    mutationFn: (pesewas: number) =>
      sendOnce((reference) => post('/app/api/wallet/commission-transfers', { reference, amount: ghsOf(pesewas) })),
    onSuccess: () => setText(''),
    onSettled: () => {
      setAsking(false)
      void refresh(['purses', 'entries', 'home'])
    },
  })
  const words = amount === undefined ? walletWords.moveAction : `${walletWords.moveAction} ${formatGhs(ghsOf(amount))}`
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (amount !== undefined && !isTooMuch) setAsking(true)
      }}
    >
      <AmountField
        kind={cedis}
        label={fieldWords.amountGhs}
        text={text}
        onText={setText}
        error={isTooMuch ? walletWords.notEnough : undefined}
      />
      <div className={css.actions}>
        <Button variant="default" onClick={() => setText(purses.commission.toFixed(2))}>
          {walletWords.moveAll}
        </Button>
        <Button type="submit" disabled={amount === undefined || isTooMuch}>
          {walletWords.moveToMain}
        </Button>
      </div>
      <output>{moving.isSuccess ? `${walletWords.moved}: ${formatGhs(moving.data.transferred)}` : ''}</output>
      {moving.isError && <Failure error={moving.error} />}
      <ConfirmMoney
        isOpen={isAsking}
        question={walletWords.moveQuestion}
        amount={ghsOf(amount ?? 0)}
        action={words}
        isBusy={moving.isPending}
        onConfirm={() => amount !== undefined && moving.mutate(amount)}
        onClose={() => setAsking(false)}
      >
        <p className="soft">
          {walletWords.mainAfter} {formatGhs(ghsOf(pesewasOf(purses.main) + (amount ?? 0)))}
        </p>
      </ConfirmMoney>
    </form>
  )
}
