import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSignedInStaff } from '../../../test/create-signed-in-staff.ts'
import { makeAccount } from '../../../test/make-account.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { untilTrue } from '../../../test/patience.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { allAuditChecks } from '../../all-audit-checks.ts'
import { guardedSettings } from '../../all-settings.ts'
import { prepareGateway, storeGateway } from '../../gateways/write-gateway.ts'
import { runAudit } from '../../money/audit.ts'
import { creditLimitOnePerson } from '../../money/money.settings.ts'
import { alertEmail } from '../../notices/notices.settings.ts'
import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import { deskUser, type Person, singleOperator } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { parseSecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { readSetting, writeSetting } from '../../platform/settings/settings.ts'
import { changeSupplier } from '../../suppliers/registry/change-supplier.ts'
import { type SupplierChange, storeSupplier } from '../../suppliers/registry/write-supplier.ts'
import { forgetProposedCredentials } from '../../timers/proposal-timers.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { changeStaffRole } from './grant-role.ts'
import { removeStaff, setStaffRole } from './manage-staff.ts'
import { looseningTimer, processLoosenings } from './process-loosenings.ts'

const anyKeys = parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY')
const shop = setUpPeople()
let ama: TestBrowser
let kofi: TestBrowser
const person = (email: string): Person => ({ by: email, osUser: deskUser(email) })
const set = async (who: TestBrowser, name: string, value: unknown, more: object = {}) =>
  (await who.ask('POST', `/desk/api/settings/${name}`, { value, reason: 'because', ...more })).body.data
const confirmAs = (who: TestBrowser, approvalId: string) => who.ask('POST', `/desk/api/approvals/${approvalId}/confirm`)
const limit = () => readSetting(shop.db, creditLimitOnePerson)
const ripen = () => processLoosenings(shop.db, allApprovalKinds, { warn: () => undefined })
const breaches = async (name: string) => (await runAudit(shop.db, allAuditChecks, { isFull: true })).checks[name]
const isAlarmed = async (subject: string) =>
  (await shop.db.selectFrom('alarms').select('id').where('name', '=', 'loosening').where('subject', '=', subject).execute())
    .length > 0

/** Lets hours pass since the owners were told. */
const passHours = (hours: number) =>
  shop.app.database.ownerDb.transaction().execute(async (tx) => {
    await sql`alter table loosening_notices disable trigger user`.execute(tx)
    await sql`update loosening_notices set notified_at = notified_at - make_interval(hours => ${hours})`.execute(tx)
    await sql`alter table loosening_notices enable trigger user`.execute(tx)
  })

beforeAll(async () => {
  await inTransaction(shop.db, (tx) =>
    guardedSettings.change(tx, { setting: creditLimitOnePerson, person: person('founder'), reason: 'set up' }, 100, {}),
  )
  ama = await createSignedInStaff(shop, 'ama@example.test', 'owner')
  kofi = await createSignedInStaff(shop, 'kofi@example.test', 'owner')
  await makeAccount(shop.db, { balancePesewas: 5_000 })
})
beforeEach(async () => {
  await shop.db.deleteFrom('rate_limits').execute()
})

describe('a setting that guards money', () => {
  it('is chosen freely before the first money; later one owner cannot switch the two-person rule off', async () => {
    expect(await limit()).toBe(100)
    for (const [name, value] of [
      ['credit_limit_one_person', null],
      ['single_operator', true],
      ['transfer_instructions', 'MTN MoMo 0244 000 000, my own'],
    ] as const) {
      expect(await set(ama, name, value)).toMatchObject({ guards: true, proposal: { by: 'ama@example.test' } })
      expect(await isAlarmed(`setting set ${name}`)).toBe(true)
    }
    expect(await limit()).toBe(100)
    expect(await readSetting(shop.db, singleOperator)).toBe(false)
    await mustPassAudit(shop.db)
  })

  it('is loosened once a second owner confirms that, and tightened at once by one', async () => {
    const { proposal } = await set(ama, 'sms_credit_limit_one_person', 50)
    expect(proposal).toBeNull()
    const loosened = await set(ama, 'sms_credit_limit_one_person', 5_000)
    expect(loosened).toMatchObject({ value: 50 })
    expect((await confirmAs(ama, loosened.proposal.approval_id)).status).toBe(409)
    expect((await confirmAs(kofi, loosened.proposal.approval_id)).status).toBe(200)
    expect(await set(ama, 'sms_credit_limit_one_person', 4_000)).toMatchObject({ value: 4_000, proposal: null })
    await mustPassAudit(shop.db)
  })

  it('that was loosened for a time is not kept so by one, nor loosened again by a smaller step', async () => {
    const { proposal } = await set(ama, 'sms_credit_limit_one_person', 9_000, {
      returns_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await confirmAs(kofi, proposal.approval_id)
    const moment = /until \d+ \w+ 20\d\d, \d\d:\d\d GMT/
    const { what } = (await ama.ask('GET', `/desk/api/approvals/${proposal.approval_id}`)).body.data
    expect(what).toMatch(moment)
    const kept = await ama.ask('POST', '/desk/api/settings/sms_credit_limit_one_person/keep', { reason: 'nice' })
    expect(kept.body.data).toMatchObject({ value: 9_000, returns: { to: 4_000 }, proposal: { by: 'ama@example.test' } })
    const { before } = (await ama.ask('GET', `/desk/api/approvals/${kept.body.data.proposal.approval_id}`)).body.data
    expect(before).toMatch(moment)
    expect(await set(ama, 'sms_credit_limit_one_person', 8_999)).toMatchObject({ value: 9_000 })
    await mustPassAudit(shop.db)
  })

  it('that was loosened past the rule is found by the audit', async () => {
    await writeSetting(shop.db, creditLimitOnePerson, 9_000, 'ama@example.test')
    expect(await breaches('setting_loosened_without_its_approval')).toBe(1)
    await shop.app.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table operator_log disable trigger user`.execute(tx)
      await sql`update operator_log set details = details || '{"after": 1}' where subject = 'credit_limit_one_person' and details ->> 'after' = '9000'`.execute(
        tx,
      )
      await sql`alter table operator_log enable trigger user`.execute(tx)
    })
    await writeSetting(shop.db, creditLimitOnePerson, 100, 'ama@example.test')
  })
})

describe('a role at the desk', () => {
  it('with rights is given by two; until then the invited person only looks, and is nobody’s second for 7 days', async () => {
    const invited = await ama.ask('POST', '/desk/api/staff', { email: 'yaw@example.test', role: 'owner' })
    const { approval_id: approvalId, person_id: personId } = invited.body.data
    const roleOf = async () =>
      (await shop.db.selectFrom('staff').select('role').where('person_id', '=', personId).executeTakeFirstOrThrow()).role
    expect(await roleOf()).toBe('auditor')
    await confirmAs(kofi, approvalId)
    expect(await roleOf()).toBe('owner')
    const { proposal } = await set(ama, 'alert_email', 'ama@example.test')
    expect(proposal).toBeNull()
    const silenced = (await set(ama, 'alert_email', '')).proposal
    const confirmAsYaw = inTransaction(shop.db, (tx) =>
      confirmApproval(tx, allApprovalKinds, { approvalId: silenced.approval_id, person: person('yaw@example.test') }),
    )
    await expect(confirmAsYaw).rejects.toThrow('less than 7 days ago')
    expect((await confirmAs(kofi, silenced.approval_id)).status).toBe(200)
    expect(await breaches('staff_right_without_its_approval')).toBe(0)
    await inTransaction(shop.db, (tx) => setStaffRole(tx, { email: 'yaw@example.test', role: 'finance', actor: 'ama' }))
    expect(await breaches('staff_right_without_its_approval')).toBe(1)
    await inTransaction(shop.db, (tx) => removeStaff(tx, { email: 'yaw@example.test', actor: 'ama' }))
    await mustPassAudit(shop.db)
  })
})

describe('the secrets of a gateway and of a supplier', () => {
  it('are changed by two people once money moves, wait sealed, and are switched off by one', async () => {
    const gateway = async () => (await ama.ask('GET', '/desk/api/gateways')).body.data.gateways[0]
    const setKeys = (body: object) => ama.ask('POST', '/desk/api/gateways/paystack', { reason: 'new account', ...body })
    expect((await setKeys({ credentials: { secretKey: 'sk_my_own' } })).status).toBe(200)
    const { proposal, is_set_up: isSetUp } = await gateway()
    expect(isSetUp).toBe(false)
    expect(JSON.stringify(await shop.db.selectFrom('approvals').selectAll().execute())).not.toContain('sk_my_own')
    expect((await confirmAs(ama, proposal)).status).toBe(409)
    expect((await confirmAs(kofi, proposal)).status).toBe(200)
    expect(await gateway()).toMatchObject({ is_set_up: true, is_enabled: true, proposal: null })
    await setKeys({ credentials: { secretKey: 'sk_my_next' } })
    const { proposal: next } = await gateway()
    expect((await setKeys({ is_enabled: false })).status).toBe(200)
    expect(await gateway()).toMatchObject({ is_enabled: false, proposal: next })
    // The second person agrees to other keys, and not to switch it on again.
    expect((await confirmAs(kofi, next)).status).toBe(200)
    expect(await gateway()).toMatchObject({ is_enabled: false, proposal: null })
    expect(await breaches('secret_changed_without_its_approval')).toBe(0)
    await inTransaction(shop.db, async (tx) => {
      const { row } = await prepareGateway(tx, anyKeys, 'paystack', { credentials: { secretKey: 'sk_past_the_rule' } })
      await storeGateway(tx, 'paystack', row, { actor: 'ama@example.test', credentialsSet: ['secretKey'] })
    })
    expect(await breaches('secret_changed_without_its_approval')).toBe(1)
  })

  it('of a supplier without an address go to its first one only when two agree; the audit finds what one did', async () => {
    const before = (await breaches('secret_changed_without_its_approval')) ?? 0
    await ama.ask('POST', '/desk/api/suppliers', { supplier: 'placeless', adapter: 'datamart', reason: 'new' })
    const credentials = { credentials: { apiKey: 'one' }, reason: 'key' }
    expect((await ama.ask('POST', '/desk/api/suppliers/placeless/credentials', credentials)).body.data.proposal).toBeNull()
    const address = { base_url: 'https://mine.example.test', reason: 'its address' }
    const { proposal } = (await ama.ask('POST', '/desk/api/suppliers/placeless/settings', address)).body.data
    const addressOf = async () =>
      (await shop.db.selectFrom('suppliers').select('base_url').where('name', '=', 'placeless').executeTakeFirstOrThrow())
        .base_url
    expect([proposal, await addressOf()]).toEqual([expect.any(String), null])
    expect((await confirmAs(kofi, proposal)).status).toBe(200)
    expect(await addressOf()).toBe(address.base_url)
    const { data } = (await ama.ask('GET', '/desk/api/suppliers')).body
    const listed = data.suppliers.find(({ supplier }: { supplier: string }) => supplier === 'placeless')
    expect(listed.credentials[0]).toMatchObject({ name: 'apiKey', is_set: true })
    expect(await breaches('secret_changed_without_its_approval')).toBe(before)

    await inTransaction(shop.db, (tx) =>
      storeSupplier(tx, 'forced', { adapter: 'datamart', isNew: true, credentials: { apiKey: 'one' } }, 'ama', {
        credentials: null,
      }),
    )
    await inTransaction(shop.db, (tx) =>
      storeSupplier(tx, 'forced', { baseUrl: address.base_url }, 'ama', { credentials: undefined }),
    )
    expect(await breaches('secret_changed_without_its_approval')).toBe(before + 1)
  })

  it('of a supplier that has some are replaced by two, and the audit finds what one replaced or sent elsewhere', async () => {
    const brokenByGateway = (await breaches('secret_changed_without_its_approval')) ?? 0
    const supplier = { supplier: 'theirs', adapter: 'datamart', base_url: 'https://theirs.example.test', reason: 'new' }
    await ama.ask('POST', '/desk/api/suppliers', supplier)
    const credentials = (apiKey: string) =>
      ama.ask('POST', '/desk/api/suppliers/theirs/credentials', { credentials: { apiKey }, reason: 'key' })
    expect((await credentials('first')).body.data.proposal).toBeNull()
    const { proposal } = (await credentials('second')).body.data
    expect((await confirmAs(kofi, proposal)).status).toBe(200)
    expect(await breaches('secret_changed_without_its_approval')).toBe(brokenByGateway)
    const pastTheRule = (change: SupplierChange, sealed?: string) =>
      inTransaction(shop.db, (tx) => storeSupplier(tx, 'theirs', change, 'ama@example.test', { credentials: sealed }))
    await pastTheRule({ baseUrl: 'https://mine.example.test' })
    expect(await breaches('secret_changed_without_its_approval')).toBe(brokenByGateway + 1)
    // The supplier has no credentials any more, so one person may set new ones.
    expect((await credentials('third')).body.data.proposal).toBeNull()
    expect(await breaches('secret_changed_without_its_approval')).toBe(brokenByGateway + 1)
    await pastTheRule({ credentials: { apiKey: 'past the rule' } }, 'sealed')
    expect(await breaches('secret_changed_without_its_approval')).toBe(brokenByGateway + 2)
  })

  it('are not kept when the proposal was refused or nobody agreed in time, and are while it waits', async () => {
    for (const supplier of ['refused', 'expired', 'waiting']) {
      await ama.ask('POST', '/desk/api/suppliers', { supplier, adapter: 'datamart', reason: 'new' })
      for (const apiKey of ['first', 'second']) {
        const body = { credentials: { apiKey }, reason: 'key' }
        expect((await ama.ask('POST', `/desk/api/suppliers/${supplier}/credentials`, body)).status).toBe(200)
      }
    }
    await ama.ask('POST', '/desk/api/gateways/paystack', { credentials: { secretKey: 'sk_refused' }, reason: 'key' })
    const waiting = await shop.db.selectFrom('approvals').selectAll().where('state', '=', 'pending').execute()
    const proposalOf = (name: string) => waiting.find(({ key, subject }) => key === name && subject === name)?.id
    for (const name of ['refused', 'paystack']) {
      const refused = await kofi.ask('POST', `/desk/api/approvals/${proposalOf(name)}/refuse`, { reason: 'no' })
      expect(refused.status).toBe(200)
    }
    await shop.app.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table approvals disable trigger user`.execute(tx)
      await sql`update approvals set expires_at = now() where id = ${proposalOf('expired')}`.execute(tx)
      await sql`alter table approvals enable trigger user`.execute(tx)
    })
    await forgetProposedCredentials(shop.db)
    expect(await shop.db.selectFrom('proposed_supplier_credentials').select('name').execute()).toEqual([{ name: 'waiting' }])
    expect(await shop.db.selectFrom('proposed_gateway_credentials').select('name').execute()).toEqual([])
    expect((await confirmAs(kofi, proposalOf('waiting') ?? '')).status).toBe(200)
  })

  it('and a float movement above the limit are noted by two', async () => {
    const move = async (amount: number) => {
      const body = { reference: newId(), amount, note: 'bank transfer 7' }
      return (await ama.ask('POST', '/desk/api/suppliers/datamart/float-movements', body)).body.data
    }
    expect(await move(100)).toMatchObject({ state: 'done' })
    const large = await move(-100.01)
    expect(large).toMatchObject({ state: 'proposed' })
    const { after } = (await ama.ask('GET', `/desk/api/approvals/${large.approval_id}`)).body.data
    expect(after).toMatch(/^-GHS 100\.01 on \d+ \w+ 20\d\d, \d\d:\d\d GMT$/)
    const noted = () => shop.db.selectFrom('supplier_float_movements').select('amount').orderBy('amount').execute()
    expect(await noted()).toEqual([{ amount: 10_000 }])
    expect((await confirmAs(kofi, large.approval_id)).status).toBe(200)
    expect(await noted()).toEqual([{ amount: -10_001 }, { amount: 10_000 }])
  })
})

describe('the mails to all owners', () => {
  it('are sent and let the wait begin, also where strangers cause so many mails to an owner that others are refused', async () => {
    const forget = () => queuePersonMail(shop.db, 'forgot_password', 'kofi@example.test')
    for (let mail = 0; mail < 8; mail += 1) await forget()
    await expect(forget()).rejects.toThrow('too many mails')
    const { proposal } = await set(ama, 'sms_credit_limit_one_person', 9_500)
    await ripen()
    const mailsAbout = shop.db.selectFrom('person_mails').select('email').where('approval_id', '=', proposal.approval_id)
    const emails = (await mailsAbout.execute()).map(({ email }) => email)
    expect(emails).toEqual(expect.arrayContaining(['ama@example.test', 'kofi@example.test']))
    await ama.ask('POST', `/desk/api/approvals/${proposal.approval_id}/refuse`, { reason: 'only asked' })
    await shop.db.deleteFrom('person_mails').execute()
  })
})

describe('an owner without another one', () => {
  it('waits 24 hours after all owners were told, and does not get rid of the other one for that', async () => {
    const { proposal } = await set(ama, 'credit_limit_one_person', 500)
    await inTransaction(shop.db, (tx) => removeStaff(tx, { email: 'kofi@example.test', actor: 'ama@example.test' }))
    await ripen()
    expect((await shop.mailsTo('kofi@example.test'))[0]?.text).toContain(proposal.approval_id)
    await passHours(25)
    await ripen()
    expect(await limit()).toBe(100)
    await shop.app.database.ownerDb.transaction().execute(async (tx) => {
      await sql`alter table ended_rights disable trigger user`.execute(tx)
      await sql`update ended_rights set ended_at = ended_at - interval '8 days'`.execute(tx)
      await sql`alter table ended_rights enable trigger user`.execute(tx)
    })
    await passHours(-2)
    await ripen()
    expect(await limit()).toBe(100)
    await passHours(2)
    await ripen()
    expect(await limit()).toBe(500)
    expect((await ama.ask('GET', `/desk/api/approvals/${proposal.approval_id}`)).body.data).toMatchObject({
      status: 'done',
      decided_by: 'worker',
    })
    expect(await breaches('setting_loosened_without_its_approval')).toBe(0)
  })

  it.each([
    ['refused', new ApprovalRefusedError('it is too late')],
    ['a bug', new Error('it is too late')],
  ])(
    'gets one warning about a loosening that cannot take effect (%s), which keeps no other one waiting',
    async (_what, error) => {
      const { proposal } = await set(ama, 'credit_limit_one_person', ((await limit()) ?? 0) + 100)
      const other = (await set(ama, 'sms_credit_limit_one_person', 20_000)).proposal
      await ripen()
      await passHours(25)
      const kinds = allApprovalKinds.map((kind) => ({
        ...kind,
        async lockAndPreview(tx: Tx, request: unknown) {
          if (Reflect.get(Object(request), 'name') === 'credit_limit_one_person') throw error
          return kind.lockAndPreview(tx, request)
        },
      }))
      const warned: object[] = []
      const timer = looseningTimer(shop.db, kinds, { warn: (about: object) => void warned.push(about) })
      await timer.run()
      await timer.run()
      expect(warned).toMatchObject([{ approval: proposal.approval_id }])
      expect((await ama.ask('GET', `/desk/api/approvals/${other.approval_id}`)).body.data.status).toBe('done')
      await ama.ask('POST', `/desk/api/approvals/${proposal.approval_id}/refuse`, { reason: 'too late' })
      await set(ama, 'sms_credit_limit_one_person', 100)
    },
  )
})

describe('a proposal that is confirmed while its subject is changed', () => {
  const asked = { person: person('ama@example.test'), reason: 'because' }
  const changeKey = (apiKey: string) =>
    changeSupplier(shop.db, anyKeys, { name: 'raced', change: { credentials: { apiKey } }, person: asked.person })
  const subjects = {
    setting: () => inTransaction(shop.db, (tx) => guardedSettings.change(tx, { setting: alertEmail, ...asked }, '', {})),
    role: () => inTransaction(shop.db, (tx) => changeStaffRole(tx, { email: 'raced@example.test', role: 'support', ...asked })),
    supplier: () => changeKey('another'),
  }
  it.each(['setting', 'role', 'supplier'] as const)('is carried out all the same: a %s', async (subject) => {
    await writeSetting(shop.db, alertEmail, 'ama@example.test', 'test')
    if (subject === 'role') await createSignedInStaff(shop, 'raced@example.test', 'auditor')
    if (subject === 'supplier') {
      await inTransaction(shop.db, (tx) => storeSupplier(tx, 'raced', { adapter: 'datamart' }, 'ama', { credentials: null }))
      await changeKey('first')
    }
    const first = await subjects[subject]()
    if (first.state !== 'proposed') throw new Error('one person did it')
    const { approvalId } = first
    const { again } = await inTransaction(shop.db, async (tx) => {
      await sql`select from approvals where id = ${approvalId} for update`.execute(tx)
      const other = Promise.allSettled([subjects[subject]()])
      await untilTrue(
        async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db)
          return rows.length > 0
        },
        () => 'the change does not wait',
      )
      await confirmApproval(tx, allApprovalKinds, { approvalId, person: person('kofi@example.test') })
      return { again: other }
    })
    const [other] = await again
    expect(String(other?.status === 'rejected' ? other.reason : '')).not.toContain('deadlock')
  })
})
