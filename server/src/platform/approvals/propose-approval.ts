import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/database.ts'
import { newId } from '../database/new-id.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { answerAgain, storeAnswer } from './answer-again.ts'
import { type ApprovalKind, ApprovalRefusedError } from './approval-kind.ts'
import { carryOut, expireApprovals, lockPending, writeRefusal } from './decide-approval.ts'
import { isDeskUser, isProposer, type Person } from './two-people.ts'

export type Proposal<Request> = {
  readonly kind: ApprovalKind<Request>
  /** The proposal's subject in the operator's log. */
  readonly subject: string
  readonly request: Request
  /** While they wait, proposals of a kind with the same key are one proposal. Left out: the request itself is the key. */
  readonly key?: string
  readonly reason: string
  readonly person: Person
  /** The page's reference. A repeat of this proposal under the same reference gets the first answer, also after the decision. */
  readonly reference?: string | undefined
  /** True: a new request or reason of the same person replaces their earlier one. */
  readonly mayBeCorrected?: true
  /** True: an equal proposal may wait beside it, because two real mistakes can have the same amount. */
  readonly isAnother?: boolean | undefined
}

/**
 * Somebody proposed under the same key at the same moment. Nothing was changed. A second try finds that proposal and can
 * confirm it.
 */
export class ProposedMeanwhileError extends ApprovalRefusedError {}

/**
 * `pending`: the proposal waits for a second person. `done`: this person was the second, and the proposal has been carried out.
 * `same_waits`: an equal proposal, `approvalId`, waits already; nothing was done.
 */
export type Proposed = { readonly approvalId: string; readonly status: 'pending' | 'done' | 'same_waits' }

/**
 * Proposes an action that takes two people. If the same person proposes it again, it stays one proposal. On the command line,
 * the same proposal by another person confirms the first one, which is carried out in this transaction. At the desk a proposal
 * is confirmed by its id alone, because the second person may mean another one that happens to be equal: there the answer is
 * `same_waits`.
 * @throws ApprovalRefusedError when it could not be done even by two people, when a different proposal waits under the same
 * key, or when the reference came with another request before
 */
export async function proposeApproval<Request>(tx: Tx, proposal: Proposal<Request>): Promise<Proposed> {
  const { reference, kind, isAnother: _isAnother, ...about } = proposal
  if (reference === undefined) return proposeAnew(tx, proposal)
  const pageRequest = { ...about, kind: kind.name }
  const answered = await answerAgain(tx, reference, pageRequest)
  if (answered) return answered
  const proposed = await proposeAnew(tx, proposal)
  // The page asks the person about the equal proposal, and may send the same request again with `isAnother`.
  if (proposed.status !== 'same_waits') await storeAnswer(tx, reference, pageRequest, { ...proposed, status: proposed.status })
  return proposed
}

/** Two proposals are the same when these parts of them are equal. */
type Sameness = { readonly kind: { readonly name: string }; readonly request: unknown; readonly key?: string }

const keyOf = ({ key, request }: Sameness): string => key ?? createHash('sha256').update(JSON.stringify(request)).digest('hex')

/** True when the same proposal waits already. Then even a person who could do it alone confirms the proposal instead. */
export async function isProposed(tx: Tx, proposal: Sameness): Promise<boolean> {
  const waiting = await tx
    .selectFrom('approvals')
    .select('id')
    .where('kind', '=', proposal.kind.name)
    .where('key', '=', keyOf(proposal))
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return waiting !== undefined
}

async function proposeAnew<Request>(tx: Tx, proposal: Proposal<Request>): Promise<Proposed> {
  const { kind, subject, request, reason, person, mayBeCorrected = false, isAnother = false } = proposal
  const id = newId()
  const key = isAnother ? `${keyOf(proposal)} ${id}` : keyOf(proposal)
  await expireApprovals(tx)
  const isKeyed = proposal.key !== undefined
  const waiting = await handleSameProposal(tx, kind, { key, isKeyed, request, reason, person, mayBeCorrected })
  if (waiting) return waiting
  const { before, after } = await kind.lockAndPreview(tx, request)
  const written = await tx
    .insertInto('approvals')
    .values({
      id,
      kind: kind.name,
      key,
      subject,
      request: JSON.stringify(request),
      reason,
      before,
      after,
      proposed_by: person.by,
      proposed_os_user: person.osUser,
      proposed_person_id: person.personId ?? null,
      proposed_user_named: person.isUserNamed ?? false,
      decided_by: null,
      decided_os_user: null,
      decided_person_id: null,
      decided_at: null,
      decision_note: null,
    })
    // The state is in the text of the statement. If it were a parameter, PostgreSQL could not find the partial index.
    .onConflict((conflict) => conflict.columns(['kind', 'key']).where(sql<boolean>`state = 'pending'`).doNothing())
    .returning('id')
    .executeTakeFirst()
  // The other proposal is not read again here: this transaction holds locks that the other one may wait for.
  if (!written) {
    throw new ProposedMeanwhileError('Somebody proposed the same at this moment.', { command: 'See `makola approvals list`.' })
  }
  await appendOperatorLog(tx, {
    actor: person.by,
    action: `${kind.name} propose`,
    subject,
    details: { approval_id: written.id, what: kind.describe(request), reason, before, after },
  })
  return { approvalId: written.id, status: 'pending' }
}

/** A person's request to propose. Another proposal may already wait under the same key. */
type ProposalRequest = {
  readonly key: string
  /** True when the key names one thing that happens once, such as an order, a transfer or a receipt. */
  readonly isKeyed: boolean
  readonly request: unknown
  readonly reason: string
  readonly person: Person
  readonly mayBeCorrected: boolean
}

/**
 * Looks for a waiting proposal with this key. The same request by a second person carries it out (`done`), and by the first
 * person changes nothing (`pending`). At the desk the answer is `same_waits` instead: the person must confirm that proposal or
 * make another one. Only the first person of a keyed proposal gets `pending` there too.
 * @returns undefined when no proposal waits, or when its own proposer changed it, so that the old one was refused
 * @throws ApprovalRefusedError when a different proposal waits under this key, or when it cannot be done any more
 */
async function handleSameProposal(
  tx: Tx,
  kind: ApprovalKind,
  { key, isKeyed, request, reason, person, mayBeCorrected }: ProposalRequest,
): Promise<Proposed | undefined> {
  const { rows } = await sql<{ id: string; is_same: boolean }>`
    select id, request = ${JSON.stringify(request)}::jsonb as is_same from approvals
    where kind = ${kind.name} and key = ${key} and state = 'pending' for update`.execute(tx)
  const [found] = rows
  if (!found) return undefined
  const row = await lockPending(tx, found.id)
  const isOwn = isProposer(row, person)
  if (isOwn && mayBeCorrected && !(found.is_same && row.reason === reason)) {
    await writeRefusal(tx, row, person, 'replaced by another proposal of the same person')
    return undefined
  }
  if (!found.is_same) {
    throw new ApprovalRefusedError(
      `${row.proposed_by} proposed something else, to ${kind.describe(row.request)}: agree on one, or refuse proposal ${row.id} first.`,
    )
  }
  if (isDeskUser(person.osUser) && !(isOwn && isKeyed)) return { approvalId: row.id, status: 'same_waits' }
  if (isOwn) {
    // The proposal goes on waiting. `lockAndPreview` throws if it can no longer be done.
    await kind.lockAndPreview(tx, row.request)
    return { approvalId: row.id, status: 'pending' }
  }
  await carryOut(tx, row, kind, { person, note: reason === '' || reason === row.reason ? null : reason })
  return { approvalId: row.id, status: 'done' }
}

/** Tells the second person which proposal they have confirmed by proposing the same. */
export async function describeConfirmed(db: Db, approvalId: string): Promise<string> {
  const {
    proposed_by: by,
    created_at: at,
    reason,
  } = await db
    .selectFrom('approvals')
    .select(['proposed_by', 'created_at', 'reason'])
    .where('id', '=', approvalId)
    .executeTakeFirstOrThrow()
  return `Two people said it: this confirmed proposal ${approvalId} of ${by} from ${at.toISOString()}${reason === '' ? '' : ` (${reason})`}.`
}
