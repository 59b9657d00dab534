import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { findFile, findServerPrograms } from './src/cluster/find-programs.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { type Backups, createEmbeddedBackups } from './src/restore/backups.ts'
import { createPgBackRestBackups } from './src/restore/pgbackrest-backups.ts'
import { rehearseRestore } from './src/restore/rehearse-restore.ts'

/**
 * `npm run rehearse:restore`, or `--with pgbackrest`: sells every product, backs up, sells on, restores the earlier minute into a
 * new server, and goes on as the guide says. Prints what was held and found, and ends with 1 when a number got a bundle or a text
 * twice, a voucher was sold twice, or something was sold or sent before two people had accepted; with 2 when programs are missing.
 */
const { values } = parseArgs({ options: { with: { type: 'string', default: 'makola' } } })

async function openBackups(root: string): Promise<Backups | undefined> {
  if (values.with === 'makola') return createEmbeddedBackups()
  if (values.with !== 'pgbackrest') throw new Error('--with is makola or pgbackrest')
  const [programs, pgBackRest] = await Promise.all([findServerPrograms(), findFile(['/usr/bin/pgbackrest'])])
  return programs && pgBackRest ? createPgBackRestBackups(root, programs) : undefined
}

async function run(): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), 'makola-restore-'))
  let backups: Backups | undefined
  let installation: Installation | undefined
  try {
    backups = await openBackups(root)
    if (!backups) {
      process.stderr.write(
        'Programs are missing. On Debian 12: apt-get install --no-install-recommends pgbackrest postgresql-15\n',
      )
      return 2
    }
    const { database } = backups
    const simulator = { SIMULATOR_DELIVERY_MS: '300' }
    installation = await startInstallation({ apis: 1, workers: 1, simulator, ...(database && { database }) })
    const breaches = await rehearseRestore(installation, backups, (line) => process.stdout.write(`${line}\n`))
    for (const breach of breaches) process.stdout.write(`BREACH ${breach}\n`)
    return breaches.length === 0 ? 0 : 1
  } finally {
    await installation?.destroy()
    await backups?.destroy()
    if (process.env['PROOF_KEEP'] === undefined) await rm(root, { recursive: true, force: true })
  }
}

process.exitCode = await run()
