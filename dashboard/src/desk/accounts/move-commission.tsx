import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs, ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { isKnownOutcome, useReference } from '../../both/money/use-reference.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, pathOf } from './account-calls.ts'

/** Moves all of the account's commission to its main wallet, once, however often it is sent. */
export function MoveAllCommission({ account }: { readonly account: Account }) {
  const { account_id: accountId, purses } = account
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { reference, renew } = useReference(`desk-commission-${accountId}`)
  const moving = useMutation({
    mutationFn: (amount: number) =>
      answerOf(() =>
        api.POST('/desk/api/accounts/{account_id}/commission-transfers', {
          params: pathOf(accountId),
          body: { amount, reference },
        }),
      ),
    onSuccess: renew,
    onError: (error) => {
      if (isKnownOutcome(error)) renew()
    },
    onSettled: () => {
      setAsking(false)
      for (const topic of ['accounts', 'log']) void queries.invalidateQueries({ queryKey: [topic] })
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
          {words.nowThen(formatGhs(purses.main), formatGhs(ghsOf(pesewasOf(purses.main) + pesewasOf(purses.commission))))}
        </p>
      </ConfirmMoney>
    </>
  )
}
