import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useRefresh } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/query-states.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account } from './account-calls.ts'

/** Moves all of the account's commission to its main wallet. A repeated request moves it only once. */
export function MoveAllCommission({ account }: { readonly account: Account }) {
  const { account_id: accountId, purses } = account
  const [isAsking, setAsking] = useState(false)
  const sendOnce = useSentOnce(`desk-commission-${accountId}`)
  const refresh = useRefresh()
  const moving = useMutation({
    mutationFn: (amount: number) =>
      sendOnce((reference) =>
        post('/desk/api/accounts/{account_id}/commission-transfers', { account_id: accountId, amount, reference }),
      ),
    onSettled: () => {
      setAsking(false)
      void refresh(['accounts', 'log'])
    },
  })
  return (
    <>
      {purses.commission > 0 && (
        <Button variant="light" onClick={() => setAsking(true)}>
          {words.moveCommission}
        </Button>
      )}
      <output>{moving.isSuccess ? words.movedCommission(formatGhs(moving.data.balance)) : ''}</output>
      {moving.isError && <Failure error={moving.error} />}
      <ConfirmMoney
        isOpen={isAsking}
        question={words.moveCommissionQuestion(account.name)}
        amount={purses.commission}
        action={words.moveCommission}
        isBusy={moving.isPending}
        onConfirm={() => moving.mutate(purses.commission)}
        onClose={() => setAsking(false)}
      >
        <p>
          {words.main}:{' '}
          {fieldWords.becomes(formatGhs(purses.main), formatGhs(ghsOf(pesewasOf(purses.main) + pesewasOf(purses.commission))))}
        </p>
      </ConfirmMoney>
    </>
  )
}
