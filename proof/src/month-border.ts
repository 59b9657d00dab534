import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Nemesis } from './faults/nemesis.ts'
import type { Installation } from './installation.ts'
import type { Journal } from './journal.ts'
import { isAlive } from './processes.ts'
import { waitUntil } from './wait-until.ts'

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
export async function clearRemains(): Promise<void> {
  for (const name of await readdir('/dev/shm')) {
    const pid = /^(?:sem\.faketime_sem|faketime_shm)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !(await isAlive(Number(pid)))) await rm(join('/dev/shm', name), { force: true })
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
const wentOn = 'orders that went on in the new month'

/** The rows in each partition of those tables, and the orders of the old month that went on in the new one. */
function countRows(installation: Installation, border: Date): Promise<{ what: string; rows: number }[]> {
  const counts = tables.map((table) => `select tableoid::regclass::text as what, count(*)::int as rows from ${table} group by 1`)
  return installation.query(
    `${counts.join(' union all ')} union all
     select '${wentOn}', count(*)::int from orders where id < first_id_at($1) and updated_at >= $1 order by 1`,
    [border],
  )
}

/** Waits until the chains have sealed all that is written by now, and checks them. */
async function findChainBreaches(installation: Installation): Promise<string[]> {
  const [now] = await installation.query<{ at: string }>('select clock_timestamp()::text as at')
  await waitUntil('all that was sold is sealed', async () => {
    const behind = await installation.query('select from chain_states where sealed_through_at <= $1', [now?.at])
    return behind.length === 0
  })
  const { exitCode, json } = await installation.tryCommand('audit', '--chain')
  return exitCode === 0 ? [] : [`the chains: ${JSON.stringify(json)}`]
}

/** At least one kill within so many seconds before the month's end, and one within as many after it. */
const killsWithinSeconds = 10

/** The seconds from the month's end to each kill, below 0 before it. */
function timeKills({ history, startedAt }: Nemesis, border: Date): number[] {
  const kills = history.filter((event) => event.includes(': kill '))
  return kills.map((event) => (startedAt + Number.parseInt(event, 10) - border.getTime()) / 1_000)
}

/**
 * When the clock was moved: finds tables without rows of both months, each in its partition, and broken chains. If no order of
 * the old month went on in the new one, or nothing was killed about its end, the run proves little: that is a breach too.
 * Prints the numbers, with those of the orders that were acknowledged and of the kills.
 * @returns the breaches, in words
 */
export async function findBorderBreaches(installation: Installation, journal: Journal, nemesis: Nemesis): Promise<string[]> {
  const border = findBorder()
  if (border === undefined) return []
  const rows = await countRows(installation, border)
  const acknowledged = new Set(journal.records().flatMap(({ orders }) => orders.map(({ orderId }) => orderId)))
  const kills = timeKills(nemesis, border)
  const figures = [`${acknowledged.size} orders acknowledged`, ...rows.map((row) => `${row.what} ${row.rows}`)]
  process.stdout.write(`over ${border.toISOString()}: ${figures.join(', ')}; kills after ${kills.join(', ')} s\n`)
  const monthOf = (at: Date) => at.toISOString().slice(0, 7).replace('-', '_')
  const months = [new Date(border.getTime() - 1), border].map(monthOf)
  const wanted = [...tables.flatMap((table) => months.map((month) => `${table}_${month}`)), wentOn]
  const isKillNear = (sign: number) => kills.some((at) => at * sign >= 0 && at * sign < killsWithinSeconds)
  return [
    ...wanted.filter((what) => !rows.some((row) => row.what === what && row.rows > 0)).map((what) => `no ${what}`),
    ...rows.filter(({ what }) => !wanted.includes(what)).map(({ what }) => `rows in ${what}`),
    ...(isKillNear(-1) && isKillNear(1) ? [] : [`no kill within ${killsWithinSeconds} s before, or none after, the month's end`]),
    ...(await findChainBreaches(installation)),
  ]
}
