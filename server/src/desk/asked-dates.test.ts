import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { root } from '../../test/reading/read-sources.ts'
import { setUpPeople } from '../../test/set-up-people.ts'

type Schema = { format?: string; pattern?: string; properties?: Record<string, Schema>; items?: Schema; $ref?: string }
type Operation = {
  parameters?: { name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } }

const document = JSON.parse(readFileSync(join(root, 'contract', 'dashboard.openapi.json'), 'utf8')) as Document

/** Every date below a schema, by its path. */
function datesOf(schema: Schema, path: string): { path: string; schema: Schema }[] {
  const known = schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
  if (!known) return []
  if (known.format === 'date' || known.format === 'date-time') return [{ path, schema: known }]
  const fields = Object.entries(known.properties ?? {}).flatMap(([name, field]) => datesOf(field, `${path}.${name}`))
  return known.items ? [...fields, ...datesOf(known.items, path)] : fields
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, method, path, operation })),
)
const asked = operations.flatMap(({ operation, ...route }) => [
  ...(operation.parameters ?? []).flatMap(({ name, schema }) => datesOf(schema, name).map((date) => ({ ...route, ...date }))),
  ...Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
    datesOf(schema, 'body').map((date) => ({ ...route, ...date })),
  ),
])
const queries = asked.filter(({ method, path }) => method === 'get' && !path.startsWith('body'))

const shop = setUpPeople(async () => ({ isStaffTwoFactorNeeded: false }))
let browser: TestBrowser

beforeAll(async () => {
  browser = await createSignedInStaff(shop, 'owner@desk.test', 'owner', { hasSecondFactor: false })
})

describe('dates that people ask for or enter', () => {
  it('are in the years 2000 to 2099, but those of birth', () => {
    const unbounded = asked.filter(({ schema }) => schema.pattern !== '^20').map(({ name, path }) => `${name} ${path}`)
    expect(unbounded).toEqual(['post /app/api/afa/register body.date_of_birth'])
    expect(queries.length).toBeGreaterThan(15)
  })

  it.each(['0000-01-01', '0001-01-01', '1999-12-31', '9999-12-31'])('%s at the desk is refused with words', async (day) => {
    for (const { name, path, schema } of queries.filter((query) => query.name.startsWith('get /desk'))) {
      const date = schema.format === 'date' ? day : `${day}T00:00:00Z`
      const address = name.replace('get ', '').replaceAll(/\{\w+\}/g, '0190a1b2-0000-7000-8000-000000000000')
      const { status, body } = await browser.ask('GET', `${address}?${path}=${date}`)
      expect([name, status, body.message ?? body.error?.message]).toEqual([name, 400, expect.stringContaining(path)])
    }
  })

  it('of balances are not in the future', async () => {
    const { status, body } = await browser.ask('GET', '/desk/api/reports/balances?at=2050-01-01')
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('The day must not be in the future.')
  })

  it('of reports do not begin in the future', async () => {
    for (const report of ['sales', 'sales.csv', 'tax', 'tax.csv'])
      for (const asked of ['from=2050-01-01&to=2050-01-31', 'from=2050-01-01', 'to=2050-01-31']) {
        const { status, body } = await browser.ask('GET', `/desk/api/reports/${report}?${asked}`)
        expect([report, asked, status, body.error?.message]).toEqual([
          report,
          asked,
          400,
          'A report must not begin in the future.',
        ])
      }
  })
})
