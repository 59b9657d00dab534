import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { groupDigits } from '../../both/phones.ts'
import { Acts, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { topUpStates, topUpWords as words } from '../words/top-ups.ts'
import { ConfirmTopUp } from './confirm-top-up.tsx'

type Details = Schema<'DeskTopUpDetails'>
type Props = { readonly topUp: Details }
type ActProps = Props & { readonly onActed: () => void }

const momentOf = (at: string | null) => at && <Moment at={at} />

function Decline({ topUp, onActed }: ActProps) {
  return (
    <Act
      label={fieldWords.decline}
      question={words.declineQuestion(topUp.account_name)}
      reason="needed"
      reasonHelp={words.reasonHelp}
      isGrave
      run={(reason) => post('/desk/api/top-ups/{top_up_id}/decline', { top_up_id: topUp.top_up_id, reason })}
      topics={['top-ups', 'approvals', 'accounts']}
      onDone={onActed}
    >
      <p>{words.declineLead}</p>
    </Act>
  )
}

/** The actions on a top-up that waits or is held. */
function Decision({ topUp, onActed }: ActProps) {
  const { state, proposal, transfer_reference: number } = topUp
  const isOwnProposal = proposal?.is_yours === true
  return (
    <>
      {isOwnProposal && (
        <Card tone="gold">
          <p>{words.proposedByYou}</p>
          <Link href={`/approvals/${proposal.approval_id}`}>{fieldWords.seeProposal}</Link>
        </Card>
      )}
      <Acts>
        {state === 'waiting' && !isOwnProposal && (
          <ConfirmTopUp key={proposal?.approval_id ?? ''} topUp={topUp} onActed={onActed} />
        )}
        <Decline topUp={topUp} onActed={onActed} />
        {number !== null && <CopyText text={number} />}
      </Acts>
    </>
  )
}

function SameTransfer({ topUp: { same_transfer: same } }: Props) {
  if (same.length === 0) return null
  return (
    <Card tone="bad">
      <b>{words.sameTransfer}</b>
      {same.map(({ top_up_id: id, state }) => (
        <p key={id}>
          <Link href={`/top-ups/${id}?view=all`}>{words.sameLine(topUpStates[state].word)}</Link>
        </p>
      ))}
    </Card>
  )
}

function factsOf(topUp: Details) {
  const { account_id: id, account_name: name, email, fee, payer_phone: phone } = topUp
  return {
    [fieldWords.account]: <Link href={`/accounts/${id}`}>{`${name} · ${email}`}</Link>,
    [words.transfer]: topUp.transfer_reference,
    [words.phone]: phone && groupDigits(phone),
    [words.note]: topUp.note,
    [fieldWords.reason]: topUp.reason,
    [fieldWords.fee]: fee > 0 ? formatGhs(fee) : null,
    [words.charged]: fee > 0 ? formatGhs(topUp.charged) : null,
    [fieldWords.reference]: <code>{topUp.reference}</code>,
    [fieldWords.madeBy]: topUp.made_by,
    [fieldWords.made]: momentOf(topUp.created_at),
    [words.said]: topUp.said,
    [words.channel]: topUp.channel,
    [fieldWords.inItsOwnWords]: topUp.evidence && <code>{topUp.evidence}</code>,
    [words.asked]: momentOf(topUp.asked_at),
    [words.nextAsk]: momentOf(topUp.next_ask_at),
    [words.expires]: topUp.state === 'pending' ? momentOf(topUp.expires_at) : null,
    [fieldWords.decidedBy]: topUp.decided_by,
    [fieldWords.ended]: momentOf(topUp.ended_at),
  }
}

export function TopUpPanel({ id, onActed }: { readonly id: string; readonly onActed: () => void }) {
  const mayDecide = useMay('manage_money')
  const query = useRead('top-ups', '/desk/api/top-ups/{top_up_id}', { top_up_id: id })
  return (
    <QueryAnswer query={query}>
      {(topUp) => {
        const { word, tone } = topUpStates[topUp.state]
        const isOpen = topUp.state === 'waiting' || topUp.state === 'held'
        return (
          <Panel
            title={formatGhs(topUp.amount)}
            state={<State tone={tone}>{word}</State>}
            detail={`${words.ways[topUp.way] ?? topUp.way} · ${topUp.account_name}`}
          >
            <SameTransfer topUp={topUp} />
            {isOpen && mayDecide && <Decision topUp={topUp} onActed={onActed} />}
            {isOpen && !mayDecide && topUp.proposal && <Card tone="gold">{words.proposedBy(topUp.proposal.proposed_by)}</Card>}
            {topUp.has_picture && (
              <a href={`/desk/api/top-ups/${id}/picture`} target="_blank" rel="noreferrer">
                {words.picture}
              </a>
            )}
            <Facts label={words.facts} facts={factsOf(topUp)} />
          </Panel>
        )
      }}
    </QueryAnswer>
  )
}
