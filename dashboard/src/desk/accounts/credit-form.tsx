import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type FieldsOf, post, type Schema } from '../../both/api/call-api.ts'
import { useRefresh } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { initialTexts, readDraft, type TypedTexts } from '../../both/form/fields.ts'
import { FormFields } from '../../both/form/form-fields.tsx'
import { Failure } from '../../both/layout/query-states.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { EqualProposalCard } from '../approvals/equal-proposal-card.tsx'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, amountOfPurse, showPurse } from './account-calls.ts'
import css from './accounts.module.css'

export type CreditedPurse = 'main' | 'sms_credits'
type Outcome = Schema<'PeoplesOutcome'>
type NewCredit = Omit<FieldsOf<'/desk/api/accounts/{account_id}/credits', 'post'>, 'account_id' | 'reference'>

/** The fields for the wallet that is credited or corrected, and for the amount. */
export const purseFields = {
  purse: {
    kind: 'choice',
    label: fieldWords.wallet,
    options: choicesOf({ main: words.main, sms_credits: fieldWords.smsCredits }),
  },
  amount: {
    kind: 'amount',
    of: ({ purse }: TypedTexts) => amountOfPurse(purse === 'sms_credits' ? 'sms_credits' : 'main'),
    label: ({ purse }: TypedTexts) => (purse === 'sms_credits' ? words.amountCredits : fieldWords.amountGhs),
  },
} as const

/** The purse and the amount, how the money came, the number that prevents a second credit, and the purpose. */
const fields = {
  ...purseFields,
  way: { kind: 'choice', label: words.way, options: choicesOf(words.ways) },
  number: { kind: 'text', label: words.number, help: words.numberHelp, isNeeded: true, lengthMax: 60 },
  note: { kind: 'text', label: words.note, help: words.noteHelp, isNeeded: true, lengthMax: 500 },
} as const

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
        <EqualProposalCard id={outcome.approval_id} onDone={onDone} />
      )}
    </>
  )
}

/** Sends a credit under a reference that stays until the outcome is known. */
function useCrediting(account_id: string, onSettled: () => void) {
  const sendOnce = useSentOnce(`desk-credit-${account_id}`)
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (credit: NewCredit) =>
      sendOnce((reference) => post('/desk/api/accounts/{account_id}/credits', { account_id, ...credit, reference })),
    onSettled: () => {
      onSettled()
      void refresh(['accounts', 'approvals', 'needs', 'log'])
    },
  })
}

/** Credits money or SMS credits by hand. A repeated request credits only once. Above the limit it becomes a proposal. */
export function CreditForm({ account }: { readonly account: Account }) {
  const [typed, setTyped] = useState(() => initialTexts(fields))
  const [isAsking, setAsking] = useState(false)
  const { purse, amount, way, number, note } = readDraft(fields, typed)
  const isReady = amount !== undefined && note !== '' && /[\p{L}\p{N}]/u.test(number)
  const crediting = useCrediting(account.account_id, () => setAsking(false))
  const show = (each: number) => showPurse(purse, each)
  const send = () => {
    if (!isReady) return
    const onSuccess = () => setTyped({ ...initialTexts(fields), purse, way })
    crediting.mutate({ purse, amount, way, number, note }, { onSuccess })
  }
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) setAsking(true)
      }}
    >
      <FormFields fields={fields} typed={typed} onType={(name, text) => setTyped({ ...typed, [name]: text })} />
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
