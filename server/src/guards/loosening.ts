import { sql } from 'kysely'
import Type, { type Static, type TSchema } from 'typebox'
import { raiseAlarms } from '../notices/raise-alarm.ts'
import { type ApprovalKind, type Change, defineApprovalKind } from '../platform/approvals/approval-kind.ts'
import { proposeApproval } from '../platform/approvals/propose-approval.ts'
import type { Person } from '../platform/approvals/two-people.ts'
import type { Tx } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'

/** True while no money has moved yet: there is nothing to guard, and whoever sets the installation up chooses its guards. */
export async function isBeingSetUp(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`select not exists (select from transfers) as is_empty`.execute(tx)
  return rows[0]?.is_empty ?? true
}

/** Describes what happens next to a proposal that loosens a guard of money or rights. */
export function describeLoosening(approvalId: string): string {
  return (
    `This loosens what guards money or rights, so a second person confirms it: \`makola approvals confirm ${approvalId} --by NAME\`. ` +
    'Where nobody else can, it takes effect 24 hours after the owners were told, while a worker runs.'
  )
}

/** If there is no second person, a proposal to loosen a guard takes effect without one after this many hours. */
export const looseningWaitHours = 24

export const looseningAlarm = 'loosening'

export type LooseningTerms = { readonly looseningId: string; readonly actor: string; readonly reason: string }

/** A change that loosens a guard of money or rights. */
export type LooseningAction<Request> = {
  /** The command that asks for it. */
  readonly name: string
  readonly schema: TSchema
  /** The subject of the line in the operator's log, such as the name of a setting. */
  subjectOf(request: Request): string
  /** Only one proposal with the same key can wait. Absent: the subject is the key. */
  keyOf?(request: Request): string
  describe(request: Request): string
  /** Locks the rows of the change, and describes it. @throws ApprovalRefusedError when it cannot be done */
  lockAndPreview(tx: Tx, request: Request): Promise<Change>
  do(tx: Tx, request: Request, terms: LooseningTerms): Promise<void>
}

/**
 * `done`: it is in force. `proposed`: a second person must confirm it; if there is none, it takes effect after 24 hours.
 * `same_waits`: an equal proposal waits already, so nothing new was proposed.
 */
export type LooseningResult =
  | { readonly state: 'done' }
  | { readonly state: 'proposed' | 'same_waits'; readonly approvalId: string }

export type LooseningRequest<Request> = { readonly request: Request; readonly reason: string; readonly person: Person }

/** A kind of loosening: its approval, and the one way to ask for it. */
export type Loosening<Request> = {
  readonly kind: ApprovalKind<Request>
  /**
   * Carries the request out at once while the installation is being set up. Later it proposes the request by
   * `proposeApproval`, and raises an alarm about a new proposal.
   * @throws ApprovalRefusedError when the request cannot be carried out
   */
  ask(tx: Tx, asked: LooseningRequest<Request>): Promise<LooseningResult>
  /** Records a right that its caller gave without `ask` while the installation was being set up. */
  recordGiven(tx: Tx, request: Request): Promise<void>
}

/**
 * Locks the proposal that waits about this subject. A confirmation locks the proposal and then the subject, so who locks the
 * subject before `ask` calls this first.
 */
export async function lockWaiting(tx: Tx, kind: { readonly name: string }, subject: string): Promise<void> {
  await sql`select from approvals where kind = ${kind.name} and key = ${subject} and state = 'pending' for update`.execute(tx)
}

/** Defines a kind of change that takes two people, because it loosens a guard of money or rights. */
export function defineLoosening<const S extends TSchema>(
  action: Omit<LooseningAction<Static<S>>, 'schema'> & { readonly schema: S },
): Loosening<Static<S>> {
  type Request = Static<S>
  async function write(tx: Tx, request: Request, approvalId: string | null): Promise<string> {
    const row = { id: newId(), kind: action.name, subject: action.subjectOf(request), value: JSON.stringify(request) }
    await tx
      .insertInto('loosenings')
      .values({ ...row, approval_id: approvalId })
      .execute()
    return row.id
  }
  async function carryOut(tx: Tx, request: Request, approvalId: string | null, by: Omit<LooseningTerms, 'looseningId'>) {
    const looseningId = await write(tx, request, approvalId)
    await action.do(tx, request, { ...by, looseningId })
    return looseningId
  }
  const alarm = (tx: Tx, request: Request, message: string) =>
    raiseAlarms(tx, [
      { name: looseningAlarm, subject: `${action.name} ${action.subjectOf(request)}`, about: action.describe(request), message },
    ])
  const kind = defineApprovalKind({
    name: action.name,
    schema: action.schema,
    isLoosening: true,
    describe: (request) => action.describe(request),
    lockAndPreview: (tx, request) => action.lockAndPreview(tx, request),
    async carryOut(tx, request, { approvalId, actor, reason }) {
      const looseningId = await carryOut(tx, request, approvalId, { actor, reason })
      await alarm(tx, request, `${actor} agreed to ${action.describe(request)}. It is in force.`)
      return { loosening_id: looseningId }
    },
  })
  return {
    kind,
    async recordGiven(tx, request) {
      await write(tx, request, null)
    },
    async ask(tx, { request, reason, person }) {
      if (await isBeingSetUp(tx)) {
        await action.lockAndPreview(tx, request)
        await carryOut(tx, request, null, { actor: person.by, reason })
        return { state: 'done' }
      }
      const subject = action.subjectOf(request)
      const { approvalId, status } = await proposeApproval(tx, {
        kind,
        subject,
        request,
        key: action.keyOf?.(request) ?? subject,
        reason,
        person,
        mayBeCorrected: true,
      })
      if (status === 'done') return { state: 'done' }
      if (status === 'pending') await alarm(tx, request, `${person.by} proposes to ${action.describe(request)}: ${reason}`)
      return { state: status === 'pending' ? 'proposed' : 'same_waits', approvalId }
    },
  }
}

/** The result of a change that may take two people. */
export const GuardedChange = Type.Object(
  {
    state: OneOf(['done', 'proposed', 'same_waits'], {
      description:
        '`done`: it is in force. `proposed`: a second person confirms it; where nobody else can, it takes effect 24 hours after the owners were told, for a lost second factor the hours of `lost_factor_wait_hours`. `same_waits`: a proposal about it waits already.',
    }),
    approvalId: Nullable(Uuid()),
  },
  { title: 'GuardedChange' },
)

export const viewLooseningResult = (loosened: LooseningResult) => ({
  state: loosened.state,
  approvalId: loosened.state === 'done' ? null : loosened.approvalId,
})
