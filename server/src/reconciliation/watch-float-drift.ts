import { sql } from 'kysely'
import type { Logger } from 'pino'
import { formatGhs, pesewas, pesewasFromGhs } from '../money/pesewas.ts'
import { type AlarmCause, matchAlarms } from '../notices/match-alarms.ts'
import type { Db } from '../platform/database/database.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { compareFloats, daysBetween, type FloatDay } from './compare-floats.ts'
import { floatDriftTolerance } from './reconciliation.settings.ts'

const driftAlarm = 'float_drift'

const dayMilliseconds = 24 * 3_600_000

function describeDrift(supplier: string, { day, drift, opening, closing, costs, refunds, topUps }: FloatDay): string {
  const amount = formatGhs(pesewas(Math.abs(drift)))
  const way = drift < 0 ? `${amount} less` : `${amount} more`
  const read = opening && closing ? `${formatGhs(opening.floatPesewas)} became ${formatGhs(closing.floatPesewas)}` : ''
  const expected = `orders ${formatGhs(costs)}, refunds ${formatGhs(refunds)}, top-ups ${formatGhs(topUps)}`
  return `The float at ${supplier} holds ${way} than expected of ${day}: ${read}, with ${expected}.`
}

/**
 * Raises an alarm for each supplier and day (yesterday and today) whose float differs from our books by more than the tolerance.
 * Clears it when the difference is explained, for example by a top-up that was recorded late. Older days are left to a person.
 */
export async function watchFloatDrift(
  db: Db,
  settings: Pick<Settings, 'read'>,
  log: Pick<Logger, 'error' | 'info'>,
): Promise<void> {
  const tolerance = pesewasFromGhs(await settings.read(floatDriftTolerance)) ?? 0
  const { rows } = await sql<{ supplier: string; now: Date }>`
    select distinct supplier, clock_timestamp() as now from supplier_float_reads
    where read_at > clock_timestamp() - interval '2 days'`.execute(db)
  const causes: AlarmCause[] = []
  const examined: string[] = []
  for (const supplier of new Set(rows.map((row) => row.supplier))) {
    const now = rows[0]?.now ?? new Date()
    const days = daysBetween(new Date(now.getTime() - dayMilliseconds), now)
    for (const compared of await compareFloats(db, supplier, days)) {
      const subject = `${supplier} ${compared.day}`
      examined.push(subject)
      if (Math.abs(compared.drift) <= tolerance) continue
      const command = `See \`makola reconcile float --supplier ${supplier}\`.`
      causes.push({ subject, message: describeDrift(supplier, compared), command })
    }
  }
  await matchAlarms(db, log, driftAlarm, causes, examined)
}
