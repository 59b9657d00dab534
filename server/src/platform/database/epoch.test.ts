import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { connectDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { watchEpoch } from './epoch.ts'

test('what is cached is dropped when another server answers, although its row of the epoch is the same', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-epoch-'))
  const log = { info: () => undefined, warn: () => undefined }
  let server = await startEmbeddedPostgres({ dataDir, log })
  const db = connectDatabase({ url: server.ownerUrl, poolSize: 1, applicationName: 'makola tests' })
  try {
    await sql`create table cache_epoch as select 7 as epoch, 1 as catalogue_version`.execute(db)
    const epoch = await watchEpoch(db)
    const before = epoch.current()?.epoch
    await epoch.refresh()
    expect(epoch.current()?.epoch).toBe(before)
    await server.stop()
    server = await startEmbeddedPostgres({ dataDir, log })
    await vi.waitFor(() => epoch.refresh(), { timeout: patienceSeconds * 1_000, interval: 50 })
    expect(epoch.current()?.epoch).not.toBe(before)
    epoch.stop()
  } finally {
    await db.destroy()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
