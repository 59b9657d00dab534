import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeTotpCode } from '../../test/make-totp-code.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { root } from '../../test/reading/read-sources.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { hashPersonPassword } from './auth/hash-password.ts'
import { createStaff } from './manage-people.ts'

const lines: string[] = []
const log = pino(
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  }),
)
const shop = setUpPeople(async () => ({ log }))

const document = JSON.parse(readFileSync(join(root, 'contract/dashboard.openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { 'x-permission': string }>>
}
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000'),
    permission: operation['x-permission'],
  })),
)

const browsers = {} as Record<'app' | 'desk', TestBrowser>

/** Ends every connection of the processes to the database and lets no new one in, as when its server is away. */
async function takeDatabaseAway(): Promise<void> {
  const { rows } = await sql<{ name: string; own: string }>`
    select current_database() as name, (select usename from pg_stat_activity where pid = pg_backend_pid()) as own`.execute(
    shop.db,
  )
  const [{ name, own }] = rows as [{ name: string; own: string }]
  await sql`alter database ${sql.id(name)} connection limit 0`.execute(shop.app.database.ownerDb)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and usename = ${own}`.execute(
    shop.app.database.ownerDb,
  )
}

beforeAll(async () => {
  browsers.app = await shop.makeMember('away@example.test')
  const email = 'away-staff@example.test'
  const passwordHash = await hashPersonPassword(testPassword)
  await inTransaction(shop.db, (tx) => createStaff(tx, { email, passwordHash, role: 'owner', actor: 'test' }))
  browsers.desk = await shop.browser()
  await browsers.desk.ask('POST', '/desk/api/sign-in', { email, password: testPassword })
  const { data } = (await browsers.desk.ask('POST', '/desk/api/two-factor', { password: testPassword })).body
  await browsers.desk.ask('POST', '/desk/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })
  await takeDatabaseAway()
})

describe('while the database is away', () => {
  it.each(routes.filter(({ permission }) => permission !== 'anyone'))(
    '$method $path answers 503, and the log names the cause',
    async ({ method, path }) => {
      lines.length = 0
      const browser = browsers[path.startsWith('/desk') ? 'desk' : 'app']
      const answer = await browser.ask(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
      expect([answer.status, answer.body.success, answer.body.error.code]).toEqual([503, false, 503])
      const refused = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'refused')
      expect(refused).toHaveLength(1)
      expect(refused[0].err.type).toMatch(/^Database(Away)?Error$/)
    },
  )

  // `/desk/api/directory` is left out: it answers from the variables, and needs no database.
  it.each(routes.filter(({ permission, path }) => permission === 'anyone' && path !== '/desk/api/directory'))(
    '$method $path, which needs no session, answers 503 too',
    async ({ method, path }) => {
      const bodies: Record<string, object> = {
        'sign-in': { email: 'away@example.test', password: testPassword },
        'second-factor': { code: '123456' },
        'forgot-password': { email: 'away@example.test' },
        'reset-password': { token: 'token', password: testPassword },
        'sign-up': { name: 'Ama', email: 'new@example.test', password: testPassword },
        verify: { token: 'a.eyJlbWFpbCI6ImF3YXlAZXhhbXBsZS50ZXN0In0.c', password: testPassword },
        join: { token: 'token', password: testPassword },
      }
      const face = path.startsWith('/desk') ? 'desk' : 'app'
      const answer = await browsers[face].ask(method, path, method === 'GET' ? undefined : bodies[path.split('/')[3] ?? ''])
      expect([path, answer.status]).toEqual([path, 503])
    },
  )
})
