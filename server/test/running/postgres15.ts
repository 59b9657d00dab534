import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts'

/**
 * Runs the tests against the oldest PostgreSQL that Makola supports: a fresh server of the programs
 * in PG_BIN (default: where Debian installs version 15). Parameters are handed on to vitest.
 */
const binaries = process.env['PG_BIN'] ?? '/usr/lib/postgresql/15/bin'
const dataDir = await mkdtemp(join(tmpdir(), 'makola-test-15-'))
// PostgreSQL before 16 finds its own programs only if it may enter its working folder.
await chmod(dataDir, 0o755)
const log = { info: () => undefined, warn: (...words: unknown[]) => console.error(...words) }
const server = await startEmbeddedPostgres({ dataDir, log, binaries, settings: { max_connections: '400' } })
const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, TEST_DATABASE_URL: server.ownerUrl, TEST_APPLICATION_DATABASE_URL: server.applicationUrl },
})
// Ctrl-C also reaches vitest. This process stays to clean up after it.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => vitest.kill('SIGTERM'))
const [exitCode] = (await once(vitest, 'close')) as [number | null]
await server.stop()
await rm(dataDir, { recursive: true, force: true })
process.exitCode = exitCode ?? 1
