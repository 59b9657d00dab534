import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { queueForAllAccounts } from '../webhooks/queue-webhook-events.ts'
import type { IncidentLevel } from './incidents.tables.ts'

/** A message that resellers see above their screens. */
export type Incident = {
  readonly incidentId: string
  readonly level: IncidentLevel
  readonly message: string
  readonly shownFrom: Date
  readonly shownUntil: Date | null
  readonly announcedBy: string
  readonly announcedAt: Date
  readonly endedBy: string | null
  readonly endedAt: Date | null
}

/** An incident without the names of staff, for anybody. `overAt` is null while the incident lasts. */
export type PublicIncident = Pick<Incident, 'incidentId' | 'level' | 'message' | 'shownFrom'> & { readonly overAt: Date | null }

/** At most this many incidents are listed for the public. Nobody reads more. */
const publicIncidentsMax = 50

export type NewIncident = {
  readonly level: IncidentLevel
  readonly message: string
  /** Left out: now. */
  readonly from?: Date | undefined
  /** Left out: until somebody ends it. */
  readonly until?: Date | undefined
  readonly actor: string
}

/** The message gives the reason why the incident cannot be announced or ended. */
export class IncidentError extends OperatorRequestError {
  override readonly name = 'IncidentError'
}

const columns = sql`
  id as "incidentId", level, message, shown_from as "shownFrom", shown_until as "shownUntil", announced_by as "announcedBy",
  announced_at as "announcedAt", ended_by as "endedBy", ended_at as "endedAt"`

/** Announces trouble or other news to resellers. @throws IncidentError when it would be over before anybody sees it */
export async function announceIncident(tx: Tx, incident: NewIncident): Promise<string> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)
  const now = rows[0]?.now ?? new Date()
  const { level, message, from = now, until, actor } = incident
  if (until !== undefined && until.getTime() <= Math.max(from.getTime(), now.getTime())) {
    throw new IncidentError('It would be over before anybody sees it: choose a later end.')
  }
  const id = newId()
  await tx
    .insertInto('incidents')
    .values({
      id,
      level,
      message: message.trim(),
      shown_from: from,
      shown_until: until ?? null,
      announced_by: actor,
      ended_by: null,
      ended_at: null,
    })
    .execute()
  const after = { level, message: message.trim(), from: from.toISOString(), until: until?.toISOString() ?? null }
  await appendOperatorLog(tx, { actor, action: 'incident announce', subject: id, details: { before: null, after } })
  await queueForAllAccounts(tx, { type: 'incident.opened', subject: id, data: { incident_id: id, ...after } })
  return id
}

/**
 * Ends an incident, so that it leaves the screens. An incident that has not begun is ended too.
 * @throws IncidentError when there is no such incident, or it is over already
 */
export async function endIncident(
  tx: Tx,
  { incidentId, actor }: { readonly incidentId: string; readonly actor: string },
): Promise<void> {
  const ended = await tx
    .updateTable('incidents')
    .set({ ended_by: actor, ended_at: sql`clock_timestamp()` })
    .where('id', '=', incidentId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('shown_until', 'is', null), where('shown_until', '>', sql<Date>`clock_timestamp()`)]))
    .returning('message')
    .executeTakeFirst()
  if (!ended) throw new IncidentError('This message is not shown any more.')
  const details = { message: ended.message, before: 'shown', after: 'ended' }
  await appendOperatorLog(tx, { actor, action: 'incident end', subject: incidentId, details })
  await queueForAllAccounts(tx, { type: 'incident.closed', subject: incidentId, data: { incident_id: incidentId } })
}

/** Lists the incidents that resellers see now, newest first. */
export async function listPresentIncidents(db: Db): Promise<readonly Incident[]> {
  const { rows } = await sql<Incident>`
    select ${columns} from incidents
    where ended_at is null and shown_from <= clock_timestamp() and (shown_until is null or shown_until > clock_timestamp())
    order by shown_from desc`.execute(db)
  return rows
}

/**
 * Lists for the public, newest first, the troubles and outages that have begun and still last, or ended in the last `days`
 * days.
 */
export async function listPublicIncidents(db: Db, days: number): Promise<readonly PublicIncident[]> {
  const { rows } = await sql<PublicIncident>`
    select id as "incidentId", level, message, shown_from as "shownFrom", least(ended_at, shown_until) as "overAt"
    from incidents
    where level <> 'news' and shown_from <= clock_timestamp() and coalesce(ended_at > shown_from, true)
      and coalesce(least(ended_at, shown_until) > clock_timestamp() - make_interval(days => ${days}), true)
    order by shown_from desc, id desc limit ${publicIncidentsMax}`.execute(db)
  const now = Date.now()
  return rows.map((row) => ({ ...row, overAt: row.overAt !== null && row.overAt.getTime() <= now ? row.overAt : null }))
}

/**
 * Lists a page of all incidents that were ever announced, newest first. `after` is the id of the last one on the page before.
 */
export async function listIncidents(
  db: Db,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<readonly Incident[]> {
  const { rows } = await sql<Incident>`
    select ${columns} from incidents
    where ${after ?? null}::uuid is null
      or (announced_at, id) < (select last.announced_at, last.id from incidents as last where last.id = ${after ?? null}::uuid)
    order by announced_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
