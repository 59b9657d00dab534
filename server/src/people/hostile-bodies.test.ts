import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../test/open-browser.ts'
import { root } from '../../test/reading/read-sources.ts'
import { setUpPeople } from '../../test/set-up-people.ts'

const shop = setUpPeople()
/** One person for all paths: a refusal changes nothing, so the session stays open. */
let browser: TestBrowser
beforeAll(async () => {
  browser = await shop.makeMember('hostile@example.test')
})
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

const document = JSON.parse(readFileSync(join(root, 'contract/dashboard.openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { requestBody?: object }>>
}
const takingBodies = Object.entries(document.paths)
  .filter(([path, { post }]) => post?.requestBody && path.startsWith('/app/'))
  .map(([path]) => path)

const fields = ['email', 'password', 'current_password', 'name', 'token', 'code', 'backup_code']
const everyField = (value: unknown) => JSON.stringify(Object.fromEntries(fields.map((field) => [field, value])))

/** Bodies that no page of the dashboard sends, each with its name. */
const hostile: [string, string][] = [
  ['nothing', ''],
  ['no JSON', '{"email":'],
  ['a list', '[]'],
  ['a text', '"email"'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['objects for texts', everyField({ $ne: 1 })],
  ['lists for texts', everyField(['a@example.test'])],
  ['numbers for texts', everyField(123_456)],
  ['true for texts', everyField(true)],
  ['nulls for texts', everyField(null)],
  ['empty texts', everyField('')],
  ['NUL characters', everyField('a\u0000b@example.test')],
  ['lone surrogates', `{${fields.map((field) => `"${field}":"\\ud800"`).join(',')}}`],
  ['very long texts', everyField('a'.repeat(20_000))],
  ['very deep lists', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['a prototype', '{"__proto__":{"email":"a@example.test","password":"0123456789"}}'],
  ['a constructor', '{"constructor":{"prototype":{"email":"a@example.test"}}}'],
]

describe('every body that the dashboard takes', () => {
  it.each(takingBodies)('%s refuses hostile ones with 400, and serves on', async (path) => {
    for (const [name, body] of hostile) {
      const answer = await browser.ask('POST', path, body)
      expect([name, answer.status]).toEqual([name, 400])
    }
    const untyped = await browser.ask('POST', path, '{}', { 'content-type': 'text/plain' })
    expect(untyped.status).toBe(400)
    expect((await browser.ask('GET', '/app/api/me')).status).toBe(200)
  })

  it('takes no text where the path has an id', async () => {
    for (const id of ['1', '%00', "'; drop table persons", 'a'.repeat(90)]) {
      expect((await browser.ask('DELETE', `/app/api/sessions/${encodeURIComponent(id)}`)).status).toBe(400)
    }
  })

  it('finds no session in hostile cookies', async () => {
    const browser = await shop.browser()
    for (const cookie of [
      '=',
      ';;;',
      '__Host-makola_session',
      '__Host-makola_session=',
      '__Host-makola_session=%ff%00',
      `__Host-makola_session=${'a'.repeat(7_000)}`,
      '__Host-makola_session=.',
      '__Host-makola_session=a.b.c',
    ]) {
      expect((await browser.ask('GET', '/app/api/me', undefined, { cookie })).status).toBe(401)
    }
  })
})
