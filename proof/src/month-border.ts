import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'

/** The month ends so many seconds after a run was started: an installation is ready by then, also on a busy machine. */
const secondsBefore = 150

/** Less would not show that orders were sold in the old month. */
const secondsLeastBefore = 5

const hook = new URL('./faults/lend-clock.ts', import.meta.url).href

/** Where libfaketime is on Debian and Ubuntu, on Fedora, and where its own `make install` puts it. */
export const clockLibraries = ['x86_64-linux-gnu/', 'aarch64-linux-gnu/', '../lib64/', '../local/lib/'].map(
  (folder) => `/usr/lib/${folder}faketime/libfaketimeMT.so.1`,
)

/**
 * The variables that move the clock of a program and of all that it starts: it runs at its ordinary speed, and soon over the end of
 * a month of UTC. The monotonic clock and the times of files stay.
 *
 * @param library the path of libfaketime
 * @param now milliseconds since 1970
 */
export function moveClock(library: string, now: number): Record<string, string> {
  const earliest = new Date(now + secondsBefore * 1_000)
  const border = Date.UTC(earliest.getUTCFullYear(), earliest.getUTCMonth() + 1)
  return {
    LD_PRELOAD: library,
    FAKETIME: `+${(border - earliest.getTime()) / 1_000}`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Its lock for the times of files would stay locked when a process is killed that holds it.
    NO_FAKE_STAT: '1',
    NODE_OPTIONS: `--import=${hook}`,
    PROOF_MONTH_BORDER: new Date(border).toISOString(),
  }
}

/** Removes the shared memory that libfaketime leaves behind, a page or two for each killed process. */
export function clearRemains(): void {
  for (const name of readdirSync('/dev/shm')) {
    const pid = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join('/dev/shm', name), { force: true })
  }
}

/** The moment at which the month ends in this run; undefined when the clock was not moved. */
function findBorder(): Date | undefined {
  const text = process.env['PROOF_MONTH_BORDER']
  return text === undefined ? undefined : new Date(text)
}

/**
 * Waits until the month ends in so many seconds. Returns at once when they are fewer, or when the clock was not moved.
 * @throws when it is too late to sell before the month ends
 */
export async function untilMonthEnds(seconds: number): Promise<void> {
  const border = findBorder()
  if (border === undefined) return
  const left = (border.getTime() - Date.now()) / 1_000
  if (left < secondsLeastBefore) throw new Error('the installation started too slowly to sell before the month ended: try again')
  await sleep(Math.max(0, left - seconds) * 1_000)
}

/** The tables in which every delivered order leaves rows. */
const tables = ['orders', 'transfers', 'order_events', 'attempts', 'attempt_answers']

/**
 * When the clock was moved: looks whether every table has rows of both months, each in its part, and whether orders of the old
 * month went on in the new one. Prints how many.
 * @returns what is missing, in words
 */
export async function findBorderBreaches({ query }: Installation): Promise<string[]> {
  const border = findBorder()
  if (border === undefined) return []
  const counts = tables.map((table) => `select tableoid::regclass::text as what, count(*)::int as rows from ${table} group by 1`)
  const rows = await query<{ what: string; rows: number }>(
    `${counts.join(' union all ')} union all
     select 'orders that went on in the new month', count(*)::int from orders where id < first_id_at($1) and updated_at >= $1
     order by 1`,
    [border],
  )
  process.stdout.write(`over ${border.toISOString()}: ${rows.map((row) => `${row.what} ${row.rows}`).join(', ')}\n`)
  const monthOf = (at: Date) => at.toISOString().slice(0, 7).replace('-', '_')
  const months = [new Date(border.getTime() - 1), border].map(monthOf)
  const wanted = [
    ...tables.flatMap((table) => months.map((month) => `${table}_${month}`)),
    'orders that went on in the new month',
  ]
  return [
    ...wanted.filter((what) => !rows.some((row) => row.what === what && row.rows > 0)).map((what) => `no ${what}`),
    ...rows.filter(({ what }) => !wanted.includes(what)).map(({ what }) => `rows in ${what}`),
  ]
}
