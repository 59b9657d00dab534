import { sql } from 'kysely'
import type { Logger } from 'pino'
import { looseningWaitHours } from '../../guards/loosening.ts'
import type { ApprovalKind } from '../../platform/approvals/approval-kind.ts'
import { carryOutAlone } from '../../platform/approvals/decide-approval.ts'
import { roleGiverDays } from '../../platform/approvals/given-rights.ts'
import { deskUser } from '../../platform/approvals/two-people.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Timer } from '../../platform/housekeeping/run-timers.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { approvalPermissions } from '../permissions/approval-permissions.ts'
import { staffPermissions } from '../permissions/staff-permissions.ts'

type Waiting = { id: string; kind: string; proposed_by: string; proposed_person_id: string | null; proposed_os_user: string }

const isPending = sql`state = 'pending' and expires_at > clock_timestamp()`

/** Lists everybody who has one of these roles, or lost it in the last `roleGiverDays` days. */
async function listStaffWith(tx: Tx, roles: readonly string[]): Promise<{ person_id: string; email: string }[]> {
  const { rows } = await sql<{ person_id: string; email: string }>`
    select staff.person_id::text, persons.email from staff join persons on persons.id = staff.person_id
    where staff.role = any(${roles}::text[])
    union
    select person_id, email from ended_rights
    where role = any(${roles}::text[]) and ended_at > clock_timestamp() - make_interval(days => ${roleGiverDays})`.execute(tx)
  return rows
}

/**
 * Mails all owners, and persons who were owners in the last `roleGiverDays` days, once for each proposal. The wait counts from
 * then on.
 */
async function mailOwners(tx: Tx, approvalId: string): Promise<void> {
  const { rows } = await sql`
    insert into loosening_notices (approval_id) values (${approvalId}) on conflict do nothing returning approval_id`.execute(tx)
  if (rows.length === 0) return
  const emails = new Set((await listStaffWith(tx, ['owner'])).map(({ email }) => email))
  for (const email of emails) await queuePersonMail(tx, 'loosening', email, { approvalId })
}

/**
 * True when a person other than the proposer could confirm at the desk. Staff who lost such a role in the last `roleGiverDays`
 * days count, too: otherwise an owner could remove the other owner and wait. A proposer on the command line may be one of these
 * staff, so then there must be two of them.
 */
async function couldAnotherConfirm(tx: Tx, proposal: Waiting): Promise<boolean> {
  const permission = approvalPermissions[proposal.kind]
  if (permission === undefined) return true
  const able = await listStaffWith(tx, staffPermissions[permission])
  const isAtDesk = proposal.proposed_os_user.startsWith(deskUser(''))
  const others = able.filter(({ person_id: id, email }) => id !== proposal.proposed_person_id && email !== proposal.proposed_by)
  return new Set(others.map(({ person_id: id }) => id)).size > (isAtDesk ? 0 : 1)
}

const namesOf = (kinds: readonly ApprovalKind[]) => kinds.filter(({ isLoosening }) => isLoosening).map(({ name }) => name)

async function listPending(db: Db, kinds: readonly ApprovalKind[], condition = sql`true`): Promise<Waiting[]> {
  const names = namesOf(kinds)
  const { rows } = await sql<Waiting>`
    select id, kind, proposed_by, proposed_person_id, proposed_os_user from approvals
    where ${isPending} and kind = any(${names}::text[]) and ${condition} order by created_at`.execute(db)
  return rows
}

const hasNotice = sql`exists (select from loosening_notices where approval_id = approvals.id)`

/** How many hours a proposal waits: some kinds have a setting for it, all others wait `looseningWaitHours`. */
function hoursOf(kinds: readonly ApprovalKind[]) {
  const cases = kinds.flatMap(({ name, waitHours: own }) =>
    own
      ? [
          sql`when ${name} then coalesce((select value::integer from settings where name = ${own.name}), ${own.defaultValue}::integer)`,
        ]
      : [],
  )
  return cases.length === 0
    ? sql`${looseningWaitHours}::integer`
    : sql`case approvals.kind ${sql.join(cases, sql` `)} else ${looseningWaitHours}::integer end`
}

const isWaitOver = (kinds: readonly ApprovalKind[]) => sql`exists (
  select from loosening_notices where approval_id = approvals.id
    and notified_at <= clock_timestamp() - make_interval(hours => ${hoursOf(kinds)}))`

/**
 * Mails the owners about proposed loosenings. When its wait is over and there is no second person who could confirm it, a
 * proposal is carried out. If that fails, the others are still carried out.
 * @param logged the last warning about each proposal, by its id, so that the same one is not logged in every round
 */
export async function processLoosenings(
  db: Db,
  kinds: readonly ApprovalKind[],
  log: Pick<Logger, 'warn'>,
  logged = new Map<string, string>(),
): Promise<void> {
  for (const { id } of await listPending(db, kinds, sql`not ${hasNotice}`)) await inTransaction(db, (tx) => mailOwners(tx, id))
  for (const proposal of await listPending(db, kinds, isWaitOver(kinds))) {
    const kind = kinds.find(({ name }) => name === proposal.kind)
    if (!kind) continue
    try {
      await inTransaction(db, async (tx) => {
        if (!(await couldAnotherConfirm(tx, proposal))) await carryOutAlone(tx, kind, proposal.id)
      })
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error)
      if (logged.get(proposal.id) === cause) continue
      logged.set(proposal.id, cause)
      const isBug = !(error instanceof OperatorRequestError)
      log.warn({ approval: proposal.id, ...(isBug && { err: error }) }, `a loosening cannot take effect: ${cause}`)
    }
  }
}

export function looseningTimer(db: Db, kinds: readonly ApprovalKind[], log: Pick<Logger, 'warn'>): Timer {
  const names = namesOf(kinds)
  const logged = new Map<string, string>()
  return {
    name: 'loosenings',
    everySeconds: 5,
    isExclusive: true,
    isDue: sql`exists (select from approvals where ${isPending} and (kind = any(${names}::text[]) and not ${hasNotice} or ${isWaitOver(kinds)}))`,
    run: () => processLoosenings(db, kinds, log, logged),
  }
}
