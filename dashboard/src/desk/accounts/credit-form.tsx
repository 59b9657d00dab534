import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { isKnownOutcome, useReference } from '../../both/money/use-reference.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, pathOf, readPurseAmount, showPurse } from './account-calls.ts'
import css from './accounts.module.css'

export type CreditedPurse = 'main' | 'sms_credits'
type Outcome = components['schemas']['PeoplesOutcome']
type Wish = { readonly purse: CreditedPurse; readonly amount: number; readonly note: string }

const creditedPurses = [
  { value: 'main', label: words.main },
  { value: 'sms_credits', label: words.smsCredits },
]

/** The amount, and the choice between money and SMS credits if `onPurse` is given. */
export function PurseAmount({
  purse,
  text,
  onPurse,
  onText,
}: {
  readonly purse: CreditedPurse
  readonly text: string
  readonly onPurse: ((purse: CreditedPurse) => void) | undefined
  readonly onText: (text: string) => void
}) {
  return (
    <div className={css.row}>
      {onPurse && (
        <NativeSelect
          label={words.purse}
          data={creditedPurses}
          value={purse}
          onChange={({ currentTarget }) => onPurse(currentTarget.value === 'main' ? 'main' : 'sms_credits')}
        />
      )}
      <TextInput
        label={purse === 'main' ? words.amountGhs : words.amountCredits}
        inputMode="decimal"
        required
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
    </div>
  )
}

/** What became of a credit or of a correction. */
function outcomeWords(purse: CreditedPurse, { state, approval_id: approval, why, balance }: Outcome): string {
  const holds = showPurse(purse, balance)
  if (state === 'proposed') return why === null ? words.proposed : `${why} ${words.proposed}`
  if (approval !== null) return words.done(holds)
  return state === 'done' ? words.credited(holds) : words.creditedBefore(holds)
}

/** Sends the credit under a reference that stays until the outcome is known. */
function useCrediting(accountId: string, onSettled: () => void) {
  const queries = useQueryClient()
  const { reference, renew } = useReference(`desk-credit-${accountId}`)
  return useMutation({
    mutationFn: (wish: Wish) =>
      answerOf(() =>
        api.POST('/desk/api/accounts/{account_id}/credits', { params: pathOf(accountId), body: { ...wish, reference } }),
      ),
    onSuccess: renew,
    onError: (error) => {
      if (isKnownOutcome(error)) renew()
    },
    onSettled: () => {
      onSettled()
      for (const topic of ['accounts', 'approvals', 'needs', 'log']) {
        void queries.invalidateQueries({ queryKey: ['desk', topic] })
      }
    },
  })
}

/** Credits money or SMS credits by hand, once, however often it is sent. Above the limit it becomes a proposal. */
export function CreditForm({ account }: { readonly account: Account }) {
  const [purse, setPurse] = useState<CreditedPurse>('main')
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [isAsking, setAsking] = useState(false)
  const amount = readPurseAmount(purse, text)
  const isReady = amount !== undefined && note.trim() !== ''
  const crediting = useCrediting(account.account_id, () => setAsking(false))
  const show = (each: number) => showPurse(purse, each)
  const send = () => {
    if (!isReady) return
    const onSuccess = () => {
      setText('')
      setNote('')
    }
    crediting.mutate({ purse, amount, note: note.trim() }, { onSuccess })
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) setAsking(true)
      }}
    >
      <PurseAmount purse={purse} text={text} onPurse={setPurse} onText={setText} />
      <TextInput
        label={words.note}
        description={words.noteHelp}
        required
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <div>
        <Button type="submit" disabled={!isReady}>
          {words.credit}
        </Button>
      </div>
      <output>{crediting.isSuccess ? outcomeWords(crediting.variables.purse, crediting.data) : ''}</output>
      {crediting.isError && <Failure error={crediting.error} />}
      <ConfirmMoney
        isOpen={isAsking}
        question={words.creditQuestion(account.name)}
        amount={amount ?? 0}
        balanceAfter={Math.round((account.purses[purse] + (amount ?? 0)) * 100) / 100}
        show={show}
        action={words.creditAction(show(amount ?? 0))}
        isBusy={crediting.isPending}
        onConfirm={send}
        onClose={() => setAsking(false)}
      />
    </form>
  )
}
