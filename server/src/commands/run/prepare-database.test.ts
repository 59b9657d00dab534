import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { readConfig } from '../../config.ts'
import type { Db } from '../../platform/database/database.ts'
import { connectAsApplication } from '../frame/open-database.ts'
import { prepareDatabase } from './prepare-database.ts'

let database: TestDatabase
let front: Server | undefined
let db: Db | undefined

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await db?.destroy()
  front?.close()
})
afterAll(() => database.drop())

/** An address of the database at which the connections with these numbers are cut as they arrive, counted from 1. */
async function openFront(cut: readonly number[]): Promise<string> {
  const target = new URL(database.applicationUrl)
  const folder = target.searchParams.get('host')
  const port = Number(target.port || 5432)
  let count = 0
  front = createServer((client) => {
    count += 1
    client.on('error', () => undefined)
    if (cut.includes(count)) {
      client.resetAndDestroy()
      return
    }
    const server = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname)
    server.on('error', () => undefined).on('close', () => client.destroy())
    client.on('close', () => server.destroy())
    client.pipe(server).pipe(client)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const url = new URL(database.applicationUrl)
  url.host = `127.0.0.1:${(front.address() as AddressInfo).port}`
  url.searchParams.delete('host')
  return url.href
}

/** Runs `prepareDatabase` at an address with these cuts, and returns the logged warnings. */
async function prepare(cut: readonly number[], isEmbedded: boolean): Promise<string[]> {
  const applicationUrl = await openFront(cut)
  db = connectAsApplication(applicationUrl, { poolSize: 10, applicationName: 'makola test' })
  const warnings: string[] = []
  const warn = (_facts: unknown, words?: string) => void (words && warnings.push(words))
  await prepareDatabase(readConfig(), { applicationUrl, isEmbedded }, db, { warn })
  return warnings
}

const wentAway = 'the database went away while this process was starting; trying again'

test('a database that goes away in the middle of the checks is waited for, whosever it is', async () => {
  expect(await prepare([2, 4], false)).toEqual([wentAway, wentAway])
})

test('a database that was never there ends the start at once, unless this process itself has started it', async () => {
  await expect(prepare([1], false)).rejects.toThrow('ECONNRESET')
  expect(await prepare([1], true)).toEqual([wentAway])
})
