import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { readAmount } from '../../both/money/read-amount.ts'
import { isKnownOutcome, useReference } from '../../both/money/use-reference.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, amountOfPurse, pathOf, showPurse } from './account-calls.ts'
import css from './accounts.module.css'

/** Loaded only when an equal proposal waits, which is seldom. */
const SameWaits = lazy(() => import('../approvals/same-waits.tsx'))

export type CreditedPurse = 'main' | 'sms_credits'
type Outcome = components['schemas']['PeoplesOutcome']
type Way = components['schemas']['CreditBody']['way']
type NewCredit = {
  readonly purse: CreditedPurse
  readonly amount: number
  readonly way: Way
  readonly number: string
  readonly note: string
}

const ways: readonly { value: Way; label: string }[] = [
  { value: 'cash', label: words.ways.cash },
  { value: 'bank', label: words.ways.bank },
  { value: 'momo', label: words.ways.momo },
  { value: 'other', label: words.ways.other },
]

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
      <AmountField
        kind={amountOfPurse(purse)}
        label={purse === 'main' ? words.amountGhs : words.amountCredits}
        required
        text={text}
        onText={onText}
      />
    </div>
  )
}

/** The result of a credit or of a correction in words. */
function outcomeWords(purse: CreditedPurse, { state, approval_id: approval, why, balance }: Outcome): string {
  const holds = showPurse(purse, balance)
  if (state === 'same_waits') return ''
  if (state === 'proposed') return why === null ? words.proposed : `${why} ${words.proposed}`
  if (approval !== null) return words.done(holds)
  return state === 'done' ? words.credited(holds) : words.creditedBefore(holds)
}

type OutcomeProps = { readonly purse: CreditedPurse; readonly outcome: Outcome; readonly onDone: () => void }

function CreditOutcome({ purse, outcome, onDone }: OutcomeProps) {
  return (
    <>
      <output>{outcomeWords(purse, outcome)}</output>
      {outcome.state === 'same_waits' && outcome.approval_id !== null && (
        <Suspense>
          <SameWaits id={outcome.approval_id} topics={['accounts', 'approvals']} onDone={onDone} />
        </Suspense>
      )}
    </>
  )
}

type Receipt = Pick<NewCredit, 'way' | 'number' | 'note'>
const noReceipt: Receipt = { way: 'cash', number: '', note: '' }

type ReceiptProps = { readonly receipt: Receipt; readonly onChange: (receipt: Receipt) => void }

/** How the money came, the number by which it is credited once, and its purpose. */
function ReceiptFields({ receipt, onChange }: ReceiptProps) {
  const { way, number, note } = receipt
  return (
    <>
      <div className={css.row}>
        <NativeSelect
          label={words.way}
          data={[...ways]}
          value={way}
          onChange={({ currentTarget }) =>
            onChange({ ...receipt, way: ways.find(({ value }) => value === currentTarget.value)?.value ?? 'cash' })
          }
        />
        <TextInput
          label={words.number}
          description={words.numberHelp}
          required
          maxLength={60}
          value={number}
          onChange={({ currentTarget }) => onChange({ ...receipt, number: currentTarget.value })}
        />
      </div>
      <TextInput
        label={words.note}
        description={words.noteHelp}
        required
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => onChange({ ...receipt, note: currentTarget.value })}
      />
    </>
  )
}

/** Sends the credit under a reference that stays until the outcome is known. */
function useCrediting(accountId: string, onSettled: () => void) {
  const queries = useQueryClient()
  const { reference, renew } = useReference(`desk-credit-${accountId}`)
  return useMutation({
    mutationFn: (credit: NewCredit) =>
      answerOf(() =>
        api.POST('/desk/api/accounts/{account_id}/credits', { params: pathOf(accountId), body: { ...credit, reference } }),
      ),
    onSuccess: renew,
    onError: (error) => {
      if (isKnownOutcome(error)) renew()
    },
    onSettled: () => {
      onSettled()
      for (const topic of ['accounts', 'approvals', 'needs', 'log']) {
        void queries.invalidateQueries({ queryKey: [topic] })
      }
    },
  })
}

/** Credits money or SMS credits by hand, once, however often it is sent. Above the limit it becomes a proposal. */
export function CreditForm({ account }: { readonly account: Account }) {
  const [purse, setPurse] = useState<CreditedPurse>('main')
  const [text, setText] = useState('')
  const [receipt, setReceipt] = useState(noReceipt)
  const { way, number, note } = receipt
  const [isAsking, setAsking] = useState(false)
  const { amount } = readAmount(text, amountOfPurse(purse))
  const isReady = amount !== undefined && note.trim() !== '' && /[\p{L}\p{N}]/u.test(number)
  const crediting = useCrediting(account.account_id, () => setAsking(false))
  const show = (each: number) => showPurse(purse, each)
  const send = () => {
    if (!isReady) return
    const onSuccess = () => {
      setText('')
      setReceipt({ ...noReceipt, way })
    }
    crediting.mutate({ purse, amount, way, number: number.trim(), note: note.trim() }, { onSuccess })
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
      <ReceiptFields receipt={receipt} onChange={setReceipt} />
      <div>
        <Button type="submit" disabled={!isReady}>
          {words.credit}
        </Button>
      </div>
      {crediting.isSuccess && (
        <CreditOutcome purse={crediting.variables.purse} outcome={crediting.data} onDone={() => crediting.reset()} />
      )}
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
