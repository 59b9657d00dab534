import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components, paths } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { Asked, Empty, Failure } from '../../both/layout/wait.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { mustReadAmount, readAmount } from '../../both/money/read-amount.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { useDeskMe, useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, amountOfPurse, type Credit, pathOf, showPurse } from './account-calls.ts'
import css from './accounts.module.css'
import { type CreditedPurse, CreditForm, PurseAmount } from './credit-form.tsx'
import { MoveAllCommission } from './move-commission.tsx'

/** Loaded only when an equal proposal waits, which is seldom. */
const SameWaits = lazy(() => import('../approvals/same-waits.tsx'))

type Waiting = components['schemas']['WaitingProposal']

type TakeBackProps = {
  readonly account: Account
  /** The wrong credit; undefined when the correction has another cause. */
  readonly credit: Credit | undefined
}

/** An equal correction that waits, and the reason that was given for this one. */
type Same = { readonly id: string; readonly reason: string }

type CorrectionBody = paths['/desk/api/accounts/{account_id}/corrections']['post']['requestBody']['content']['application/json']

const propose = (accountId: string, body: CorrectionBody) =>
  answerOf(() => api.POST('/desk/api/accounts/{account_id}/corrections', { params: pathOf(accountId), body }))

/** Proposes to take back a wrong credit; another person confirms it. */
function TakeBack({ account, credit }: TakeBackProps) {
  const [purse, setPurse] = useState<CreditedPurse>(credit?.purse ?? 'main')
  const [text, setText] = useState(credit ? String(credit.left) : '')
  const { amount } = readAmount(text, amountOfPurse(purse))
  const held = account.purses[purse]
  const after = Math.round((held - (amount ?? 0)) * 100) / 100
  const sendOnce = useSentOnce(`desk-correct-${account.account_id}-${credit?.credit_id ?? 'any'}`)
  const queries = useQueryClient()
  const [same, setSame] = useState<Same>()
  const send = async (reason: string, isAnother: boolean) => {
    const taken = mustReadAmount(text, amountOfPurse(purse))
    const asked = { purse, amount: taken, reason, is_another: isAnother, ...(credit && { credit_id: credit.credit_id }) }
    const { state, approval_id: id } = await sendOnce((reference) => propose(account.account_id, { ...asked, reference }))
    setSame(state === 'same_waits' && id !== null ? { id, reason } : undefined)
  }
  const proposeAnother = useMutation({
    mutationFn: ({ reason }: Same) => send(reason, true),
    onSuccess: () =>
      Promise.all(['accounts', 'approvals', 'needs'].map((topic) => queries.invalidateQueries({ queryKey: [topic] }))),
  })
  if (same) {
    return (
      <>
        <Suspense>
          <SameWaits
            id={same.id}
            topics={['accounts', 'approvals']}
            onAnother={() => proposeAnother.mutate(same)}
            onDone={() => setSame(undefined)}
          />
        </Suspense>
        {proposeAnother.isError && <Failure error={proposeAnother.error} />}
      </>
    )
  }
  return (
    <Act
      label={credit ? words.takeBack : words.correct}
      question={credit ? words.takeBackQuestion(showPurse(purse, credit.left)) : words.correctQuestion(account.name)}
      action={words.takeBackAction}
      reason="needed"
      reasonHelp={words.noteHelp}
      isGrave
      button={{ size: 'compact-sm', variant: credit ? 'light' : 'subtle' }}
      topics={['accounts', 'approvals']}
      run={(reason) => send(reason, false)}
    >
      <div className={css.form}>
        <p>{words.takeBackMeans}</p>
        <PurseAmount purse={purse} text={text} onPurse={credit ? undefined : setPurse} onText={setText} />
        {amount !== undefined && <p>{words.nowThen(showPurse(purse, held), showPurse(purse, after))}</p>}
      </div>
    </Act>
  )
}

function ConfirmProposal({ proposal }: { readonly proposal: Waiting }) {
  const path = { path: { approval_id: proposal.approval_id } }
  return (
    <Act
      label={words.confirm}
      question={words.confirmQuestion(proposal.what)}
      topics={['accounts', 'approvals']}
      run={() => answerOf(() => api.POST('/desk/api/approvals/{approval_id}/confirm', { params: path }))}
    >
      <p>{words.nowThen(proposal.before ?? '', proposal.after ?? '')}</p>
      <p className={css.soft}>{proposal.reason}</p>
    </Act>
  )
}

function RefuseProposal({ proposal, isYours }: { readonly proposal: Waiting; readonly isYours: boolean }) {
  const path = { path: { approval_id: proposal.approval_id } }
  return (
    <Act
      label={isYours ? words.withdraw : words.refuse}
      question={words.refuseQuestion}
      reason="needed"
      button={{ variant: 'default' }}
      topics={['accounts', 'approvals']}
      run={(reason) => answerOf(() => api.POST('/desk/api/approvals/{approval_id}/refuse', { params: path, body: { reason } }))}
    >
      <p>{proposal.what}</p>
    </Act>
  )
}

/** A credit or a correction that waits for a second person. */
function WaitingCard({ proposal }: { readonly proposal: Waiting }) {
  const mayMove = useMay('manage_money')
  const isYours = useDeskMe().person.email === proposal.proposed_by
  return (
    <Card tone="gold">
      <b>{words.waitingWhat(proposal.what)}</b>
      <p>{words.nowThen(proposal.before ?? '', proposal.after ?? '')}</p>
      <p className={css.soft}>
        {proposal.reason} · {words.proposedBy(proposal.proposed_by)}, {relativeMoment(proposal.at)}
      </p>
      {isYours && <p>{words.isYours}</p>}
      {mayMove && (
        <div className={css.acts}>
          {!isYours && <ConfirmProposal proposal={proposal} />}
          <RefuseProposal proposal={proposal} isYours={isYours} />
        </div>
      )}
    </Card>
  )
}

const creditColumns: readonly Column<Credit>[] = [
  { title: words.amount, show: ({ purse, amount }) => showPurse(purse, amount), isMain: true },
  { title: words.purse, show: ({ purse }) => (purse === 'main' ? words.main : words.smsCredits) },
  { title: words.note, show: ({ note }) => note ?? '' },
  { title: words.receipt, show: ({ reference }) => reference ?? '' },
  { title: words.by, show: ({ by }) => by },
  { title: words.when, show: ({ at }) => relativeMoment(at) },
  { title: words.left, show: ({ purse, left }) => showPurse(purse, left), isFigure: true },
]

/** The newest credits are shown first; they answer most questions. */
const creditsAtFirst = 5

/** The table of credits. Persons who may move money get a button to take back what is left of a credit. */
function CreditTable({ account, credits }: { readonly account: Account; readonly credits: readonly Credit[] }) {
  const mayMove = useMay('manage_money')
  const [areAllShown, setAllShown] = useState(false)
  const columns: readonly Column<Credit>[] = mayMove
    ? [
        ...creditColumns,
        {
          title: words.takeBack,
          show: (credit) =>
            credit.left > 0 && <TakeBack key={`${credit.credit_id}/${credit.left}`} account={account} credit={credit} />,
          isFigure: true,
        },
      ]
    : creditColumns
  const shown = areAllShown ? credits : credits.slice(0, creditsAtFirst)
  return (
    <>
      <TableOrCards label={words.credits} columns={columns} rows={shown} keyOf={({ credit_id: id }) => id} />
      {shown.length < credits.length && (
        <Button variant="default" mt={12} fullWidth onClick={() => setAllShown(true)}>
          {words.allCredits(credits.length)}
        </Button>
      )}
    </>
  )
}

/** Credits by hand: to make one, to take one back, and those that wait for a second person. */
export default function CreditSection({ account }: { readonly account: Account }) {
  const mayMove = useMay('manage_money')
  const query = useQuery({
    queryKey: ['accounts', account.account_id, 'credits'],
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/desk/api/accounts/{account_id}/credits', { params: pathOf(account.account_id), signal })),
  })
  return (
    <Section title={words.credits} end={mayMove && <TakeBack account={account} credit={undefined} />}>
      {mayMove && (
        <Card>
          <CreditForm account={account} />
          <MoveAllCommission account={account} />
        </Card>
      )}
      <Asked query={query} lines={1}>
        {({ credits, waiting }) => (
          <div className={css.apart}>
            {waiting.map((proposal) => (
              <WaitingCard key={proposal.approval_id} proposal={proposal} />
            ))}
            {credits.length === 0 ? <Empty title={words.creditsEmpty} /> : <CreditTable account={account} credits={credits} />}
          </div>
        )}
      </Asked>
    </Section>
  )
}
