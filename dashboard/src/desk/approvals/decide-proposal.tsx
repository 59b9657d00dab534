import { post, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { inWords } from '../../both/in-words.ts'
import type { Topic } from '../frame/live.ts'
import look from '../frame/look.module.css'
import { sentence, approvalWords as words } from '../words/approvals.ts'

/** A proposal as any endpoint returns it, with the rights of the signed-in person. */
type Proposal = Pick<
  Schema<'WaitingProposal'>,
  'approval_id' | 'what' | 'reason' | 'before' | 'after' | 'is_yours' | 'may_confirm' | 'may_refuse'
>

type Props = { readonly proposal: Proposal; readonly onDone?: (() => void) | undefined }

/** The topics that a decision may have changed. Queries of them are read again. */
const topics: readonly Topic[] = ['approvals', 'accounts', 'orders', 'top-ups', 'vouchers', 'today']

/** Confirms a proposal, which is then done at once. */
export function ConfirmProposal({ proposal, label = fieldWords.confirm, onDone }: Props & { readonly label?: string }) {
  const { approval_id, what, reason, before, after } = proposal
  return (
    <Act
      label={label}
      question={words.confirmQuestion}
      button={{ variant: 'filled' }}
      run={() => post('/desk/api/approvals/{approval_id}/confirm', { approval_id })}
      topics={topics}
      onDone={onDone}
    >
      <p>{sentence(what)}.</p>
      <p>
        <b>{inWords(`${before ?? '—'} → ${after ?? '—'}`)}</b>
      </p>
      {reason && <q>{inWords(reason)}</q>}
    </Act>
  )
}

/** Buttons to confirm and to refuse a proposal. Shows only those that the server allows this person. */
export function DecideProposal({ proposal, onDone }: Props) {
  const { approval_id, what, is_yours: isYours, may_confirm: mayConfirm, may_refuse: mayRefuse } = proposal
  return (
    <div className={look.acts}>
      {mayConfirm && <ConfirmProposal proposal={proposal} onDone={onDone} />}
      {mayRefuse && (
        <Act
          label={isYours ? fieldWords.withdraw : fieldWords.refuse}
          question={isYours ? words.withdrawQuestion : words.refuseQuestion}
          reason="needed"
          run={(reason) => post('/desk/api/approvals/{approval_id}/refuse', { approval_id, reason })}
          topics={topics}
          onDone={onDone}
        >
          <p>{sentence(what)}.</p>
          <p>{words.refuseLead}</p>
        </Act>
      )}
    </div>
  )
}
