import process from 'node:process'
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.ts'

/**
 * Starts the embedded server of the given DATA_DIR and keeps it running until it is killed; for tests of what a kill
 * leaves behind.
 */
const dataDir = process.argv[2] ?? ''
const silentLog = { info: () => undefined, warn: () => undefined }
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
process.stdout.write(`${server.ownerUrl}\n`)
setInterval(() => undefined, 60_000)
