import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { sleepToProveAbsence } from '../../../../test/patience.ts'
import { watchEpoch } from '../../../platform/database/epoch.ts'
import { openSettings } from '../../../platform/settings/settings.ts'
import { loadRoutes } from '../../../suppliers/routes/load-routes.ts'
import type { OutgoingSms, SmsAnswer, SmsLink, SmsLinkEvents } from '../../../suppliers/sms-ports.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import { readMessages, until, useFreshSmsBenches } from '../sms-bench.fixture.ts'
import { openHandOver } from './hand-over-messages.ts'
import { takeOverClaims } from './take-over-claims.ts'

const bench = useFreshSmsBenches()

const taken: SmsAnswer = { meaning: 'accepted', evidence: 'taken', messageIds: [] }
const cut: SmsAnswer = { meaning: 'unknown', evidence: 'the link was cut', messageIds: [] }

/** The most unanswered texts at the supplier, and the most in a window, which a crash may leave unknown. */
const submitsAtOnce = 20
const windowSize = 40

type Submit = { readonly sms: OutgoingSms; readonly answer: (answer: SmsAnswer) => void }

/** A supplier with a bound link, which answers a text when the test wants. */
function createStubSupplier(onSubmit: (sms: OutgoingSms) => void) {
  const submits: Submit[] = []
  let isBound = true
  let events: SmsLinkEvents | undefined
  const end = () => {
    isBound = false
    events?.onStateChange(false, 'closed')
    for (const { answer } of submits) answer(cut)
  }
  const link: SmsLink = {
    isBound: () => isBound,
    submit: (sms) =>
      new Promise((resolve) => {
        submits.push({ sms, answer: resolve })
        onSubmit(sms)
      }),
    close: async () => end(),
    destroy: end,
  }
  const limits = { submitsAtOnce, submitsPerSecond: null }
  const openSmsLink = (given: SmsLinkEvents) => {
    events = given
    return link
  }
  return { end, submits, supplier: { name: 'smsc', resubmitsUnanswered: false, ...limits, openSmsLink } }
}

/** Opens the hand-over with a stub supplier, on the bench's database. */
async function openStubHandOver(onSubmit: (sms: OutgoingSms) => void = () => undefined) {
  const { db } = bench.app.database
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push((JSON.parse(line) as { msg: string }).msg) })
  const epoch = await watchEpoch(db)
  const routes = await loadRoutes({ db, epoch, log })
  const holder = await takeOverClaims(db, 'smsc', { isResubmitting: false, receiptDays: 7 })
  const { end, submits, supplier } = createStubSupplier(onSubmit)
  const handOver = openHandOver({ db, log, routes, settings: openSettings(db, epoch) }, supplier, holder)
  handOver.open()
  onTestFinished(async () => {
    await handOver.stop(true)
    routes.stop()
    epoch.stop()
  })
  return { end, handOver, submits, warnings }
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `0${241_000_000 + (from + n) * 1_000}`)

/**
 * Makes a campaign whose messages wait for a link. Does not await the send, which is answered only after the test answers
 * its messages.
 */
async function makeCampaign(recipients: readonly string[]): Promise<string> {
  const { db } = bench.app.database
  const reseller = await bench.makeSmsReseller()
  void bench.send(reseller, { message: 'Your order is ready.', recipients })
  let id: string | undefined
  await until('the campaign is there', async () => {
    await expandCampaigns(db)
    const row = await db
      .selectFrom('sms_messages')
      .select('campaign_id')
      .where('recipient', '=', `233${recipients[0]?.slice(1)}`)
      .executeTakeFirst()
    id = row?.campaign_id
    return id !== undefined
  })
  return id as string
}

const statesOf = async (id: string) => (await readMessages(bench, id)).map(({ submit }) => submit)

it('a text leaves although the one before it is not answered', async () => {
  const { handOver, submits } = await openStubHandOver()
  const first = await makeCampaign(numbers(1))
  handOver.wake()
  await until('the first is sent', async () => submits.length === 1)
  const second = await makeCampaign(numbers(1, 1))
  handOver.wake()
  await until('the second is sent', async () => submits.length === 2)
  expect([...(await statesOf(first)), ...(await statesOf(second))]).toEqual(['waiting', 'waiting'])
  for (const { answer } of submits) answer(taken)
  await until(
    'both are answered',
    async () => [...(await statesOf(first)), ...(await statesOf(second))].join() === 'answered,answered',
  )
})

it('no more than the window is sent without an answer, each place that an answer frees is used, and a window names a text before it is sent', async () => {
  const { db } = bench.app.database
  const looks: Promise<boolean>[] = []
  async function isNamed({ recipient }: OutgoingSms): Promise<boolean> {
    const { campaign_ids, numbers: named } = await db
      .selectFrom('sms_windows')
      .selectAll()
      .where('supplier', '=', 'smsc')
      .executeTakeFirstOrThrow()
    const message = await db
      .selectFrom('sms_messages')
      .select(['campaign_id', 'n'])
      .where('recipient', '=', recipient)
      .executeTakeFirstOrThrow()
    return named.some((n, index) => n === message.n && campaign_ids[index] === message.campaign_id)
  }
  const { handOver, submits } = await openStubHandOver((sms) => looks.push(isNamed(sms)))
  const id = await makeCampaign(numbers(windowSize + 10))
  handOver.wake()
  await until('the window is full', async () => submits.length === windowSize)
  await sleepToProveAbsence(200)
  expect(submits).toHaveLength(windowSize)
  // The test answers no text before each text was searched in the window.
  expect(await Promise.all(looks)).toEqual(Array.from({ length: windowSize }, () => true))
  for (const { answer } of submits.slice(0, 10)) answer(taken)
  await until('all are sent', async () => submits.length === windowSize + 10)
  expect(await Promise.all(looks)).toEqual(Array.from({ length: windowSize + 10 }, () => true))
  for (const { answer } of submits) answer(taken)
  await until('all are answered', async () => (await statesOf(id)).every((submit) => submit === 'answered'))
  expect(new Set(submits.map(({ sms }) => sms.recipient)).size).toBe(windowSize + 10)
})

it('a link that got another holder sends nothing more, and is given up at once when it is stopped', async () => {
  const { handOver, submits, warnings } = await openStubHandOver()
  // More recipients than the call waits for.
  const id = await makeCampaign(numbers(501))
  handOver.wake()
  await until('the window is full', async () => submits.length === windowSize)
  await takeOverClaims(bench.app.database.db, 'smsc', { isResubmitting: false, receiptDays: 7 })
  for (const { answer } of submits) answer(taken)
  await until('it is noticed', async () => warnings.length > 0)
  await handOver.stop(false)
  await sleepToProveAbsence(1_500)
  expect(warnings).toEqual(['an SMS link has another holder'])
  expect(submits).toHaveLength(windowSize)
  const states = Object.groupBy(await statesOf(id), (submit) => submit)
  expect({ unanswered: states.unanswered?.length, waiting: states.waiting?.length }).toEqual({
    unanswered: windowSize,
    waiting: 501 - windowSize,
  })
})

it('a link that the supplier ends is a warning in the log, and one that is closed here is none', async () => {
  const lost = await openStubHandOver()
  lost.end()
  expect(lost.warnings).toEqual(['an SMS link is down'])
  const stopped = await openStubHandOver()
  await stopped.handOver.stop(true)
  expect(stopped.warnings).toEqual([])
})
