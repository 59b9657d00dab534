import { statfs } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../../config.ts'
import { findBackupTroubles, listNewestBackups } from '../../../platform/backups/backups.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type DataPace, readDataPace } from '../../../platform/disk/data-sizes.ts'
import { showMoment } from '../../../platform/texts-for-people.ts'
import type { Finding } from './finding.ts'

const dayMilliseconds = 86_400_000
const gigabyte = 1024 ** 3

/**
 * A disk that will be full within so many days is a warning or a problem: a new disk takes weeks to order, and a database days
 * to move.
 */
const warningDays = 90
const problemDays = 14

/** The folder of the server's data, if it is on this machine and the login may know it. */
async function findDataFolder(config: Config, db: Db): Promise<string | undefined> {
  if (config.databaseUrl === undefined) return join(config.dataDir, 'postgres')
  const { rows } = await sql<{ folder: string | null; address: string | null }>`
    select case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory') end as folder,
      host(inet_server_addr()) as address`.execute(db)
  const { folder = null, address = null } = rows[0] ?? {}
  const isHere =
    address === null ||
    Object.values(networkInterfaces()).some((addresses) => addresses?.some((ours) => ours.address === address) === true)
  return isHere ? (folder ?? undefined) : undefined
}

async function readFreeBytes(folder: string | undefined): Promise<number | undefined> {
  const found = folder === undefined ? undefined : await statfs(folder).catch(() => undefined)
  return found && found.bavail * found.bsize
}

const inGigabytes = (bytes: number) => `${(bytes / gigabyte).toFixed(1)} GB`

/** Says when the disk will be full, if the database goes on growing as it does. */
export function describePace({ bytes, days, bytesPerDay }: DataPace, freeBytes: number | undefined, now: number): Finding {
  const topic = 'growth'
  const measured = `The database has ${inGigabytes(bytes)}, and grew by ${inGigabytes(Math.max(0, bytesPerDay) * days)} in the last ${Math.round(days)} days.`
  if (freeBytes === undefined) {
    const message = `${measured} The free space of its disk cannot be seen from here: compare it where the database runs.`
    return { level: 'ok', topic, message }
  }
  const daysLeft = freeBytes / Math.max(bytesPerDay, 1)
  if (daysLeft > 3_650)
    return { level: 'ok', topic, message: `${measured} At this pace its disk has room for more than ten years.` }
  const full = new Date(now + daysLeft * dayMilliseconds).toISOString().slice(0, 10)
  const message = `${measured} At this pace its disk is full in ${Math.floor(daysLeft)} days, on ${full}.`
  const level = daysLeft < problemDays ? 'problem' : 'warning'
  return { level: daysLeft < warningDays ? level : 'ok', topic, message }
}

export async function examineGrowth(config: Config, db: Db): Promise<Finding[]> {
  const pace = await readDataPace(db)
  if (!pace) {
    const message = 'The worker measures the database once a day; after two days its growth is known.'
    return [{ level: 'ok', topic: 'growth', message }]
  }
  return [describePace(pace, await readFreeBytes(await findDataFolder(config, db)), Date.now())]
}

/** Autovacuum begins when a fifth of the rows are dead. Above this share, and this number, it does not keep up. */
const deadShareMax = 0.4
const deadRowsMin = 50_000

/** A higher age is a problem: PostgreSQL freezes rows at 200 million transactions, and refuses writes at 2,100 million. */
const transactionsMax = 1_000_000_000

/** Checks whether autovacuum removes dead rows and freezes old ones. */
export async function examineVacuum(db: Db): Promise<Finding[]> {
  const topic = 'vacuum'
  const { rows } = await sql<{ name: string; dead: number; share: number }>`
    select relname as name, n_dead_tup as dead, n_dead_tup::float8 / (n_live_tup + n_dead_tup) as share
    from pg_stat_user_tables
    where n_dead_tup > ${deadRowsMin} and n_dead_tup > ${deadShareMax}::float8 * (n_live_tup + n_dead_tup)
    order by n_dead_tup desc limit 5`.execute(db)
  const age = await sql<{ age: number }>`
    select age(datfrozenxid) as age from pg_database where datname = current_database()`.execute(db)
  const transactions = age.rows[0]?.age ?? 0
  const findings: Finding[] = rows.map(({ name, dead, share }) => ({
    level: 'warning',
    topic,
    message: `${name} has ${dead} dead rows, ${Math.round(share * 100)} % of all. Is autovacuum on, and is a transaction open for hours?`,
  }))
  if (transactions > transactionsMax) {
    const message = `The oldest row is ${transactions} transactions old. PostgreSQL stops writing at 2,100 million: see why autovacuum does not freeze.`
    findings.push({ level: 'problem', topic, message })
  }
  return findings.length > 0 ? findings : [{ level: 'ok', topic, message: 'Dead rows are taken away, and old rows frozen.' }]
}

/** On an installation with real money, reports a missing or old backup, because everything may be lost without a new one. */
export async function examineBackups(db: Db): Promise<Finding[]> {
  const topic = 'backups'
  const troubles = await findBackupTroubles(db)
  if (troubles.length > 0) return troubles.map(({ message }) => ({ level: 'warning', topic, message }))
  const [newest] = await listNewestBackups(db, 1)
  const message = newest
    ? `The newest is of ${showMoment(newest.madeAt)}, in ${newest.place}.`
    : 'None is known, and none is asked for.'
  return [{ level: 'ok', topic, message }]
}
