import process from 'node:process'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts'

/**
 * This program is for tests of what a kill leaves behind. It starts the embedded server of the given DATA_DIR and never
 * stops it. The program runs until a test kills it; the server survives that.
 */
const dataDir = process.argv[2] ?? ''
const silentLog = { info: () => undefined, warn: () => undefined }
const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
process.stdout.write(`${server.ownerUrl}\n`)
setInterval(() => undefined, 60_000)
