import { Link } from 'wouter'
import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { inWords } from '../../both/in-words.ts'
import { Card } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { approvalStates, sentence, approvalWords as words } from '../words/approvals.ts'
import { permissionWords } from '../words/staff.ts'
import css from './approvals.module.css'
import { DecideProposal } from './decide-proposal.tsx'

type Approval = Schema<'ReadApproval'>

function whyNot({ is_yours: isYours, is_own_account: isOwnAccount, permission }: Approval): string {
  if (isYours) return words.yours
  if (isOwnAccount) return words.ownAccount
  return permission === null ? words.nobody : words.notYours(permissionWords[permission] ?? permission)
}

function Decision({ approval, onActed }: { readonly approval: Approval; readonly onActed: () => void }) {
  if (approval.status !== 'pending') return null
  return (
    <>
      {approval.why_not !== null && <Card tone="bad">{inWords(words.notAnyMore(approval.why_not))}</Card>}
      {!approval.may_confirm && <Card tone="gold">{whyNot(approval)}</Card>}
      <DecideProposal proposal={approval} onDone={onActed} />
    </>
  )
}

/** The heading above the values before and after: what the action did, what it would do now, or what was expected of it. */
function changeWords({ status, why_not }: Approval): string {
  if (status === 'done') return words.hasDone
  return status === 'pending' && why_not === null ? words.wouldDo : words.foreseen
}

function factsOf(approval: Approval) {
  const { account, decided_at: decidedAt } = approval
  return {
    [fieldWords.account]: account && <Link href={`/accounts/${account.account_id}`}>{`${account.name} · ${account.email}`}</Link>,
    [fieldWords.about]: account?.account_id === approval.subject ? null : inWords(approval.subject),
    [fieldWords.reason]: approval.reason,
    [words.proposedBy]: approval.proposed_by,
    [words.proposedAt]: <Moment at={approval.created_at} />,
    [fieldWords.until]: approval.status === 'pending' ? <Moment at={approval.expires_at} /> : null,
    [fieldWords.decidedBy]: approval.decided_by,
    [fieldWords.decided]: decidedAt && <Moment at={decidedAt} />,
    [words.note]: approval.decision_note,
  }
}

/** One proposal: its effect, the values before and after, its reason and proposer, and buttons for persons who may decide. */
export function ApprovalPanel({ id, onActed }: { readonly id: string; readonly onActed: () => void }) {
  const query = useRead('approvals', '/desk/api/approvals/{approval_id}', { approval_id: id })
  return (
    <QueryAnswer query={query}>
      {(approval) => (
        <Panel title={sentence(approval.what)} state={<StateOf {...approvalStates[approval.status]} />}>
          <div>
            <div className={css.caption}>{changeWords(approval)}</div>
            <BeforeAfter before={approval.before ?? '—'} after={approval.after ?? '—'} isBig />
          </div>
          <Decision approval={approval} onActed={onActed} />
          <Facts label={words.facts} facts={factsOf(approval)} />
        </Panel>
      )}
    </QueryAnswer>
  )
}
