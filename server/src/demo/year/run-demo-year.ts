import { randomInt } from 'node:crypto'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { CommandError } from '../../commands/frame/command-error.ts'
import { connectAsApplication, type InstallationDatabase, openDatabase } from '../../commands/frame/open-database.ts'
import { openProgressLine } from '../../commands/frame/progress-line.ts'
import { readCount } from '../../commands/frame/read-options.ts'
import { migrateDatabase } from '../../commands/run/migrate-installation.ts'
import { prepareDatabase } from '../../commands/run/prepare-database.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { loadSecretsKeys } from '../../platform/secrets/load-secrets-keys.ts'
import { seedDemo } from '../seed-demo.ts'
import { type DemoHistoryRequest, writeDemoHistory } from './write-demo-history.ts'

const help = `Fills an installation that plays with the simulator with a history to try reports, statements and searches on.

  DATA_DIR=year npm run demo:year                              200,000 orders over 13 months
  DATA_DIR=year npm run demo:year -- --orders 5000 --months 1  fewer

  --orders <count>   how many orders; default 200000
  --months <count>   over how many months up to now; default 13
  --seed <number>    the same seed tells the same history; default: by chance, and printed

It works on the database of DATA_DIR or DATABASE_URL, and refuses one that is live or has orders of its own.
`

const silentLog = { info: () => undefined, warn: (text: unknown) => void process.stderr.write(`${String(text)}\n`) }

function readRequest(): DemoHistoryRequest | undefined {
  const options = {
    orders: { type: 'string' },
    months: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) return undefined
  const read = (option: string, text: string | undefined, most: number, otherwise: number) =>
    text === undefined ? otherwise : readCount(option, text, { least: 1, most })
  return {
    orderCount: read('--orders', values.orders, 2_000_000, 200_000),
    months: read('--months', values.months, 60, 13),
    seed: read('--seed', values.seed, 2 ** 32 - 1, randomInt(1, 2 ** 32)),
    until: new Date(),
  }
}

async function fill(config: Config, database: InstallationDatabase, db: Db, request: DemoHistoryRequest): Promise<void> {
  await prepareDatabase(config, database, db, silentLog)
  await seedDemo({ db, config: { ...config, demo: true, hasDemoMonth: false }, log: silentLog })
  const progress = openProgressLine(
    process.stderr,
    (count) => `${count.toLocaleString('en')} of ${request.orderCount.toLocaleString('en')} orders`,
  )
  const startedAt = performance.now()
  try {
    await writeDemoHistory({ db, secretsKeys: await loadSecretsKeys(config) }, request, (count) => progress.show(count))
  } finally {
    progress.close()
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stdout.write(
    `${request.orderCount} orders over ${request.months} months are there, after ${seconds} s. The seed was ${request.seed}.\n`,
  )
}

async function runDemoYear(): Promise<void> {
  const request = readRequest()
  if (!request) return void process.stdout.write(help)
  const config = readConfig()
  if (config.suppliers === 'live') throw new CommandError('SUPPLIERS=live: no history is ever invented beside real money.')
  const database = await openDatabase(config, silentLog)
  try {
    if (database.isEmbedded) await migrateDatabase(database.ownerUrl)
    const db = connectAsApplication(database.applicationUrl, { poolSize: 2, applicationName: 'makola demo year' })
    try {
      await fill(config, database, db, request)
    } finally {
      await db.destroy()
    }
  } finally {
    await database.stop()
  }
}

await runDemoYear().catch((error: unknown) => {
  const { name, message, code } = error as Error & { code?: unknown }
  const isWrongUsage = name === 'UsageError' || String(code).startsWith('ERR_PARSE_ARGS')
  process.stderr.write(`${message}\n`)
  process.exitCode = isWrongUsage ? 2 : 1
})
