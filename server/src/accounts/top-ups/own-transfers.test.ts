import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Agent, request as send } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { untilTrue } from '../../../test/patience.ts'
import { setByTwoPeople } from '../../../test/set-by-two-people.ts'
import { setUpPeople } from '../../../test/set-up-people.ts'
import { allApprovalKinds } from '../../all-approval-kinds.ts'
import { creditByPeople } from '../../money/by-people/credit-by-people.ts'
import { receiptId } from '../../money/by-people/receipt-number.ts'
import { creditLimitOnePerson } from '../../money/money.settings.ts'
import { transferInstructions } from '../../money/top-ups/top-ups.settings.ts'
import { confirmApproval } from '../../platform/approvals/decide-approval.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { confirmTransfer, declineTopUp } from './confirm-transfers.ts'

const shop = setUpPeople()

type TopUp = { top_up_id: string; state: string }

let ama: TestBrowser
let agent: Agent
let made = 0

beforeAll(async () => {
  ama = await shop.makeMember('ama@example.test')
  agent = new Agent({ connect: { ca: await readFile(join(shop.app.dataDir, 'tls', 'ca.pem')) } })
  await setByTwoPeople(shop.db, transferInstructions, 'MoMo to 024 000 0000, Makola Ltd.')
  await shop.app.untilSeen()
})
afterAll(async () => {
  await mustPassAudit(shop.db)
  await agent.close()
})

const readOne = async ({ top_up_id: id }: TopUp): Promise<TopUp> => (await ama.ask('GET', `/app/api/top-ups/${id}`)).body.data

const creditsOf = ({ top_up_id: id }: TopUp) =>
  shop.db.selectFrom('transfers').select(['kind', 'from_purse', 'to_purse', 'amount']).where('cause_id', '=', id).execute()

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a transfer of the reseller’s own', () => {
  const note = async (transferReference: string, { amount = 200, payer = ama, reference = '' } = {}) => {
    made += 1
    const body = {
      reference: reference || `page-reference-${made}`,
      amount,
      transfer_reference: transferReference,
      note: 'from my MTN wallet',
    }
    return payer.ask('POST', '/app/api/top-ups/transfers', body)
  }
  const kofi = { by: 'kofi', osUser: 'kofi' }
  const esi = { by: 'esi', osUser: 'esi' }
  const confirm = (topUp: TopUp, person = kofi) =>
    inTransaction(shop.db, (tx) => confirmTransfer(tx, { topUpId: topUp.top_up_id, person, isLive: false }))

  it('waits for a person, who credits it once', async () => {
    const { status, body } = await note('MP 2611.22-1')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      state: 'waiting',
      way: 'transfer',
      amount: 200,
      fee: 0,
      transfer_reference: 'MP 2611.22-1',
    })
    const [one, other] = await Promise.allSettled([confirm(body.data), confirm(body.data, esi)])
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await readOne(body.data)).toMatchObject({ state: 'credited' })
    expect(await creditsOf(body.data)).toEqual([{ kind: 'top_up', from_purse: 'top_ups', to_purse: 'main', amount: 20_000 }])
  })

  it('is noted once by its account, and credited once whoever else notes it', async () => {
    const { body: mine } = await note('TX-77 a')
    const reference = `page-reference-${made}`
    expect((await note('TX-77 a', { reference })).body.data.top_up_id).toBe(mine.data.top_up_id)
    // Another transfer is not taken for the first one, though the page sends it under the same reference.
    expect((await note('TX-78', { reference })).headers['x-error-reason']).toBe('reference_taken')
    expect((await note('tx77A')).headers['x-error-reason']).toBe('transfer_noted')
    const { body: theirs } = await note('TX77A', { payer: await shop.makeMember('yaa@example.test') })
    await confirm(mine.data)
    await expect(confirm(theirs.data)).rejects.toThrow(`was credited already, as top-up ${mine.data.reference}.`)
    await inTransaction(shop.db, (tx) => declineTopUp(tx, { topUpId: theirs.data.top_up_id, person: kofi, reason: 'not yours' }))
    await expect(confirm(theirs.data)).rejects.toThrow('is declined already')
  })

  it('takes two people above the limit of one', async () => {
    await setByTwoPeople(shop.db, creditLimitOnePerson, 100)
    const { body } = await note('TX-1000')
    expect(await confirm(body.data)).toMatchObject({ state: 'proposed', status: 'pending' })
    const proposed = await confirm(body.data)
    if (proposed.state !== 'proposed') throw new Error('one person credited it')
    const { approvalId } = proposed
    await expect(
      inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: kofi })),
    ).rejects.toThrow('a second person confirms')
    expect(await creditsOf(body.data)).toEqual([])
    await inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: esi }))
    expect(await creditsOf(body.data)).toHaveLength(1)
    await setByTwoPeople(shop.db, creditLimitOnePerson, null)
  })

  it('is not credited by hand too, where that was proposed before the transfer was confirmed', async () => {
    await setByTwoPeople(shop.db, creditLimitOnePerson, 100)
    const { body } = await note('TX-2000')
    const { account_id: accountId } = (await ama.ask('GET', '/app/api/me')).body.data.account
    const credit = {
      accountId,
      purse: 'main' as const,
      amount: 20_000,
      receipt: { way: 'momo' as const, number: 'tx 2000', pageReference: 'page-of-the-desk' },
      note: 'seen on the phone',
      person: kofi,
      isLive: false,
    }
    const byHand = await inTransaction(shop.db, (tx) => creditByPeople(tx, credit))
    if (byHand.state !== 'proposed') throw new Error('one person credited it')
    const proposed = await confirm(body.data)
    if (proposed.state !== 'proposed') throw new Error('one person credited it')
    const agree = ({ approvalId }: { approvalId: string }) =>
      inTransaction(shop.db, (tx) => confirmApproval(tx, allApprovalKinds, { approvalId, person: esi }))
    await agree(proposed)
    await expect(agree(byHand)).rejects.toThrow('momo TX2000 was credited already as a top-up: GHS 200.00')
    await setByTwoPeople(shop.db, creditLimitOnePerson, null)
  })

  describe('confirmed while the same transfer is credited by hand to another account', () => {
    /** Begins the second while the first has not committed, and ends both once the second waits or has been answered. */
    const together = async (first: (tx: Tx) => Promise<unknown>, second: (tx: Tx) => Promise<unknown>) => {
      let hasAnswered = false
      const { other } = await inTransaction(shop.db, async (tx) => {
        await first(tx)
        const answer = inTransaction(shop.db, second).finally(() => {
          hasAnswered = true
        })
        const settled = Promise.allSettled([answer])
        const isWaiting = async () => {
          const { rows } = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db)
          return rows.length > 0
        }
        await untilTrue(
          async () => hasAnswered || (await isWaiting()),
          () => 'the second neither waits nor ends',
        )
        return { other: settled }
      })
      const [{ status, ...rest }] = await other
      return status === 'rejected' && 'reason' in rest ? String(rest.reason) : status
    }
    const makeBoth = async (number: string, receiptOrId: 'receipt' | 'id with its way' | 'id') => {
      const { body } = await note(number)
      const yaa = await shop.makeMember(`${number.toLowerCase()}@example.test`)
      const { account_id: accountId } = (await yaa.ask('GET', '/app/api/me')).body.data.account
      const receipt = { way: 'momo' as const, number, pageReference: `page-of-${number}` }
      const named = {
        receipt: { receipt },
        'id with its way': { externalId: receiptId('momo', number) },
        id: { externalId: number },
      }[receiptOrId]
      const credit = { accountId, purse: 'main' as const, amount: 20_000, note: 'seen', person: esi, isLive: false, ...named }
      return {
        byHand: (tx: Tx) => creditByPeople(tx, credit),
        confirmed: (tx: Tx) => confirmTransfer(tx, { topUpId: body.data.top_up_id, person: kofi, isLive: false }),
      }
    }

    it.each([
      ['receipt', 'BOTH-1', 'BOTH-2'],
      ['id with its way', 'BOTH-3', 'BOTH-4'],
      ['id', 'BOTH-5', 'BOTH-6'],
    ] as const)('is credited once, whichever is first: %s', async (kind, one, other) => {
      const handFirst = await makeBoth(one, kind)
      expect(await together(handFirst.byHand, handFirst.confirmed)).toContain(`The transfer ${one} was credited by hand already`)
      const handLast = await makeBoth(other, kind)
      expect(await together(handLast.confirmed, handLast.byHand)).toContain('was credited already as a top-up: GHS 200.00')
    })
  })

  it('carries a picture, known by its bytes, until it is decided', async () => {
    const { body } = await note('TX-PICTURE')
    const path = `/app/api/top-ups/${body.data.top_up_id}/picture`
    const put = async (bytes: Buffer, type: string) => {
      const cookie = [...ama.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, origin: shop.app.url, 'content-type': type }
      const answer = await send(`${shop.app.url}${path}`, { method: 'PUT', dispatcher: agent, headers, body: bytes })
      await answer.body.dump()
      return answer.statusCode
    }
    expect(await put(Buffer.from('<svg onload="alert(1)"/>'), 'image/png')).toBe(400)
    expect(await put(png, 'text/html')).toBe(400)
    expect(await put(Buffer.concat([png, Buffer.alloc(1_048_577)]), 'image/png')).toBe(400)
    expect(await put(png, 'image/jpeg')).toBe(200)
    expect(await ama.download(path)).toEqual({ status: 200, type: 'image/png', bytes: png })
    expect((await ama.ask('GET', `/app/api/top-ups/${body.data.top_up_id}`)).body.data.has_picture).toBe(true)
    await confirm(body.data)
    expect(await put(png, 'image/png')).toBe(409)
  })

  it('is no way where the operator has set no instructions', async () => {
    await setByTwoPeople(shop.db, transferInstructions, '')
    await shop.app.untilSeen()
    expect((await note('TX-CLOSED')).status).toBe(503)
    expect((await ama.ask('GET', '/app/api/top-ups/ways')).body.data.transfer_instructions).toBeNull()
  })
})
