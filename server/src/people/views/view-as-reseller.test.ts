import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { makeAccount } from '../../../test/make-account.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { root } from '../../../test/reading/read-sources.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'
import { reasonOf, staffAtDesk } from '../staff-at-desk.fixture.ts'
import { endViewsThatAreOver } from './view-as-reseller.ts'

const shop = setUpPeople()
const { signInStaff, makeStaffMember, newestLog } = staffAtDesk(shop)

type Operation = { 'x-permission': string }
const document = JSON.parse(readFileSync(join(root, 'contract/dashboard.openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const appRoutes = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/app/api/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
const unsafeRoutes = appRoutes.filter(({ method }) => method !== 'GET')

describe('looking at an account as its reseller sees it', () => {
  async function look(email: string, role: StaffRole = 'support') {
    const viewer = await makeStaffMember(role, email)
    const { accountId } = await makeAccount(shop.db, { balancePesewas: 7_700 })
    const started = await viewer.ask('POST', `/desk/api/accounts/${accountId}/view`, { reason: 'ticket 77' })
    return { viewer, accountId, started }
  }
  const meOf = (viewer: TestBrowser) => viewer.ask('GET', '/app/api/me')

  it('shows the app as a viewer, says so, and is logged at its beginning and end', async () => {
    const { viewer, accountId, started } = await look('looks@desk.test')
    expect(await newestLog()).toMatchObject({
      actor: 'looks@desk.test',
      action: 'account view',
      subject: accountId,
      details: { reason: 'ticket 77', until: started.body.data.ends_at },
    })
    const minutes = (Date.parse(started.body.data.ends_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThanOrEqual(15.1)
    expect((await meOf(viewer)).body.data).toMatchObject({
      permissions: ['look'],
      role: 'viewer',
      view: started.body.data,
      account: { account_id: accountId },
    })
    expect((await viewer.ask('GET', '/app/api/wallet')).body.data.main).toBe(77)
    expect(reasonOf(await viewer.ask('GET', '/app/api/team'))).toEqual([403, 'not_permitted'])
    expect((await viewer.ask('POST', '/desk/api/view/end')).status).toBe(200)
    expect(await newestLog()).toMatchObject({
      action: 'account view-end',
      subject: accountId,
      details: { how: 'ended by the person' },
    })
    expect(reasonOf(await meOf(viewer))).toEqual([403, 'not_a_member'])
  })

  it('lets nothing pass that is not a read, whatever a route is for', async () => {
    const { viewer, accountId } = await look('tries@desk.test', 'owner')
    expect(unsafeRoutes.length).toBeGreaterThan(30)
    const passed: string[] = []
    for (const { method, path } of unsafeRoutes) {
      const address = path.replaceAll(/\{\w+\}/g, newId())
      const answer = await viewer.ask(method, address, method === 'DELETE' ? undefined : {})
      if (answer.status !== 403 || answer.headers['x-error-reason'] !== 'view_only') passed.push(`${method} ${path}`)
    }
    expect(passed).toEqual([])
    const reads = appRoutes.filter(
      ({ method, operation }) => method === 'GET' && !['look', 'person', 'anyone'].includes(operation['x-permission']),
    )
    for (const { path } of reads) {
      const answer = await viewer.ask('GET', path.replaceAll(/\{\w+\}/g, newId()))
      expect([path, ...reasonOf(answer)]).toEqual([path, 403, 'not_permitted'])
    }
    expect((await meOf(viewer)).body.data.account.account_id).toBe(accountId)
    const rows = await shop.db.selectFrom('transfers').select('kind').where('account_id', '=', accountId).execute()
    expect(rows).toEqual([{ kind: 'credit' }])
  })

  it('is this session’s alone, and ends with its time, its session, and the role', async () => {
    const { viewer, accountId } = await look('brief@desk.test')
    const elsewhere = await signInStaff('brief@desk.test')
    expect(reasonOf(await meOf(elsewhere))).toEqual([403, 'not_a_member'])
    const person = shop.db.selectFrom('persons').select('id').where('email', '=', 'brief@desk.test')
    const setRole = (role: StaffRole) => shop.db.updateTable('staff').set({ role }).where('person_id', '=', person).execute()
    for (const role of ['finance', 'auditor', 'catalogue'] as const) {
      await setRole(role)
      expect([role, ...reasonOf(await meOf(viewer))]).toEqual([role, 403, 'not_a_member'])
    }
    await setRole('support')
    await shop.db.updateTable('persons').set({ two_factor_enabled: false }).where('email', '=', 'brief@desk.test').execute()
    expect(reasonOf(await meOf(viewer))).toEqual([403, 'not_a_member'])
    await shop.db.updateTable('persons').set({ two_factor_enabled: true }).where('email', '=', 'brief@desk.test').execute()
    expect((await meOf(viewer)).status).toBe(200)
    await sql`update account_views set started_at = started_at - interval '15 minutes', ends_at = ends_at - interval '15 minutes'
      where account_id = ${accountId}`.execute(shop.db)
    expect(reasonOf(await meOf(viewer))).toEqual([403, 'not_a_member'])
    for (const _again of [1, 2]) await endViewsThatAreOver(shop.db)
    const ends = () =>
      shop.db
        .selectFrom('operator_log')
        .select('details')
        .where('action', '=', 'account view-end')
        .where('subject', '=', accountId)
        .execute()
    expect(await ends()).toMatchObject([{ details: { how: 'its time was over' } }])
    await viewer.ask('POST', `/desk/api/accounts/${accountId}/view`, { reason: 'once more' })
    await viewer.ask('POST', '/desk/api/sign-out')
    expect(reasonOf(await meOf(viewer))).toEqual([401, 'not_signed_in'])
    await endViewsThatAreOver(shop.db)
    expect(await ends()).toMatchObject([{}, { details: { how: 'its session ended' } }])
  })

  it('has a line in the log for each file that is taken along, with its filters', async () => {
    const { viewer, accountId } = await look('takes@desk.test')
    const files = [
      ['orders.csv?status=completed', 'orders export', { status: 'completed' }],
      ['wallet/entries.csv?purse=main', 'entries export', { purse: 'main' }],
      ['wallet/statement.csv?purse=main&month=2026-01', 'statement export', { month: '2026-01' }],
      ['wallet/statement.pdf?purse=main&month=2026-01', 'statement export', { month: '2026-01' }],
    ] as const
    for (const [path, action, filters] of files) {
      expect([path, (await viewer.ask('GET', `/app/api/${path}`)).status]).toEqual([path, 200])
      const details = { is_view: true, filters, address: '127.0.0.1' }
      expect(await newestLog()).toMatchObject({ actor: 'takes@desk.test', action, subject: accountId, details })
    }
  })

  it('is begun by who may manage accounts, for one account at a time', async () => {
    const { viewer, accountId } = await look('twice@desk.test')
    const finance = await makeStaffMember('finance', 'finance@desk.test')
    const { accountId: second } = await makeAccount(shop.db)
    expect(reasonOf(await finance.ask('POST', `/desk/api/accounts/${second}/view`, { reason: 'curious' }))).toEqual([
      403,
      'not_permitted',
    ])
    expect(reasonOf(await viewer.ask('POST', `/desk/api/accounts/${newId()}/view`, { reason: 'nobody' }))).toEqual([
      409,
      'not_possible',
    ])
    expect((await meOf(viewer)).body.data.account.account_id).toBe(accountId)
    await viewer.ask('POST', `/desk/api/accounts/${second}/view`, { reason: 'the other' })
    expect((await meOf(viewer)).body.data.account.account_id).toBe(second)
    const log = await shop.db.selectFrom('operator_log').select(['subject', 'action']).orderBy('id', 'desc').limit(2).execute()
    expect(log).toEqual([
      { subject: second, action: 'account view' },
      { subject: accountId, action: 'account view-end' },
    ])
  })
})
