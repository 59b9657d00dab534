import { sql } from 'kysely'
import { readAccount } from '../../accounts/find-account.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import type { SignedInPerson } from '../find-person.ts'

/** A view of an account ends by itself after this time. */
export const viewMinutes = 15

/** Why a view ended, in the words of the operator's log. */
type EndOfView = 'ended by the person' | 'another view began' | 'its time was over' | 'its session ended'

type EndedView = { account_id: string; started_at: Date; ends_at: Date; actor: string }

async function logViewEnd(tx: Tx, view: EndedView, how: EndOfView): Promise<void> {
  await appendOperatorLog(tx, {
    actor: view.actor,
    action: 'account view-end',
    subject: view.account_id,
    details: { how, started_at: view.started_at.toISOString(), until: view.ends_at.toISOString() },
  })
}

async function endViewOf(tx: Tx, sessionId: string, how: EndOfView): Promise<EndedView | undefined> {
  const { rows } = await sql<EndedView>`
    delete from account_views as view using persons as person
    where view.session_id = ${sessionId} and person.id = view.person_id
    returning view.account_id, view.started_at, view.ends_at, person.email as actor`.execute(tx)
  const [ended] = rows
  if (ended) await logViewEnd(tx, ended, how)
  return ended
}

/**
 * Lets one session of a staff member see the app as an account's reseller sees it, for `viewMinutes`. `checkPersons` refuses
 * every change meanwhile. An earlier view of this session ends first.
 *
 * @param view.reason why, for the operator's log
 * @throws AccountError when there is no such account
 */
export async function startView(
  tx: Tx,
  view: { readonly viewer: SignedInPerson; readonly accountId: string; readonly reason: string },
): Promise<{ endsAt: Date }> {
  const { viewer, reason } = view
  const { accountId } = await readAccount(tx, view.accountId)
  // With this lock, two requests of the session at the same moment are handled one after the other.
  await tx.selectFrom('person_sessions').select('id').where('id', '=', viewer.sessionId).forUpdate().execute()
  await endViewOf(tx, viewer.sessionId, 'another view began')
  const { rows } = await sql<{ ends_at: Date }>`
    insert into account_views (session_id, person_id, account_id, ends_at)
    values (${viewer.sessionId}, ${viewer.personId}, ${accountId}, clock_timestamp() + make_interval(mins => ${viewMinutes}))
    returning ends_at`.execute(tx)
  const endsAt = rows[0]?.ends_at
  if (!endsAt) throw new Error('a view was not written')
  const details = { reason, until: endsAt.toISOString() }
  await appendOperatorLog(tx, { actor: viewer.email, action: 'account view', subject: accountId, details })
  return { endsAt }
}

/** @returns the viewed account; undefined when the session had no view */
export async function endView(db: Db, { sessionId }: Pick<SignedInPerson, 'sessionId'>): Promise<string | undefined> {
  const ended = await inTransaction(db, (tx) => endViewOf(tx, sessionId, 'ended by the person'))
  return ended?.account_id
}

/** Ends the views whose time or session is over, and writes the end of each to the operator's log. */
export async function endViewsThatAreOver(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<EndedView & { is_time_over: boolean }>`
      delete from account_views as view using persons as person
      where person.id = view.person_id and (
        view.ends_at <= clock_timestamp()
        or not exists (
          select from person_sessions as session where session.id = view.session_id and session.expires_at > clock_timestamp()))
      returning view.account_id, view.started_at, view.ends_at, person.email as actor,
        view.ends_at <= clock_timestamp() as is_time_over`.execute(tx)
    for (const view of rows) await logViewEnd(tx, view, view.is_time_over ? 'its time was over' : 'its session ended')
  })
}
