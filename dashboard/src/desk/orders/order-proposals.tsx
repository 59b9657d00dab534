import { Group } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { showPrice } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import { deskOrderWords, proposalWords } from '../words/orders.ts'
import type { DeskOrder } from './ask-orders.ts'
import css from './orders.module.css'

type Proposal = DeskOrder['proposals'][number]

const kindOf = ({ outcome }: Proposal) => (outcome === 'adjusted' ? 'adjust' : outcome === 'refunded' ? 'take-back' : 'settle')

const paths = {
  settle: { confirm: '/desk/api/orders/{order_id}/settle/confirm', refuse: '/desk/api/orders/{order_id}/settle/refuse' },
  'take-back': {
    confirm: '/desk/api/orders/{order_id}/take-back/confirm',
    refuse: '/desk/api/orders/{order_id}/take-back/refuse',
  },
  adjust: { confirm: '/desk/api/orders/{order_id}/adjust/confirm', refuse: '/desk/api/orders/{order_id}/adjust/refuse' },
} as const

type Props = { readonly shown: DeskOrder; readonly proposal: Proposal }

/** The buttons for a proposal. Another person may confirm or refuse it; its proposer may only withdraw it. */
function Answers({ shown, proposal }: Props) {
  const { order_id } = shown.order
  const words = proposalWords(proposal, showPrice(shown.order))
  const decide = (way: 'confirm' | 'refuse') => (evidence: string) =>
    post(paths[kindOf(proposal)][way], { order_id, approval_id: proposal.approval_id, evidence })
  const shared = { topics: ['orders', 'approvals', 'accounts'], reason: 'needed' } as const
  const about = (
    <p>
      <b>{words}</b>
      <br />
      {deskOrderWords.proposed(proposal.proposed_by)}: {proposal.evidence}
    </p>
  )
  return (
    <Group gap={8} mt={12}>
      {!proposal.is_own && (
        <Act
          {...shared}
          label={fieldWords.confirm}
          question={`${fieldWords.confirm}?`}
          reasonLabel={deskOrderWords.evidence}
          reasonHelp={deskOrderWords.confirmHelp}
          button={{ variant: 'filled' }}
          run={decide('confirm')}
        >
          {about}
        </Act>
      )}
      <Act
        {...shared}
        label={proposal.is_own ? fieldWords.withdraw : fieldWords.refuse}
        question={`${proposal.is_own ? fieldWords.withdraw : fieldWords.refuse}?`}
        reasonLabel={fieldWords.whyNot}
        button={{ variant: 'default' }}
        run={decide('refuse')}
      >
        {about}
      </Act>
    </Group>
  )
}

/** A proposal that waits, with its proposer and its reason. */
export function WaitingProposal({ shown, proposal }: Props) {
  const may = { settle: useMay('settle_orders'), money: useMay('manage_money') }
  const isAllowed = kindOf(proposal) === 'settle' ? may.settle : may.money
  return (
    <Card tone="gold">
      <b>{proposalWords(proposal, showPrice(shown.order))}</b>
      <p>
        {deskOrderWords.proposed(proposal.proposed_by)} <Moment at={proposal.proposed_at} />
      </p>
      <p className={css.quote}>{proposal.evidence}</p>
      {proposal.is_own && <p className="soft fine">{deskOrderWords.own}</p>}
      {isAllowed && <Answers shown={shown} proposal={proposal} />}
    </Card>
  )
}

/** The earlier decisions of people about an order. */
export function DecidedProposals({ shown }: { readonly shown: DeskOrder }) {
  const decided = shown.proposals.filter(({ state }) => state !== 'pending')
  if (decided.length === 0) return null
  return (
    <ul className={css.decided} aria-label={deskOrderWords.decisions}>
      {decided.map((proposal) => (
        <li key={proposal.approval_id}>
          <b>{proposalWords(proposal, showPrice(shown.order))}</b>
          <div className="soft fine">
            {deskOrderWords.proposed(proposal.proposed_by)} <Moment at={proposal.proposed_at} />, {proposal.evidence};{' '}
            {deskOrderWords.decidedWords[proposal.state]}
            {proposal.confirmed_by !== null && ` ${deskOrderWords.by(proposal.confirmed_by)}`}
            {proposal.note !== null && `: ${proposal.note}`}
          </div>
        </li>
      ))}
    </ul>
  )
}
