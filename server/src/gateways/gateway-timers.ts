import { sql } from 'kysely'
import type { Logger } from 'pino'
import { matchAlarms } from '../notices/match-alarms.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { showMoment } from '../platform/texts-for-people.ts'
import type { OpenGateways } from './open-gateways.ts'

type TimerDeps = { readonly db: Db; readonly gateways: OpenGateways; readonly log: Logger }

/** One round asks about at most this many top-ups. */
const roundMax = 60
/** The most top-ups that are asked about at the same time. */
const atOnce = 6

const isTopUpDue = sql`exists (select from top_ups where next_ask_at <= now())`

/**
 * Asks about due top-ups, at most `roundMax` in a call, those that have been due longest first. Two workers that ask about
 * the same top-up do no harm: money moves once.
 */
export async function verifyDueTopUps({ db, gateways, log }: TimerDeps): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from top_ups where next_ask_at <= clock_timestamp() order by next_ask_at limit ${roundMax}`.execute(db)
  const due = [...rows]
  const work = async () => {
    for (let next = due.shift(); next; next = due.shift()) {
      const { id } = next
      await gateways.verifyNow(id).catch((error: unknown) => {
        log.warn({ err: error, topUp: id }, 'a top-up could not be verified; it will be tried again')
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

const silenceAlarm = 'gateway_silent'

/** A gateway that has not answered about a payment for this long needs a person. */
const silenceMinutes = 15

/**
 * Raises an alarm for each gateway that has not answered about an open top-up for `silenceMinutes`. The alarm is cleared
 * when the gateway has no such top-up any more.
 */
export async function watchSilentGateways({ db, log }: Pick<TimerDeps, 'db' | 'log'>): Promise<void> {
  const { rows } = await sql<{ way: string; count: number; since: Date }>`
    select way, count(*) as count, min(unanswered_since) as since from top_ups
    where next_ask_at is not null and state = 'pending'
      and unanswered_since < clock_timestamp() - make_interval(mins => ${silenceMinutes})
    group by way`.execute(db)
  const causes = rows.map(({ way, count, since }) => ({
    subject: way,
    message: `${way} has said nothing about ${count} top-up${count === 1 ? '' : 's'} since ${showMoment(since)}.`,
  }))
  await matchAlarms(db, log, silenceAlarm, causes)
}

/** Timers of a worker: it asks about open top-ups, and checks that gateways answer. */
export function gatewayTimers(deps: TimerDeps): Timer[] {
  return [
    { name: 'top-ups', everySeconds: 2, isExclusive: true, isDue: isTopUpDue, run: () => verifyDueTopUps(deps) },
    { name: 'silent gateways', everySeconds: 30, isExclusive: true, run: () => watchSilentGateways(deps) },
  ]
}
