import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db, Tx } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { BackgroundShare } from '../housekeeping/background-share.ts'
import type { Timer } from '../housekeeping/run-timers.ts'

/** The most rows that a step looks at. Its transaction takes some milliseconds. */
export const rowsPerStep = 300

export type ForgettingStep = {
  /** How many rows were forgotten. */
  readonly count: number
  /**
   * The last row that was looked at; the next step begins after it. Left out: the next step finds the remaining rows without
   * it.
   */
  readonly through?: string | undefined
  /** True when the next step may find more rows that are old enough. */
  readonly isMore: boolean
}

/** One kind of personal data that is forgotten when it is old. */
export type Forgetting = {
  /** Names the data in the log and in the table of the progress. Never changed after a release. */
  readonly name: string
  /** Forgets at most `rowsPerStep` rows. `after` is the `through` of the step before; '' at first. */
  readonly step: (tx: Tx, after: string) => Promise<ForgettingStep>
}

/** `after` as an id. In the first step it is the smallest id. */
export const idAfter = (after: string) => sql`${after || '00000000-0000-0000-0000-000000000000'}::uuid`

/**
 * The first id that is too young: rows with smaller ids are at least this old. Another process makes an id a moment before its
 * row, by its own clock, so a day is added to the age.
 */
export async function firstIdOfAge(tx: Tx, age: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ id: string }>`select first_id_at(clock_timestamp() - ${age} - interval '1 day') as id`.execute(tx)
  return rows[0]?.id ?? ''
}

export const ofDays = (count: number) => sql`make_interval(days => ${count})`
export const ofMonths = (count: number) => sql`make_interval(months => ${count})`

/** Does a step and saves its progress in one transaction. Does nothing while another worker does a step for the same data. */
function takeStep(db: Db, { name, step }: Forgetting): Promise<ForgettingStep> {
  return inTransaction(db, async (tx) => {
    await sql`insert into forgetting_progress (name, through) values (${name}, '') on conflict do nothing`.execute(tx)
    const { rows } = await sql<{ through: string }>`
      select through from forgetting_progress where name = ${name} for update skip locked`.execute(tx)
    const [progress] = rows
    if (!progress) return { count: 0, isMore: false }
    const taken = await step(tx, progress.through)
    if (taken.through !== undefined && taken.through !== progress.through) {
      await sql`update forgetting_progress set through = ${taken.through} where name = ${name}`.execute(tx)
    }
    return taken
  })
}

type ForgettingDeps = { readonly db: Db; readonly log: Pick<Logger, 'info' | 'warn'>; readonly share: BackgroundShare }

/**
 * Forgets everything that is old enough, a few hundred rows at a time. It may be broken off at any point and run by several
 * workers. The log gets the counts, never the data.
 */
export async function forgetOldData({ db, log, share }: ForgettingDeps, forgettings: readonly Forgetting[]): Promise<void> {
  const failures: unknown[] = []
  for (const forgetting of forgettings) {
    let count = 0
    try {
      for (let isMore = true; isMore; ) {
        const step = await share.piece(() => takeStep(db, forgetting))
        count += step.count
        isMore = step.isMore
      }
    } catch (error) {
      // The other kinds do not wait for this one.
      failures.push(error)
    } finally {
      if (count > 0) log.info({ data: forgetting.name, count }, 'old personal data was forgotten')
    }
  }
  if (failures.length > 0) throw failures[0]
}

export function forgettingTimer(deps: ForgettingDeps, forgettings: readonly Forgetting[]): Timer {
  return {
    name: 'forgetting',
    everySeconds: 600,
    isExclusive: true,
    isBackground: true,
    run: () => forgetOldData(deps, forgettings),
  }
}
