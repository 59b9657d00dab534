import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { retryWhileOverloaded } from '../../../test/retry-while-busy.ts'
import { type Answer, startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { rateLimitsSetting } from '../../all-settings.ts'
import { runAudit } from '../../money/audit.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { rotateSecrets } from '../../platform/secrets/rotate-secrets.ts'
import { parseSecretsKeys, type SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { importVouchers } from './import-vouchers.ts'
import { listVoucherStock } from './list-voucher-stock.ts'
import { resultsCheckerAuditChecks } from './results-checker.audit.ts'
import { sealedVoucherColumns, unsealVoucher } from './seal-voucher.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'
import { voucherFinder } from './voucher-finder.ts'
import { listUnsoldVouchers, type VoucherSelection, withdrawVouchers } from './withdraw-vouchers.ts'

let app: TestApp
let keys: SecretsKeys
let references = 0

beforeAll(async () => {
  app = await startTestApp()
  keys = await keysOf(app)
  await writeSetting(app.database.db, rateLimitsSetting, { 'POST /resultschecker/purchase': 10_000 }, 'test')
})
afterAll(async () => {
  await mustPassAudit(app.database.db)
  await app.close()
})

type Type = { typeId: string; name: string }

async function propose({ typeId, name }: Type, selection: VoucherSelection, by = 'ama') {
  const voucherIds = await listUnsoldVouchers(app.database.db, keys, typeId, selection)
  const withdrawal = { type: { id: typeId, name }, voucherIds, reason: 'wrong series', person: { by, osUser: by } }
  return { voucherIds, ...(await inTransaction(app.database.db, (tx) => withdrawVouchers(tx, withdrawal))) }
}
const confirm = (approvalId: string, by = 'kofi') =>
  inTransaction(app.database.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: { by, osUser: by } }))

async function stockOf({ typeId }: Type) {
  const row = (await listVoucherStock(app.database.db)).find(({ id }) => id === typeId)
  return { left: row?.available_count, sold: row?.soldCount, withdrawn: row?.withdrawnCount }
}
function buy(key: string, typeId: string, quantity: number): Promise<Answer> {
  const body = { typeId, quantity, reference: `withdraw-${++references}` }
  return retryWhileOverloaded(() => app.call('POST', '/resultschecker/purchase', { key, body }))
}
const importPins = (type: Type, pins: readonly string[]) =>
  importVouchers(app.database.db, keys, {
    type: { id: type.typeId, name: type.name },
    file: fileOf(pins),
    isDryRun: false,
    actor: 'test',
  })
const fileOf = (pins: readonly string[]) =>
  Readable.from([`pin,serial_number\n${pins.map((pin) => `${pin},S-${pin}\n`).join('')}`])

describe('vouchers withdraw', () => {
  it('takes the unsold ones out by two people, who are sold on until then', async () => {
    const type = await stockVouchers(app.database.db, keys, 5)
    const { key } = await app.makeReseller()
    expect((await buy(key, type.typeId, 1)).status).toBe(200)
    const { approvalId, voucherIds } = await propose(type, {})
    expect(voucherIds).toHaveLength(4)
    await expect(confirm(approvalId, 'AMA')).rejects.toThrow('a second person confirms')
    expect((await buy(key, type.typeId, 1)).status).toBe(200)
    expect(await confirm(approvalId)).toMatchObject({ change: { before: '3 in stock', after: '0 in stock' } })
    expect(await stockOf(type)).toEqual({ left: 0, sold: 2, withdrawn: 3 })
    expect((await buy(key, type.typeId, 1)).body.error).toBeTruthy()
    const log = await app.database.db
      .selectFrom('operator_log')
      .selectAll()
      .where('subject', '=', type.name)
      .orderBy('id')
      .execute()
    expect(log.map(({ action }) => action)).toEqual(['vouchers withdraw propose', 'vouchers withdraw confirm'])
    expect(log[1]?.details).toMatchObject({ withdrawn: 3, sold_meanwhile: 1, approval_id: approvalId, proposed_by: 'ama' })
    await expect(confirm(approvalId, 'esi')).rejects.toThrow('was confirmed by kofi already')
  })

  it('takes out those of one import, or those of a file, and leaves the others', async () => {
    const type = await stockVouchers(app.database.db, keys, 0)
    await importPins(type, ['A1', 'A2'])
    await importPins(type, ['B1', 'B2', 'B3'])
    const { rows } = await sql<{ at: Date }>`
      select distinct imported_at as at from vouchers where type_id = ${type.typeId} order by 1`.execute(app.database.db)
    const first = rows[0]!.at
    const { approvalId, voucherIds } = await propose(type, { importedFrom: first, importedTo: first })
    expect(voucherIds).toHaveLength(2)
    await confirm(approvalId)
    const some = await propose(type, { file: fileOf(['B2', 'A1', 'nobody-knows']) })
    expect(some.voucherIds).toHaveLength(1)
    await confirm(some.approvalId)
    expect(await stockOf(type)).toEqual({ left: 2, sold: 0, withdrawn: 3 })
    await expect(propose(type, { file: fileOf(['B2', 'A1']) })).rejects.toThrow('No unsold')
    await expect(propose(type, { file: Readable.from(['pin,serial_number\nB1,\n']) })).rejects.toThrow(
      'Nothing was proposed. line 2',
    )
  })

  it('takes out the oldest ones, which would be sold next, or those of some ids', async () => {
    const type = await stockVouchers(app.database.db, keys, 0)
    await importPins(type, ['E1', 'E2', 'E3', 'E4'])
    const { approvalId, voucherIds } = await propose(type, { oldest: 2 })
    await confirm(approvalId)
    const [id = ''] = voucherIds
    const wanted = { text: id, id, phoneNumber: undefined, amountPesewas: undefined, recipients: [id] }
    const found = await voucherFinder.find({ db: app.database.db, secretsKeys: keys }, wanted, 10)
    expect(found).toMatchObject([
      { id, text: expect.stringContaining('took out of the stock'), path: `/approvals/${approvalId}` },
    ])
    const { key } = await app.makeReseller()
    expect((await buy(key, type.typeId, 1)).body.data.vouchers).toMatchObject([{ pin: 'E3' }])
    const left = await listUnsoldVouchers(app.database.db, keys, type.typeId, {})
    const byId = await propose(type, { ids: [...voucherIds, ...left, 'x'] })
    expect(byId.voucherIds).toEqual(left)
  })

  it('lets what was taken out be imported again, under its type or another', async () => {
    const [wrong, right] = [await stockVouchers(app.database.db, keys, 0), await stockVouchers(app.database.db, keys, 0)]
    await importPins(wrong, ['C1', 'C2'])
    await expect(importPins(right, ['C1'])).rejects.toThrow('is known already as a voucher of another type')
    await confirm((await propose(wrong, {})).approvalId)
    expect(await importPins(right, ['C1'])).toMatchObject({ imported: 1, skipped: 0 })
    expect(await importPins(wrong, ['C2'])).toMatchObject({ imported: 1, skipped: 0 })
    const { key } = await app.makeReseller()
    expect((await buy(key, right.typeId, 1)).body.data.vouchers).toMatchObject([{ pin: 'C1', serial_number: 'S-C1' }])
  })

  it('keeps what it took out sealed, also when the key changes', async () => {
    const type = await stockVouchers(app.database.db, keys, 0)
    await importPins(type, ['D1'])
    await confirm((await propose(type, {})).approvalId)
    const row = async () => {
      const rows = app.database.db.selectFrom('withdrawn_vouchers').selectAll().where('type_id', '=', type.typeId)
      return rows.executeTakeFirstOrThrow()
    }
    const before = await row()
    expect(unsealVoucher(keys, before)).toEqual({ pin: 'D1', serialNumber: 'S-D1' })
    const current = (await readFile(join(app.dataDir, 'secrets.key'), 'utf8')).trim()
    const newText = Buffer.alloc(32, 7).toString('base64')
    await rotateSecrets(app.database.db, parseSecretsKeys(`${newText}\n${current}`, 'test'), sealedVoucherColumns, {
      actor: 'test',
    })
    expect(unsealVoucher(parseSecretsKeys(newText, 'test'), await row())).toEqual({ pin: 'D1', serialNumber: 'S-D1' })
    await rotateSecrets(app.database.db, parseSecretsKeys(`${current}\n${newText}`, 'test'), sealedVoucherColumns, {
      actor: 'test',
    })
    expect((await row()).pin_hash).toEqual(before.pin_hash)
  })

  it('racing with purchases, each voucher is sold or taken out, and none both', async () => {
    const type = await stockVouchers(app.database.db, keys, 60)
    const { key } = await app.makeReseller({ balancePesewas: 200_000 })
    const { approvalId } = await propose(type, {})
    const [, ...sales] = await Promise.all([confirm(approvalId), ...Array.from({ length: 40 }, () => buy(key, type.typeId, 1))])
    const sold = sales.filter(({ status }) => status === 200).length
    expect(await stockOf(type)).toEqual({ left: 0, sold, withdrawn: 60 - sold })
    expect(new Set(sales.map(({ status }) => status)).difference(new Set([200, 400])).size).toBe(0)
  })
})

describe('the stock', () => {
  it('is left by no voucher without two people: not by a process, and the audit would find it', async () => {
    const type = await stockVouchers(app.database.db, keys, 3)
    const { approvalId, voucherIds } = await propose(type, {})
    await expect(sql`delete from vouchers where type_id = ${type.typeId}`.execute(app.database.db)).rejects.toThrow(
      'permission denied',
    )
    const alone = sql`select withdraw_vouchers(${approvalId}, ${voucherIds}::uuid[])`
    await expect(alone.execute(app.database.db)).rejects.toThrow('by the word of two people')
    const behindAForgedTable = app.database.db.transaction().execute(async (tx) => {
      await sql`create temporary table approvals on commit drop as
        select id, kind, 'done'::text as state from public.approvals where id = ${sql.lit(approvalId)}`.execute(tx)
      await alone.execute(tx)
    })
    await expect(behindAForgedTable).rejects.toThrow('by the word of two people')
    await expect(sql`delete from withdrawn_vouchers`.execute(app.database.db)).rejects.toThrow('permission denied')
    await confirm(approvalId)
    const check = resultsCheckerAuditChecks.find(({ name }) => name === 'voucher_withdrawn_without_two_people')!
    const bad = async () => (await runAudit(app.database.db, [check], { isFull: true })).checks[check.name]
    expect(await bad()).toBe(0)
    const as = (state: string) =>
      app.database.ownerDb.transaction().execute(async (tx) => {
        await sql`alter table approvals disable trigger user`.execute(tx)
        await sql`update approvals set state = ${state} where id = ${approvalId}`.execute(tx)
        await sql`alter table approvals enable trigger user`.execute(tx)
      })
    await as('refused')
    expect(await bad()).toBe(3)
    await as('done')
    expect(await bad()).toBe(0)
  })
})
