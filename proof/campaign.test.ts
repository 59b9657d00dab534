import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest'
import { askSmsc, findTextBreaches } from './src/breaches/find-text-breaches.ts'
import { type LedgerWatch, watchLedger } from './src/breaches/watch-ledger.ts'
import type { Client } from './src/client.ts'
import { countStandstills, observeUndisturbed } from './src/faults/undisturbed.ts'
import { type Installation, startInstallation } from './src/installation.ts'
import { openSmsShop, type SmsShop } from './src/open-shop.ts'
import { type Random, runSeconds, startRandomRun } from './src/random.ts'
import { waitUntil } from './src/wait-until.ts'

const recipientsMax = 10_000
const credits = 1_000_000

/** A link names at most twice its supplier's slots, which are 20 here, so one kill leaves at most this many unknown. */
const windowMax = 40

const killSeconds = runSeconds(1)

let installation: Installation
let client: Client
let shop: SmsShop
let watch: LedgerWatch

/** Number of the next campaign. It decides the first digits of its phone numbers, so that no number is in two campaigns. */
let series = 0

/**
 * A run of kills is started only below this number of campaigns. It makes two, the test after it one, and there are
 * first digits for 19.
 */
const seriesMax = 17

beforeAll(async () => {
  installation = await startInstallation({ apis: 1, simulator: { SIMULATOR_TIME_SCALE: '0.1' } })
  client = await installation.openClient()
  shop = await openSmsShop(installation, { name: 'esi', credits })
})
afterAll(() => installation?.destroy())
beforeEach(() => {
  watch = watchLedger(installation)
})
afterEach(async () => {
  await watch.stop()
  await fetch(`${installation.simulator.url}/control/smsc`, { method: 'DELETE' })
})

/** Makes numbers with all endings that the SMSC scripts; it refuses one in twenty. */
function numbersOf(random: Random, count: number): string[] {
  series += 1
  const endings = ['921', '922', '923', '924', ...Array.from({ length: 16 }, () => '000')]
  return Array.from(
    { length: count },
    (_, n) => `0${series < 10 ? 2 : 5}${series % 10}${String(n).padStart(4, '0')}${random.pick(endings)}`,
  )
}

type Campaign = { readonly id: string; readonly recipients: number; readonly segments: number }

/** Asks the API as the reseller. Fails on any refusal. */
async function ask<Data>(path: string, body?: unknown): Promise<Data> {
  const method = body === undefined ? 'GET' : 'POST'
  const outcome = await client.ask({ url: `${installation.apis[0]?.url}/api/v2${path}`, method, key: shop.key, body })
  if (outcome.kind !== 'answer' || outcome.status !== 200 || !outcome.body) throw new Error(`${path}: ${JSON.stringify(outcome)}`)
  return outcome.body.data as Data
}

/** Sends a campaign with a new text of this many segments. */
async function send(recipients: readonly string[], segments = 1): Promise<Campaign> {
  const message = `Proof ${series} ${'a'.repeat(segments === 1 ? 20 : 153 * segments - 20)}`
  const body = { message, recipients, reference: `campaign-${series}` }
  const sent = await ask<{ campaignId: string; creditsCharged: number }>('/sms/send', body)
  expect(sent.creditsCharged).toBe(recipients.length * segments)
  return { id: sent.campaignId, recipients: recipients.length, segments }
}

/** Number of messages in each status, as the API answers the reseller. */
async function deliveryOf({ id }: Campaign): Promise<Readonly<Record<string, number>>> {
  return (await ask<{ delivery: Record<string, number> }>(`/sms/messages/${id}`)).delivery
}

const submits = async () => (await askSmsc<{ submits: number }>(installation, '/smsc/count')).submits

/** Number of messages that wait for a link, plus campaigns that have not begun. */
async function countOpen(): Promise<number> {
  const [row] = await installation.query<{ count: number }>(
    `select (select count(*) from sms_messages where submit = 'waiting')::int
       + (select count(*) from sms_campaigns where status = 'queued')::int as count`,
  )
  return row?.count ?? 0
}

/** Number of messages without an answer, read from the database. */
async function countUnanswered(): Promise<number> {
  const rows = await installation.query(`select from sms_messages where submit = 'unanswered'`)
  return rows.length
}

const sumOf = (delivery: Readonly<Record<string, number>>) => Object.values(delivery).reduce((sum, count) => sum + count, 0)

/** Expects that campaigns cost a credit for each segment of every message that did not fail, and nothing for the others. */
async function expectCreditsToAddUp(campaigns: readonly Campaign[]): Promise<void> {
  let spent = 0
  for (const campaign of campaigns) {
    const delivery = await deliveryOf(campaign)
    expect(sumOf(delivery)).toBe(campaign.recipients)
    const failed = delivery['failed'] ?? 0
    const [row] = await installation.query<{ status: string; charged: number; refunded: number; given_back: number }>(
      `select status, credits_charged::int as charged, credits_refunded::int as refunded,
         coalesce((select sum(amount) from transfers where cause_id = id and kind in ('refund', 'sms_refund')), 0)::int as given_back
       from sms_campaigns where id = $1`,
      [campaign.id],
    )
    const refunded = failed * campaign.segments
    expect(row).toEqual({
      status: 'completed',
      charged: (campaign.recipients - failed) * campaign.segments + refunded,
      refunded,
      given_back: refunded,
    })
    spent += (campaign.recipients - failed) * campaign.segments
  }
  expect(await ask('/sms/balance')).toMatchObject({ credits: credits - spent })
  expect((await installation.tryCommand('audit')).json).toMatchObject({ ok: true })
}

/** Makes unanswered messages, and the running campaigns, 25 hours older. Call it only while no worker runs. */
async function endDeadlines(): Promise<void> {
  await installation.query(`update sms_campaigns set expanded_at = expanded_at - interval '25 hours' where status = 'processing'`)
  await installation.query(`update sms_messages set claimed_at = claimed_at - interval '25 hours' where submit = 'unanswered'`)
}

/** Kills the workers, and makes new ones settle all campaigns as if their deadlines were over. */
async function settleAll(): Promise<void> {
  await Promise.all(installation.workers.map((worker) => worker.kill()))
  await endDeadlines()
  await Promise.all(installation.workers.map((worker) => worker.start()))
  await waitUntil('the campaigns have settled', async () => {
    const rows = await installation.query(`select from sms_campaigns where settled_at is null`)
    return rows.length === 0
  })
}

const everyCampaign: Campaign[] = []

/**
 * Kills workers at random moments.
 * @returns how many times
 */
async function killWhileSending(random: Random, toSend: number): Promise<number> {
  const first = await submits()
  const moments = Array.from({ length: 4 }, () => first + random.between(200, toSend - 500)).toSorted((a, b) => a - b)
  let kills = 0
  for (const moment of moments) {
    await waitUntil(`${moment} texts were taken`, async () => (await submits()) >= moment || (await countOpen()) === 0)
    // Kills one worker or both. One of them holds the link and the other waits for it.
    const victims = random.isLucky(50) ? installation.workers : [random.pick(installation.workers)]
    await Promise.all(victims.map((worker) => worker.kill()))
    kills += 1
    expect(await findTextBreaches(installation)).toEqual([])
    await Promise.all(victims.map((worker) => worker.start()))
  }
  return kills
}

test(
  'nobody gets a text twice and no credit is lost while workers are killed in the middle of 10,000 recipients',
  async () => {
    const random = startRandomRun('campaign')
    onTestFailed(() => console.error(installation.readLogs()))
    const startedAt = performance.now()
    do {
      // Slow answers, so that some texts are in flight at every moment.
      await askSmsc(installation, '/control/smsc', { answerMilliseconds: 10 })
      const campaigns = [await send(numbersOf(random, recipientsMax)), await send(numbersOf(random, 600), 3)]
      everyCampaign.push(...campaigns)
      const standstills = countStandstills()
      const kills = await killWhileSending(random, 11_000)
      await waitUntil('everything was handed over', async () => (await countOpen()) === 0)
      let unanswered = 0
      let deliveries: Readonly<Record<string, number>>[] = []
      // If the machine stood still, answers come late, perhaps between the two checks.
      await waitUntil('what is unknown is told as queued', async () => {
        unanswered = await countUnanswered()
        deliveries = await Promise.all(campaigns.map(deliveryOf))
        return deliveries.reduce((sum, delivery) => sum + (delivery['queued'] ?? 0), 0) === unanswered
      })
      process.stdout.write(`campaign: ${kills} kills left ${unanswered} messages unanswered\n`)
      // A link that stands still for too long is lost, as by a kill.
      expect(unanswered).toBeLessThanOrEqual(windowMax * (kills + standstills()))
      expect(await findTextBreaches(installation)).toEqual([])
      expect(deliveries.map(sumOf)).toEqual(campaigns.map(({ recipients }) => recipients))
      await waitUntil('every receipt is in', async () => {
        const now = await Promise.all(campaigns.map(deliveryOf))
        return now.every((delivery) => delivery['sent'] === undefined)
      })

      await settleAll()
      await expectCreditsToAddUp(everyCampaign)
      expect(await findTextBreaches(installation)).toEqual([])
    } while (performance.now() - startedAt < killSeconds * 1_000 && series < seriesMax)
  },
  (killSeconds + 1_800) * 1_000,
)

test('a worker that is told to stop, or stands still for a moment, leaves nothing unknown', async () => {
  const random = startRandomRun('campaign, in order')
  onTestFailed(() => console.error(installation.readLogs()))
  // A link waits some seconds for answers, so the machine must not stand still meanwhile.
  const observed = await observeUndisturbed(async (round) => {
    if (round > 0) await settleAll()
    const seen = await stopAndPause(random)
    expect(await findTextBreaches(installation)).toEqual([])
    return seen
  })
  expect(observed).toEqual({
    exitCodes: [0, 0, 0, 0],
    unansweredAtStops: [0, 0],
    unbinds: 2,
    isAllHeardOf: true,
    queued: undefined,
  })
  await expectCreditsToAddUp(everyCampaign)
})

/** Sends a campaign, stops the workers in the middle of it, and later pauses them. Gives what is known of it. */
async function stopAndPause(random: Random) {
  await askSmsc(installation, '/control/smsc', { answerMilliseconds: 50 })
  const goodbyes = async () => (await askSmsc<{ unbinds: number }>(installation, '/smsc/count')).unbinds
  const unbinds = await goodbyes()
  const campaign = await send(numbersOf(random, 2_000))
  everyCampaign.push(campaign)
  const first = await submits()
  const exitCodes: (number | null)[] = []
  const unansweredAtStops: number[] = []
  for (const share of [400, 900]) {
    await waitUntil('some are sent', async () => (await submits()) - first > share)
    exitCodes.push(...(await Promise.all(installation.workers.map((worker) => worker.terminate()))))
    unansweredAtStops.push(await countUnanswered())
    await Promise.all(installation.workers.map((worker) => worker.start()))
  }
  const unbindsSince = (await goodbyes()) - unbinds
  await waitUntil('more are sent', async () => (await submits()) - first > 1_300)
  // The pause is longer than the wait for an answer, so answers that came during it are read too late.
  for (const worker of installation.workers) worker.pause()
  await sleep(2_400)
  for (const worker of installation.workers) worker.resume()
  await waitUntil('everything was handed over', async () => (await countOpen()) === 0)
  const isAllHeardOf = await waitUntil('everything is heard of', async () => {
    return (await countUnanswered()) === 0 && (await deliveryOf(campaign))['sent'] === undefined
  }).then(
    () => true,
    () => false,
  )
  return { exitCodes, unansweredAtStops, unbinds: unbindsSince, isAllHeardOf, queued: (await deliveryOf(campaign))['queued'] }
}
