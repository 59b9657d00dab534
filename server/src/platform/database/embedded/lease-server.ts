import pg from 'pg'
import { applicationRole } from '../migrate.ts'
import { administratorRole, databaseName, ownerRole } from './cluster-settings.ts'
import type { LiveServer } from './live-server.ts'

/** Any fixed number. Every process that uses the server holds this advisory lock as a shared one. */
const leaseLock = 715_517_001

/**
 * A process's lease of the server. `release` returns true for the last process, which then stops the server while new
 * processes wait. A killed process loses its connection and with it its lease.
 */
export type ServerLease = { release(): Promise<boolean>; end(): Promise<void> }

async function makeRolesAndDatabase(client: pg.Client): Promise<void> {
  await client.query(`do $$ begin
    if not exists (select from pg_roles where rolname = '${ownerRole}') then
      create role ${ownerRole} login createdb;
    end if;
    if not exists (select from pg_roles where rolname = '${applicationRole}') then
      create role ${applicationRole} login;
    end if;
    if not pg_has_role('${ownerRole}', '${applicationRole}', 'member') then
      grant ${applicationRole} to ${ownerRole};
    end if;
  exception when duplicate_object or unique_violation then
    null;
  end $$`)
  const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName])
  if (rowCount !== 0) return
  await client.query(`create database ${databaseName} owner ${ownerRole}`).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || (error.code !== '42P04' && error.code !== '23505')) throw error
  })
}

/**
 * Connects to a running server, makes the roles and the database that Makola needs, and registers this process as a user of
 * the server: the last user stops it.
 * @param onLost called once when the connection ends without `release`, as it does when the server ends
 */
export async function leaseServer(server: LiveServer, onLost: () => void): Promise<ServerLease> {
  const client = new pg.Client({
    host: server.socketFolder,
    port: server.port,
    user: administratorRole,
    database: 'postgres',
    application_name: 'makola lease',
    connectionTimeoutMillis: 5_000,
  })
  let isReleased = false
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock_shared($1)', [leaseLock])
    await makeRolesAndDatabase(client)
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  client.once('end', () => {
    if (!isReleased) onLost()
  })
  return {
    async release() {
      isReleased = true
      await client.query('select pg_advisory_unlock_shared($1)', [leaseLock])
      const { rows } = await client.query<{ is_last: boolean }>('select pg_try_advisory_lock($1) as is_last', [leaseLock])
      return rows[0]?.is_last === true
    },
    async end() {
      isReleased = true
      await client.end().catch(() => undefined)
    },
  }
}
