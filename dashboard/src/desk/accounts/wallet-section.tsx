import { Button } from '@mantine/core'
import { useState } from 'react'
import { type FieldsOf, post, type Schema } from '../../both/api/call-api.ts'
import { useAct, useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { type Column, TableOrCards } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { ghsOf, pesewasOf } from '../../both/money/format-ghs.ts'
import { useSentOnce } from '../../both/money/use-reference.ts'
import { DecideProposal } from '../approvals/decide-proposal.tsx'
import { EqualProposalCard } from '../approvals/equal-proposal-card.tsx'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { approvalWords, sentence } from '../words/approvals.ts'
import { type Account, type Credit, showPurse } from './account-calls.ts'
import css from './accounts.module.css'
import { CreditForm, purseFields } from './credit-form.tsx'
import { MoveAllCommission } from './move-commission.tsx'

type Waiting = Schema<'WaitingProposal'>

type CorrectPurseProps = {
  readonly account: Account
  /** The wrong credit; undefined when the correction has another cause. */
  readonly credit: Credit | undefined
}

type CorrectionBody = Omit<FieldsOf<'/desk/api/accounts/{account_id}/corrections', 'post'>, 'account_id' | 'reference'>

/** The fields of a correction. With `credit`, the correction is in the purse of that credit. */
const fieldsOf = (credit: Credit | undefined) =>
  ({
    purse: { ...purseFields.purse, initial: credit?.purse, isShown: () => credit === undefined },
    amount: { ...purseFields.amount, initial: credit?.left },
  }) as const

/** Proposes a correction of a purse, or takes back what is left of a wrong credit. Another person confirms it. */
function CorrectPurse({ account, credit }: CorrectPurseProps) {
  const { account_id, name, purses } = account
  const sendOnce = useSentOnce(`desk-correct-${account_id}-${credit?.credit_id ?? 'any'}`)
  const [same, setSame] = useState<{ readonly id: string; readonly again: () => Promise<void> }>()
  const propose = async (body: CorrectionBody) => {
    const { state, approval_id: id } = await sendOnce((reference) =>
      post('/desk/api/accounts/{account_id}/corrections', { account_id, ...body, reference }),
    )
    const again = () => propose({ ...body, is_another: true })
    setSame(state === 'same_waits' && id !== null ? { id, again } : undefined)
  }
  const proposingAnother = useAct((again: () => Promise<void>) => again(), ['accounts', 'approvals', 'needs'])
  if (same) {
    return (
      <>
        <EqualProposalCard id={same.id} onAnother={() => proposingAnother.mutate(same.again)} onDone={() => setSame(undefined)} />
        {proposingAnother.isError && <Failure error={proposingAnother.error} />}
      </>
    )
  }
  return (
    <Act
      label={credit ? words.takeBack : words.correct}
      question={credit ? words.takeBackQuestion(showPurse(credit.purse, credit.left)) : words.correctQuestion(name)}
      action={words.takeBackAction}
      reason="needed"
      reasonHelp={words.noteHelp}
      isGrave
      button={{ size: 'compact-sm', variant: credit ? 'light' : 'subtle' }}
      topics={['accounts', 'approvals']}
      fields={fieldsOf(credit)}
      run={(reason, { purse, amount }) =>
        propose({ purse, amount, reason, is_another: false, ...(credit && { credit_id: credit.credit_id }) })
      }
      effect={({ purse, amount }) =>
        amount !== undefined && (
          <p>
            {fieldWords.becomes(
              showPurse(purse, purses[purse]),
              showPurse(purse, ghsOf(pesewasOf(purses[purse]) - pesewasOf(amount))),
            )}
          </p>
        )
      }
    >
      <p>{words.takeBackMeans}</p>
    </Act>
  )
}

/** A credit or a correction that waits for a second person. */
function WaitingCard({ proposal }: { readonly proposal: Waiting }) {
  return (
    <Card tone="gold">
      <b>{sentence(proposal.what)}</b>
      <p>{fieldWords.becomes(proposal.before ?? '—', proposal.after ?? '—')}</p>
      <p className="soft fine">
        {proposal.reason} · {words.proposedBy(proposal.proposed_by)}, {relativeMoment(proposal.at)}
      </p>
      {proposal.is_yours && <p>{approvalWords.yours}</p>}
      {proposal.is_own_account && <p>{approvalWords.ownAccount}</p>}
      <DecideProposal proposal={proposal} />
    </Card>
  )
}

const creditColumns: readonly Column<Credit>[] = [
  { title: fieldWords.amount, show: ({ purse, amount }) => showPurse(purse, amount), isMain: true },
  { title: fieldWords.wallet, show: ({ purse }) => (purse === 'main' ? words.main : fieldWords.smsCredits) },
  { title: words.note, show: ({ note }) => note ?? '' },
  { title: fieldWords.receipt, show: ({ reference }) => reference ?? '' },
  { title: fieldWords.by, show: ({ by }) => by },
  { title: fieldWords.when, show: ({ at }) => relativeMoment(at) },
  { title: words.left, show: ({ purse, left }) => showPurse(purse, left), isFigure: true },
]

/** Number of credits that are shown at first: the newest ones answer most questions. */
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
            credit.left > 0 && <CorrectPurse key={`${credit.credit_id}/${credit.left}`} account={account} credit={credit} />,
          isFigure: true,
        },
      ]
    : creditColumns
  const shown = areAllShown ? credits : credits.slice(0, creditsAtFirst)
  return (
    <>
      <TableOrCards
        label={words.credits}
        columns={columns}
        rows={shown}
        keyOf={({ credit_id: id }) => id}
        empty={{ title: words.creditsEmpty }}
      />
      {shown.length < credits.length && (
        <Button variant="default" mt={12} fullWidth onClick={() => setAllShown(true)}>
          {words.allCredits(credits.length)}
        </Button>
      )}
    </>
  )
}

/** Credits by hand: to make one, to take one back, and those that wait for a second person. */
export default function WalletSection({ account }: { readonly account: Account }) {
  const mayMove = useMay('manage_money')
  const query = useRead('accounts', '/desk/api/accounts/{account_id}/credits', { account_id: account.account_id })
  return (
    <Section title={words.credits} end={mayMove && <CorrectPurse account={account} credit={undefined} />}>
      {mayMove && (
        <Card>
          <CreditForm account={account} />
          <MoveAllCommission account={account} />
        </Card>
      )}
      <QueryAnswer query={query} lines={1}>
        {({ credits, waiting }) => (
          <div className={css.apart}>
            {waiting.map((proposal) => (
              <WaitingCard key={proposal.approval_id} proposal={proposal} />
            ))}
            <CreditTable account={account} credits={credits} />
          </div>
        )}
      </QueryAnswer>
    </Section>
  )
}
