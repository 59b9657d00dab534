import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { root } from '../../test/reading/read-sources.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { startHttpApp } from '../../test/start-http-app.ts'
import { registerDashboardRoutes } from '../dashboard-routes.ts'

const shop = setUpPeople()

const openBytes = 8 * 1_024
const personBytes = 256 * 1_024

/** The routes that take a larger body than others: files, pictures, and what people paste. */
const largeBodies = [
  'PUT /app/api/top-ups/:top_up_id/picture',
  'POST /app/api/sms/check-recipients',
  'POST /app/api/sms/send',
  'PUT /app/api/sms/drafts/:draft_id',
  'POST /app/api/sms/lists/:list_id/import',
  'PUT /desk/api/reconcile/uploads/:upload_id/parts/:part_no',
  'POST /desk/api/vouchers/types/:type_id/import',
  'POST /desk/api/packages/preview',
  'POST /desk/api/packages/apply',
  'POST /desk/api/packages/preview-scheduled',
  'POST /desk/api/packages/scheduled',
  'PUT /desk/api/packages/scheduled/:set_id',
]

const document = JSON.parse(readFileSync(join(root, 'contract/dashboard.openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { 'x-permission': string; requestBody?: object }>>
}
const openPaths = Object.entries(document.paths).flatMap(([path, { post }]) =>
  post?.['x-permission'] === 'anyone' && post.requestBody ? [path] : [],
)

describe('the body of a request by a person', () => {
  it('has at most 8 KB without a session and 256 KB with one, but for the routes that say why they take more', async () => {
    const routes: RouteOptions[] = []
    const http = await startHttpApp(() => undefined, {
      registerFaces: (app) => {
        app.addHook('onRoute', (route) => void routes.push(route))
        registerDashboardRoutes(app, shop.people)
      },
    })
    await http.close()
    const ofFaces = routes.filter(({ config }) => config?.permission !== undefined)
    expect(ofFaces.length).toBeGreaterThan(200)
    const open = ofFaces.filter(({ config }) => config?.permission === 'anyone')
    expect(new Set(open.map(({ bodyLimit }) => bodyLimit))).toEqual(new Set([openBytes]))
    const large = ofFaces.filter(({ bodyLimit = Infinity }) => bodyLimit > personBytes)
    expect(large.map(({ method, url }) => `${String(method)} ${url}`).toSorted()).toEqual(largeBodies.toSorted())
  })

  it.each(openPaths)('is refused by %s unread when it names sixty thousand fields', async (path) => {
    const names = Array.from({ length: 60_000 }, (_, number) => [`k${number}`, 1])
    const answer = await (await shop.browser()).ask('POST', path, Object.fromEntries(names))
    expect([answer.status, answer.body.error.message]).toEqual([400, 'The body is too large.'])
  })

  it('may be as long as a list of ten thousand numbers where numbers are pasted', async () => {
    const browser = await shop.makeMember('pasting@example.test')
    const recipients = Array.from({ length: 10_000 }, (_, number) => `Ama Mensah of Kumasi, 0244${100_000 + number}`).join('\n')
    const body = { recipients, list_ids: [] }
    expect(JSON.stringify(body).length).toBeGreaterThan(personBytes)
    expect((await browser.ask('POST', '/app/api/sms/check-recipients', body)).status).toBe(200)
  })
})
