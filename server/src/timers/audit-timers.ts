import type { Logger } from 'pino'
import { openAuditBook } from '../all-audit-checks.ts'
import { type AuditCheck, runAudit } from '../money/audit.ts'
import { matchAlarms } from '../notices/match-alarms.ts'
import type { Db } from '../platform/database/database.ts'
import type { BackgroundShare } from '../platform/housekeeping/background-share.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'

/** The hour of the day, in Accra, of the full audit. */
const fullAuditHour = 2

const auditAlarm = 'audit'

export type AuditWork = {
  readonly db: Db
  readonly log: Pick<Logger, 'error' | 'info'>
  /** The connection of the audit, whose statements may take minutes. */
  readonly auditDb: Db
  readonly share: BackgroundShare
  readonly checks: readonly AuditCheck[]
  readonly secretsKeys: SecretsKeys
}

/**
 * Runs the audit, and raises an alarm for each broken rule. If the audit looked only at the last days, or the proof that it
 * rests on was withdrawn meanwhile, it clears no alarm, because the cause may be older.
 */
export async function auditAndRaise({ db, log, auditDb, share, checks, secretsKeys }: AuditWork, isFull: boolean): Promise<void> {
  const book = openAuditBook(auditDb, secretsKeys, checks)
  const isProven = async () => (await book.read()).proof !== undefined
  const wasProven = isFull || (await isProven())
  const report = await runAudit(auditDb, checks, { isFull, book, share })
  const causes = Object.entries(report.checks)
    .filter(([, count]) => count > 0)
    .map(([check, count]) => ({
      subject: check,
      message: `The audit found ${count} bad row${count === 1 ? '' : 's'}: ${check}.`,
      command: 'Run `makola audit --full`.',
    }))
  const mayClear = isFull || (wasProven && (await isProven()))
  await matchAlarms(db, log, auditAlarm, causes, mayClear ? Object.keys(report.checks) : [])
}

const startOfMonth = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))

/**
 * The full audit is due at night: once in each month, even for what was proven before, and while nothing is proven. A night in
 * which no worker ran, or the audit failed, is made up for in the next one.
 */
export async function auditAtNight(work: AuditWork, now: Date): Promise<void> {
  if (now.getUTCHours() !== fullAuditHour) return
  const { proof } = await openAuditBook(work.auditDb, work.secretsKeys, work.checks).read()
  if (proof === undefined || proof.everythingAt < startOfMonth(now)) await auditAndRaise(work, true)
}

/** Every five minutes, audits what is new since the last proof. At night, when the full audit is due, audits everything. */
export function auditTimers(work: AuditWork): Timer[] {
  return [
    { name: 'audit', everySeconds: 300, isExclusive: true, isBackground: true, run: () => auditAndRaise(work, false) },
    {
      name: 'full audit',
      everySeconds: 3_600,
      isExclusive: true,
      isBackground: true,
      run: () => auditAtNight(work, new Date()),
    },
  ]
}
