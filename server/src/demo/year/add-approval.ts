import type { DemoHistory } from './demo-history.ts'

type DemoApproval = {
  readonly at: number
  readonly kind: string
  /** The key of the approval. Left out: the approval's id. */
  readonly key?: string
  readonly subject: string
  readonly request: object
  readonly reason: string
  readonly before?: string
  readonly after?: string
  readonly state?: 'done' | 'refused' | 'pending'
}

const pairs = [
  ['ama', 'kofi'],
  ['kofi', 'esi'],
  ['esi', 'ama'],
] as const

/**
 * Writes a proposal of one person and, unless it is pending, the decision of another person at `at`. The proposal was made up
 * to two hours before `at`.
 */
export function addApproval(history: DemoHistory, agreement: DemoApproval): { readonly id: string; readonly actor: string } {
  const { chance } = history
  const { at, kind, subject, request, reason, before = null, after = null, state = 'done' } = agreement
  const [proposedBy, decidedBy] = chance.pick(pairs)
  const proposedAt = at - chance.between(2, 120) * 60_000
  const id = chance.idAt(proposedAt)
  const isDecided = state !== 'pending'
  history.add('approvals', {
    id,
    kind,
    key: agreement.key ?? id,
    subject,
    request: JSON.stringify(request),
    reason,
    before,
    after,
    state,
    proposed_by: proposedBy,
    proposed_os_user: proposedBy,
    created_at: new Date(proposedAt),
    expires_at: new Date(proposedAt + 7 * 86_400_000),
    decided_by: isDecided ? decidedBy : null,
    decided_os_user: isDecided ? decidedBy : null,
    decided_at: isDecided ? new Date(at) : null,
  })
  const details = { approval_id: id, reason, before, after }
  history.log({ at: proposedAt, actor: proposedBy, action: `${kind} propose`, subject, details })
  if (isDecided) {
    const action = `${kind} ${state === 'done' ? 'confirm' : 'refuse'}`
    history.log({ at, actor: decidedBy, action, subject, details })
  }
  return { id, actor: `${proposedBy} and ${decidedBy}` }
}
