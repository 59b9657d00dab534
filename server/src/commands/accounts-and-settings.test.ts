import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { requestBusinessApproval } from '../accounts/business/request-business-approval.ts'
import { allCommands } from '../all-commands.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
let lastEmail = 0

async function makeAccount(): Promise<string> {
  const email = `typed-${++lastEmail}@example.test`
  await json('account', 'create', '--email', email, '--name', 'Ama', '--role', 'agent')
  return email
}

describe('makola account', () => {
  it('creates an account, shows it, changes its role, suspends and reactivates it', async () => {
    const words = ['--email', 'ama@example.test', '--name', 'Ama Mensah', '--role', 'dealer', '--expires-at', '2099-12-31']
    const created = await json('account', 'create', ...words, '--business')
    expect(created).toEqual({ account_id: uuid })
    expect(await json('account', 'show', '--account', 'AMA@example.test')).toMatchObject({
      account_id: created['account_id'],
      name: 'Ama Mensah',
      role: 'dealer',
      expires_at: '2099-12-31T00:00:00.000Z',
      status: 'active',
      is_business: true,
      policy_accepted_at: expect.any(String),
    })
    const account = { account_id: created['account_id'], role: 'customer' }
    const byId = ['--account', String(created['account_id'])]
    expect(await json('account', 'set-role', ...byId, '--role', 'customer')).toEqual({ ...account, status: 'active' })
    expect(await json('account', 'suspend', ...byId)).toEqual({ ...account, status: 'suspended' })
    expect(await json('account', 'reactivate', ...byId)).toEqual({ ...account, status: 'active' })
    expect(await json('account', 'list')).toEqual([expect.objectContaining(account)])
  })

  it('shows its balances, its keys by their ends, and when one was last used', async () => {
    const email = await makeAccount()
    await json('wallet', 'credit', '--account', email, '--amount', '12.50')
    await json('sms', 'credit', '--account', email, '--credits', '7')
    expect(await json('account', 'show', '--account', email)).toMatchObject({
      balances: { main: 12.5, commission: 0, sms_credits: 7 },
      keys: [],
      last_used_at: null,
    })
    const made = await json('key', 'create', '--account', email, '--type', 'standard')
    await json('key', 'create', '--account', email, '--type', 'sms')
    await desk.db
      .updateTable('api_keys')
      .set({ last_used_at: new Date('2026-05-01T10:00:00Z'), last_used_ip: '192.0.2.7' })
      .where('id', '=', String(made['key_id']))
      .execute()
    const shown = await json('account', 'show', '--account', email)
    expect(shown).toMatchObject({
      last_used_at: '2026-05-01T10:00:00.000Z',
      last_used_ip: '192.0.2.7',
      keys: [
        { type: 'sms', status: 'active', prefix: 'makola_sms_live_', last_used_at: null },
        { type: 'standard', status: 'active', prefix: 'makola_live_', hint: String(made['key']).slice(-4) },
      ],
    })
    const { stdout } = await run('account', 'show', '--account', email)
    expect(stdout).toContain('main wallet GHS 12.50, commission GHS 0.00, 7 SMS credits')
    expect(JSON.stringify(shown) + stdout).not.toContain(String(made['key']))
  })

  it('approves an account for SMS later, and takes that back', async () => {
    const account = ['--account', await makeAccount()]
    expect(await json('account', 'show', ...account)).toMatchObject({ is_business: false })
    expect(await json('account', 'approve-business', ...account)).toMatchObject({ is_business: true })
    expect(await json('account', 'show', ...account)).toMatchObject({ is_business: true })
    expect(await json('account', 'withdraw-business', ...account)).toMatchObject({ is_business: false })
    expect(await run('account', 'approve-business', '--account', 'no@example.test')).toMatchObject({ exitCode: 1 })
  })

  it('lists the requests to be approved as a business, and declines one with a reason', async () => {
    const email = await makeAccount()
    const account = ['--account', email]
    const { account_id: accountId } = await json('account', 'show', ...account)
    const request = { name: 'Ama Shop', registrationNumber: 'BN1', purpose: 'Receipts', accountId: String(accountId), actor: 'a' }
    await inTransaction(desk.db, (tx) => requestBusinessApproval(tx, request))
    expect(await json('account', 'business-requests')).toMatchObject([{ email, name: 'Ama Shop', registration_number: 'BN1' }])
    expect(await run('account', 'decline-business', ...account, '--reason', ' ')).toMatchObject({ exitCode: 2 })
    expect(await json('account', 'decline-business', ...account, '--reason', 'No certificate.')).toMatchObject({
      state: 'declined',
    })
    expect(await run('account', 'decline-business', ...account, '--reason', 'Again')).toMatchObject({ exitCode: 1 })
    expect(await json('account', 'business-requests')).toEqual([])
    const log = desk.db.selectFrom('operator_log').select('action').where('subject', '=', String(accountId))
    expect(await log.orderBy('id', 'desc').limit(1).execute()).toEqual([{ action: 'account decline-business' }])
  })

  it.each([
    [['--email', 'nobody', '--name', 'N', '--role', 'agent'], '"nobody" is not an e-mail address'],
    [['--email', 'n@example.test', '--name', 'N', '--role', 'king'], '--role must be one of customer, agent, dealer, not "king"'],
    [['--email', 'n@example.test', '--name', 'N', '--role', 'agent', '--expires-at', '2020-01-01'], 'has already passed'],
    [['--email', 'n@example.test', '--name', 'N', '--role', 'agent', '--expires-at', '2027-02-30'], 'must be a date or a moment'],
    [['--email', 'n@example.test', '--name', 'N', '--role', 'agent', '--expires-at', 'soon'], 'must be a date or a moment'],
    [['--email', 'n@example.test', '--name', ' ', '--role', 'agent'], 'name must have 1 to 100'],
  ])('fails with exit code 2 and says why: %j', async (words, text) => {
    const outcome = await run('account', 'create', ...words)
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(text) })
  })

  it('fails for an e-mail that is taken and an account that is not there', async () => {
    const email = await makeAccount()
    const again = await run('account', 'create', '--email', email, '--name', 'A', '--role', 'agent')
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There already is an account') })
    const missing = await run('key', 'create', '--account', 'no@example.test', '--type', 'sms')
    expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no account no@example.test') })
  })

  it('called wrongly ends with exit code 2', async () => {
    expect(await run('account', 'create', '--email', 'x@example.test')).toMatchObject({ exitCode: 2 })
    expect(await run('account', 'promote')).toMatchObject({ exitCode: 2 })
    expect(await run('key', 'approve')).toMatchObject({ exitCode: 2 })
  })
})

describe('makola key', () => {
  it('creates active and pending keys, approves, revokes and lists them without showing them', async () => {
    const email = await makeAccount()
    const first = await json('key', 'create', '--account', email, '--type', 'standard')
    expect(first).toEqual({ key_id: uuid, key: expect.stringMatching(/^makola_live_/), status: 'active' })
    const second = await json('key', 'create', '--account', email, '--type', 'standard', '--pending')
    expect(second).toMatchObject({ status: 'pending' })
    const secondId = String(second['key_id'])
    expect(await json('key', 'approve', secondId)).toEqual({ key_id: secondId, status: 'active' })
    expect(await json('key', 'revoke', secondId)).toEqual({ key_id: secondId, status: 'revoked' })
    expect(await run('key', 'approve', String(first['key_id']))).toMatchObject({ exitCode: 1 })
    const listed = await run('key', 'list', '--account', email, '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ key_id: secondId }, { key_id: first['key_id'], status: 'revoked' }])
    expect(listed.stdout).not.toContain(String(second['key']))
  })

  it('says from where a key may be used', async () => {
    const { key_id: keyId } = await json('key', 'create', '--account', await makeAccount(), '--type', 'standard')
    const allow = (...addresses: string[]) => run('key', 'allow', String(keyId), ...addresses, '--json')
    expect(await allow('203.0.113.9/24', '::1')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"203.0.113.0/24"'),
    })
    expect(await allow('home')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not an address') })
    expect(await allow()).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"addresses":[]') })
  })

  it('of the type sms has no --pending, because it is active at once', async () => {
    const email = await makeAccount()
    const refused = await run('key', 'create', '--account', email, '--type', 'sms', '--pending')
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('An SMS key is active at once') })
    expect(await json('key', 'list', '--account', email)).toEqual([])
    expect(await json('key', 'create', '--account', email, '--type', 'sms')).toMatchObject({ status: 'active' })
  })

  it('lists the keys of all accounts, and those that wait for an approval', async () => {
    const [one, other] = [await makeAccount(), await makeAccount()]
    const active = await json('key', 'create', '--account', one, '--type', 'standard')
    const first = await json('key', 'create', '--account', one, '--type', 'commission', '--pending')
    const second = await json('key', 'create', '--account', other, '--type', 'standard', '--pending')
    const key = (made: Record<string, unknown>, email: string, prefix: string) =>
      expect.objectContaining({ key_id: made['key_id'], email, prefix, hint: String(made['key']).slice(-4) }) as unknown
    expect(await json('key', 'list', '--pending')).toEqual([
      key(second, other, 'makola_live_'),
      key(first, one, 'makola_cs_live_'),
    ])
    const all = await json('key', 'list')
    expect(all).toContainEqual(key(active, one, 'makola_live_'))
    expect(all).toContainEqual(key(second, other, 'makola_live_'))
    await json('key', 'approve', String(second['key_id']))
    expect(await json('key', 'list', '--pending', '--account', other)).toEqual([])
    for (const made of [first, second]) await json('key', 'revoke', String(made['key_id']))
  })

  it('keeps the beginning it was made with when KEY_PREFIX changes', async () => {
    const email = await makeAccount()
    await json('key', 'create', '--account', email, '--type', 'sms')
    vi.stubEnv('KEY_PREFIX', 'adom')
    expect(await json('key', 'list', '--account', email)).toMatchObject([{ prefix: 'makola_sms_live_' }])
    vi.stubEnv('KEY_PREFIX', 'makola')
  })

  it('refuses a type there is none of', async () => {
    const outcome = await run('key', 'create', '--account', await makeAccount(), '--type', 'gold')
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('standard, sms, commission') })
  })
})

describe('makola wallet credit and sms credit', () => {
  it('credit GHS and whole credits, and the same id credits once', async () => {
    const email = await makeAccount()
    const credit = ['wallet', 'credit', '--account', email, '--amount', '100.50', '--id', `receipt ${email}`, '--note', 'cash']
    const first = { balance: 100.5, status: 'done', credit_id: uuid, credited_before: false }
    expect(await json(...credit)).toEqual(first)
    expect(await json(...credit)).toEqual({ ...first, credited_before: true })
    expect(await json('wallet', 'credit', '--account', email, '--amount', '0.01')).toMatchObject({ balance: 100.51 })
    expect(await json('sms', 'credit', '--account', email, '--credits', '1000')).toMatchObject({ credits: 1000 })
    expect(await json('wallet', 'show', '--account', email)).toMatchObject({ balance: 100.51, commission: 0, credits: 1000 })
    const other = await run('wallet', 'credit', '--account', email, '--amount', '7', '--id', `receipt ${email}`)
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('already used for a different credit') })
    const { account_id: accountId } = await json('wallet', 'show', '--account', email)
    const log = desk.db.selectFrom('operator_log').select('action').where('subject', '=', String(accountId))
    const lines = await log.where('action', 'like', '% credit').execute()
    expect(lines).toHaveLength(3)
  })

  it.each(['0', '-5', '1.005', 'many', '1e3', '', '9999999999999'])('refuse the amount %j', async (amount) => {
    const outcome = await run('wallet', 'credit', '--account', 'x@example.test', `--amount=${amount}`)
    expect(outcome).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--amount must be GHS above 0') })
  })

  it('need an id of their own when the installation is live', async () => {
    const email = await makeAccount()
    await desk.database.ownerDb.insertInto('installation').values({ mode: 'live' }).execute()
    const credit = ['wallet', 'credit', '--account', email, '--amount', '5']
    expect(await run(...credit)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('--id') })
    expect(await json(...credit, '--id', 'live-1')).toMatchObject({ balance: 5 })
    await desk.database.ownerDb.deleteFrom('installation').execute()
  })
})

describe('makola setting', () => {
  it('gets, sets as JSON or plain text, and lists', async () => {
    expect(await json('setting', 'get', 'prefix_check')).toEqual({ name: 'prefix_check', value: 'enforce' })
    expect(await json('setting', 'set', 'prefix_check', 'hint')).toEqual({ name: 'prefix_check', value: 'hint' })
    expect(await json('setting', 'get', 'prefix_check')).toEqual({ name: 'prefix_check', value: 'hint' })
    expect(await json('setting', 'set', 'registration_servers', '[2]')).toEqual({ name: 'registration_servers', value: [2] })
    expect(await json('setting', 'set', 'airtime_max.MTN', '50.00')).toEqual({ name: 'airtime_max.MTN', value: 50 })
    expect(await json('setting', 'set', 'biller_enabled.ecg', 'false')).toEqual({ name: 'biller_enabled.ecg', value: false })
    expect(await json('setting', 'list')).toContainEqual(
      expect.objectContaining({ name: 'prefix_check', value: 'hint', default: 'enforce', allowed: 'one of enforce, hint' }),
    )
  })

  it('refuses a name there is none of and a value that is not allowed, and says what is', async () => {
    const unknown = await run('setting', 'get', 'no_such_setting')
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is no setting "no_such_setting"') })
    const wrong = await run('setting', 'set', 'data_enabled', 'maybe')
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('data_enabled must be true or false') })
    expect(await json('setting', 'get', 'data_enabled')).toEqual({ name: 'data_enabled', value: true })
  })
})

describe('makola packages', () => {
  it('imports a price list, refuses one below cost unless forced, and exports it', async () => {
    const file = join(desk.folder, 'prices.csv')
    const header = 'network,volume_gb,price_customer,price_agent,price_dealer,cost_datamart,code_datamart'
    await writeFile(file, `${header}\nMTN,1,4.50,4.20,4.00,3.00,1\nTelecel,2,9,8,7,5,2\n`)
    expect(await json('packages', 'import', file)).toEqual({ imported: 2, skipped: 0 })
    await writeFile(file, `${header}\nMTN,1,4.50,4.20,2.99,3.00,1\n`)
    const refused = await run('packages', 'import', file)
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('line 2: MTN 1GB: the dealer price GHS 2.99') })
    expect(await json('packages', 'import', file, '--force')).toEqual({ imported: 1, skipped: 0 })
    const exported = join(desk.folder, 'exported.csv')
    expect(await json('packages', 'export', exported)).toEqual({ exported: 2 })
    expect(await readFile(exported, 'utf8')).toContain('MTN,1,4.50,4.20,2.99,true,,3.00,1\r\n')
  })

  it('says that a file is not there', async () => {
    const outcome = await run('packages', 'import', join(desk.folder, 'none.csv'))
    expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('none.csv cannot be read') })
  })
})
