import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import type { RegisterCommand } from '../src/commands/frame/run-command-line.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { seedSimulatedSuppliers } from '../src/suppliers/registry/seed-simulated-suppliers.ts'
import { type CommandOutcome, runCommand, runCommandForJson } from './run-command.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** What the tests of one file of commands share. */
export type CommandLineSetUp = {
  readonly database: TestDatabase
  readonly db: Db
  /** `DATA_DIR`, and a place for the files that commands read. */
  readonly folder: string
  readonly run: (...words: string[]) => Promise<CommandOutcome>
  /** Runs a command that must succeed, and answers its document. */
  readonly json: (...words: string[]) => Promise<Record<string, unknown>>
}

/** Registers what a file of tests of commands needs: a database with the simulated suppliers, which the environment names. */
export function setUpCommandLine(
  commands: readonly RegisterCommand[],
  environment: Readonly<Record<string, string>> = {},
): CommandLineSetUp {
  let database: TestDatabase
  let folder: string

  beforeAll(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'makola-commands-'))
    await inTransaction(database.db, seedSimulatedSuppliers)
    const named = { DATABASE_URL: database.applicationUrl, DATA_DIR: folder, ...environment }
    for (const [name, value] of Object.entries(named)) vi.stubEnv(name, value)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  return {
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    get folder() {
      return folder
    },
    run: (...words) => runCommand(commands, words),
    json: (...words) => runCommandForJson(commands, words) as Promise<Record<string, unknown>>,
  }
}
