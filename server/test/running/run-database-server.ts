import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts'

/**
 * Runs the embedded database of one test run as a process of its own, so that it is stopped and its
 * folder removed however the run ends: the channel to the parent closes even when that is killed.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'makola-test-'))
const silentLog = { info: () => undefined, warn: () => undefined }

let isStopping = false
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
  process.exit(0)
}

const server = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { max_connections: '400' } })
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
process.on('disconnect', () => void stop())
process.send?.({ ownerUrl: server.ownerUrl, applicationUrl: server.applicationUrl })
if (!process.connected) await stop()
