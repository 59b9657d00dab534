import { type Selectable, sql } from 'kysely'
import Value from 'typebox/value'
import type { Tables, Tx } from '../database/database.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { showMoment } from '../texts-for-people.ts'
import { type ApprovalKind, ApprovalRefusedError, type Change } from './approval-kind.ts'
import { refuseInvited } from './given-rights.ts'
import { isProposer, type Person, refuseOneUser } from './two-people.ts'

export type ApprovalRow = Selectable<Tables['approvals']>

export async function expireApprovals(tx: Tx): Promise<void> {
  // Rows that another transaction is deciding at this moment are skipped.
  await sql`
    update approvals set state = 'expired', decided_at = now()
    where id in (select id from approvals where state = 'pending' and expires_at <= now() for update skip locked)`.execute(tx)
}

export async function lockPending(tx: Tx, approvalId: string): Promise<ApprovalRow> {
  await expireApprovals(tx)
  const row = await tx.selectFrom('approvals').selectAll().where('id', '=', approvalId).forUpdate().executeTakeFirst()
  if (!row) {
    const command = '`makola approvals list` shows those that wait.'
    throw new ApprovalRefusedError(`There is no proposal ${approvalId}.`, { command })
  }
  if (row.state === 'pending') return row
  const end = { done: 'was confirmed', refused: 'was refused', expired: 'expired' }[row.state]
  const by = row.decided_by === null ? '' : ` by ${row.decided_by}`
  throw new ApprovalRefusedError(
    `Proposal ${approvalId} ${end}${by} already, at ${row.decided_at ? showMoment(row.decided_at) : ''}.`,
  )
}

async function writeDecision(
  tx: Tx,
  row: ApprovalRow,
  decision: { state: 'done' | 'refused'; person: Person; note: string | null },
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({
      state: decision.state,
      decided_by: decision.person.by,
      decided_os_user: decision.person.osUser,
      decided_person_id: decision.person.personId ?? null,
      decided_user_named: decision.person.isUserNamed ?? false,
      decided_at: sql<Date>`clock_timestamp()`,
      decision_note: decision.note,
    })
    .where('id', '=', row.id)
    .execute()
}

export type Confirmation = { readonly approvalId: string; readonly kind: string; readonly what: string; readonly change: Change }

export async function carryOut(
  tx: Tx,
  row: ApprovalRow,
  kind: ApprovalKind,
  { person, note }: { person: Person; note: string | null },
): Promise<Confirmation> {
  if (isProposer(row, person)) throw new ApprovalRefusedError(`${row.proposed_by} proposed it: a second person confirms.`)
  const why =
    (await refuseOneUser(tx, { osUser: row.proposed_os_user }, person, kind)) ??
    (await refuseInvited(tx, { by: row.proposed_by, osUser: row.proposed_os_user, personId: row.proposed_person_id }, person))
  if (why !== undefined) throw new ApprovalRefusedError(why)
  return complete(tx, row, kind, { person, note })
}

async function complete(
  tx: Tx,
  row: ApprovalRow,
  kind: ApprovalKind,
  { person, note }: { person: Person; note: string | null },
): Promise<Confirmation> {
  const { request } = row
  if (!Value.Check(kind.schema, request)) throw new Error(`proposal ${row.id} does not hold a request of "${kind.name}"`)
  const change = await kind.lockAndPreview(tx, request)
  // The confirmation is written first, because the rows written after it refer to a confirmed proposal.
  await writeDecision(tx, row, { state: 'done', person, note })
  const actor = `${row.proposed_by} and ${person.by}`
  const details = await kind.carryOut(tx, request, { approvalId: row.id, reason: row.reason, note, actor })
  await appendOperatorLog(tx, {
    actor: person.by,
    action: `${row.kind} confirm`,
    subject: row.subject,
    details: {
      approval_id: row.id,
      proposed_by: row.proposed_by,
      proposed_os_user: row.proposed_os_user,
      // Root can write any name into SUDO_USER, so the log shows the source of the name.
      ...(person.isUserNamed && { os_user_named_in: 'SUDO_USER' }),
      ...(note === null ? {} : { note }),
      ...change,
      ...details,
    },
  })
  return { approvalId: row.id, kind: row.kind, what: kind.describe(request), change }
}

/**
 * Confirms a proposal and carries it out, all in this transaction.
 * @param decision.note the second person's own words
 * @throws ApprovalRefusedError when it no longer waits, when this person may not confirm it, or when it can no longer be done
 */
export async function confirmApproval(
  tx: Tx,
  kinds: readonly ApprovalKind[],
  decision: { readonly approvalId: string; readonly person: Person; readonly note?: string | undefined },
): Promise<Confirmation> {
  const row = await lockPending(tx, decision.approvalId)
  const kind = kinds.find(({ name }) => name === row.kind)
  if (!kind) throw new ApprovalRefusedError(`Proposal ${row.id} is of the kind "${row.kind}", which this version does not know.`)
  return carryOut(tx, row, kind, { person: decision.person, note: decision.note ?? null })
}

/** The actor of a loosening that nobody else could confirm. */
const itself: Person = { by: 'worker', osUser: 'worker' }

/**
 * Carries out a loosening that nobody else could confirm, after its wait.
 * @throws ApprovalRefusedError when it cannot be done any more
 */
export async function carryOutAlone(tx: Tx, kind: ApprovalKind, approvalId: string): Promise<void> {
  const row = await lockPending(tx, approvalId)
  await complete(tx, row, kind, {
    person: itself,
    note: 'Nobody else could confirm it, and the wait after the owners were told is over.',
  })
}

/**
 * Refuses a proposal. The proposer may do so too, to withdraw it.
 * @throws ApprovalRefusedError when it is absent, decided or expired
 */
export async function refuseApproval(
  tx: Tx,
  decision: { readonly approvalId: string; readonly person: Person; readonly note: string | undefined },
): Promise<void> {
  const row = await lockPending(tx, decision.approvalId)
  await writeRefusal(tx, row, decision.person, decision.note ?? null)
}

export async function writeRefusal(tx: Tx, row: ApprovalRow, person: Person, note: string | null): Promise<void> {
  await writeDecision(tx, row, { state: 'refused', person, note })
  await appendOperatorLog(tx, {
    actor: person.by,
    action: `${row.kind} refuse`,
    subject: row.subject,
    details: { approval_id: row.id, proposed_by: row.proposed_by, reason: note },
  })
}
