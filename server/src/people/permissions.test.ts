import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { makeTotpCode } from '../../test/make-totp-code.ts'
import { root } from '../../test/reading/read-sources.ts'
import { retryWhileOverloaded } from '../../test/retry-while-busy.ts'
import { setUpPeople, testPassword } from '../../test/set-up-people.ts'
import { type HttpApp, startHttpApp } from '../../test/start-http-app.ts'
import { registerDashboardRoutes } from '../dashboard-routes.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { ok } from '../platform/http/envelope.ts'
import type { Api } from '../platform/http/route-types.ts'
import { hashPersonPassword } from './auth/hash-password.ts'
import { createMember, removeMember } from './manage-people.ts'
import { memberPermissions } from './permissions/member-permissions.ts'
import { staffPermissions } from './permissions/staff-permissions.ts'
import { createFirstStaff } from './staff/invite-staff.ts'

const shop = setUpPeople()
let http: HttpApp

/** Every kind of caller. All but `nobody` are signed in. */
const visitors = [
  'nobody',
  'owner',
  'buyer',
  'viewer',
  'suspended owner',
  'suspended viewer',
  'member no more',
  'staff owner',
  'staff finance',
  'staff support',
  'staff catalogue',
  'staff auditor',
  'staff owner without a second factor',
] as const
type Visitor = (typeof visitors)[number]
const cookies = new Map<Visitor, string>()

const members: readonly Visitor[] = ['owner', 'buyer', 'viewer', 'suspended owner', 'suspended viewer']
const staff: readonly Visitor[] = ['staff owner', 'staff finance', 'staff support', 'staff catalogue', 'staff auditor']

/** The callers that each permission should let pass, written out again, so that nobody changes the tables by mistake. */
const meant: Readonly<Record<string, Readonly<Record<string, readonly Visitor[]>>>> = {
  app: {
    anyone: visitors,
    person: members,
    look: members,
    report_problems: members,
    buy: ['owner', 'buyer'],
    send_sms: ['owner', 'buyer'],
    top_up: ['owner', 'buyer'],
    move_money: ['owner'],
    manage_keys: ['owner'],
    manage_members: ['owner'],
    manage_account: ['owner'],
  },
  desk: {
    anyone: visitors,
    person: [...staff, 'staff owner without a second factor'],
    see: staff,
    see_log: ['staff owner', 'staff auditor'],
    manage_accounts: ['staff owner', 'staff support'],
    manage_keys: ['staff owner', 'staff support'],
    manage_money: ['staff owner', 'staff finance'],
    settle_orders: ['staff owner', 'staff finance', 'staff support'],
    manage_catalogue: ['staff owner', 'staff catalogue'],
    manage_stock: ['staff owner', 'staff catalogue'],
    manage_suppliers: ['staff owner', 'staff catalogue'],
    reconcile: ['staff owner', 'staff finance'],
    manage_settings: ['staff owner'],
    handle_alarms: ['staff owner', 'staff finance', 'staff support', 'staff catalogue'],
    announce_incidents: ['staff owner', 'staff support'],
    manage_staff: ['staff owner'],
    manage_personal_data: ['staff owner'],
  },
}

type Operation = { 'x-permission': string; requestBody?: object }
const document = JSON.parse(readFileSync(join(root, 'contract/dashboard.openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
/** Signing out is tried last, because it ends the session that the other routes need. */
const documented = Object.entries(document.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000'),
      permission: operation['x-permission'],
    })),
  )
  .toSorted((one, other) => Number(one.path.endsWith('/sign-out')) - Number(other.path.endsWith('/sign-out')))

/** Adds a route for each permission to those of the document, so that every permission is tried. */
const tried = [
  ...Object.keys(memberPermissions).map((permission) => ({ method: 'GET', path: `/app/api/try/${permission}`, permission })),
  ...Object.keys(staffPermissions).map((permission) => ({ method: 'GET', path: `/desk/api/try/${permission}`, permission })),
  ...documented,
]

function registerTried(scope: Api, permissions: readonly string[]): void {
  for (const permission of permissions) {
    scope.get(`/try/${permission}`, { config: { permission: permission as 'look' } }, () => ok({}))
  }
  scope.get('/try/confirmed', { config: { permission: 'person', isConfirmationNeeded: true } }, () => ok({}))
}

const ask = (method: string, path: string, visitor: Visitor, body?: string) =>
  http.ask(method, path, {
    headers: {
      origin: `https://localhost:${http.port}`,
      host: `localhost:${http.port}`,
      cookie: cookies.get(visitor) ?? '',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  })

/** The reasons with which the checks before every route refuse. */
const refusedBefore =
  /^(not_signed_in|not_permitted|not_a_member|not_staff|second_factor_needed|account_suspended|foreign_origin)$/

/**
 * True when the checks before the route let a request pass. A POST brings an empty object, which most routes refuse, so
 * that little is changed.
 */
const isPassing = async (method: string, path: string, visitor: Visitor) => {
  const { headers, status } = await ask(method, path, visitor, method === 'POST' ? '{}' : undefined)
  expect(status).toBeLessThan(500)
  return !refusedBefore.test(String(headers['x-error-reason'] ?? ''))
}

async function invite(visitor: Visitor): Promise<void> {
  const email = `${visitor.replaceAll(' ', '-')}@example.test`
  const invitation = { email, passwordHash: await hashPersonPassword(testPassword), actor: 'test' }
  const role = visitor.split(' ')[1] ?? visitor
  await inTransaction(shop.db, async (tx) => {
    if (visitor.startsWith('staff')) await createFirstStaff(tx, { ...invitation, role: role as 'owner' })
  })
  if (!visitor.startsWith('staff')) {
    const { accountId: account } = await makeAccount(shop.db)
    const memberRole = visitor === 'member no more' ? 'buyer' : (role as 'owner')
    await inTransaction(shop.db, async (tx) => {
      await createMember(tx, { ...invitation, account, role: memberRole })
      if (visitor === 'member no more') await removeMember(tx, { account, email, actor: 'test' })
      if (visitor.startsWith('suspended')) {
        await tx.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', account).execute()
      }
    })
  }
  const browser = await shop.browser()
  await retryWhileOverloaded(() => browser.ask('POST', '/desk/api/sign-in', { email, password: testPassword }))
  if (staff.includes(visitor)) {
    const { data } = (await browser.ask('POST', '/desk/api/two-factor', { password: testPassword })).body
    expect((await browser.ask('POST', '/desk/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })).status).toBe(200)
  }
  cookies.set(visitor, [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  await shop.db.deleteFrom('rate_limits').execute()
}

beforeAll(async () => {
  http = await startHttpApp(() => undefined, {
    registerFaces: (app) =>
      registerDashboardRoutes(app, shop.people, {
        app: (scope) => registerTried(scope, Object.keys(memberPermissions)),
        desk: (scope) => registerTried(scope, Object.keys(staffPermissions)),
      }),
  })
  for (const visitor of visitors) if (visitor !== 'nobody') await invite(visitor)
})
afterAll(() => http.close())

describe('every route, for everybody', () => {
  it.each(tried)(
    '$method $path ($permission) lets those pass who are meant, and nobody else',
    async ({ method, path, permission }) => {
      const face = path.split('/')[1] ?? ''
      const passes = await Promise.all(visitors.map((visitor) => isPassing(method, path, visitor)))
      const passing = visitors.filter((_, no) => passes[no])
      expect(passing).toEqual(visitors.filter((visitor) => meant[face]?.[permission]?.includes(visitor)))
      await shop.db.deleteFrom('rate_limits').execute()
    },
  )
})

describe('a route', () => {
  it.each(['app', 'desk'] as const)('that names no permission of its face does not start (%s)', async (face) => {
    for (const config of [{}, { permission: face === 'app' ? 'manage_staff' : 'buy' }]) {
      const starting = startHttpApp(() => undefined, {
        registerFaces: (app) =>
          registerDashboardRoutes(app, shop.people, {
            [face]: (scope: Api) => scope.get('/nameless', { config: config as { permission: 'buy' } }, () => ok({})),
          }),
      })
      await expect(starting).rejects.toThrow('does not say which permission of this face it needs')
    }
  })
})

describe('a route that asks for a confirmation', () => {
  it.each(['app', 'desk'] as const)('takes one of the last ten minutes, and refuses without (%s)', async (face) => {
    const visitor = face === 'app' ? 'owner' : 'staff owner'
    const email = `confirming-${face}@example.test`
    const passwordHash = await hashPersonPassword(testPassword)
    const { accountId: account } = await makeAccount(shop.db)
    await inTransaction(shop.db, async (tx) => {
      if (face === 'app') await createMember(tx, { email, passwordHash, account, role: 'owner', actor: 'test' })
      else await createFirstStaff(tx, { email, passwordHash, role: 'owner', actor: 'test' })
    })
    const browser = await shop.browser()
    await retryWhileOverloaded(() => browser.ask('POST', `/${face}/api/sign-in`, { email, password: testPassword }))
    cookies.set(visitor, [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const answered = async (minutesAgo: number) => {
      await sql`update person_sessions set confirmed_at = clock_timestamp() - make_interval(mins => ${minutesAgo})`.execute(
        shop.db,
      )
      const { status, headers } = await ask('GET', `/${face}/api/try/confirmed`, visitor)
      return [status, headers['x-error-reason']]
    }
    expect(await answered(9)).toEqual([200, undefined])
    expect(await answered(11)).toEqual([403, 'confirmation_needed'])
    expect((await browser.ask('POST', `/${face}/api/confirm`, { password: testPassword })).status).toBe(200)
    expect((await ask('GET', `/${face}/api/try/confirmed`, visitor)).status).toBe(200)
  })
})
