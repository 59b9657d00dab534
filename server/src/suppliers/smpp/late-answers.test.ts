import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { OutgoingSms, SmsAnswer, SmsLink } from '../sms-ports.ts'
import { freshNumber, gsm, type SmppBench, sms, startSmppBench, until } from './smpp-bench.fixture.ts'

let bench: SmppBench

beforeAll(async () => {
  bench = await startSmppBench()
})
afterEach(() => bench.reset())
afterAll(() => bench.close())

const settings = { responseSeconds: 0.2 }
/** Holds every answer until the test releases it. */
const hold = () => bench.ask('POST', '/control/smsc', { holdsAnswers: true })
const letGo = () => bench.ask('POST', '/control/smsc', { holdsAnswers: false })
/** The answer to a text, in time or late: on a busy machine the short time may be over before it comes. */
const answerTo = (link: SmsLink, text: OutgoingSms) =>
  new Promise<SmsAnswer>((resolve, reject) => {
    link.submit(text, resolve).then((answer) => answer.meaning === 'unknown' || resolve(answer), reject)
  })
const submits = async () => (await bench.ask('GET', '/smsc/count'))['submits'] as number

it('an answer that comes after its time-out is told with the id of the text', async () => {
  await hold()
  const link = await bench.bind({ settings })
  const late: SmsAnswer[] = []
  const recipient = freshNumber()
  expect(await link.submit(sms(recipient), (answer) => late.push(answer))).toMatchObject({ meaning: 'unknown', messageIds: [] })
  expect(late).toEqual([])
  await letGo()
  await until(() => late.length > 0)
  expect(late).toMatchObject([{ meaning: 'accepted', messageIds: [expect.any(String)] }])
  await until(() => bench.receipts.some((receipt) => receipt.recipient === recipient))
  expect(bench.receipts.find((receipt) => receipt.recipient === recipient)?.messageId).toBe(late[0]?.messageIds[0])
})

it('a refusal that comes late is a refusal', async () => {
  await hold()
  const link = await bench.bind({ settings })
  const late: SmsAnswer[] = []
  expect(await link.submit(sms(freshNumber('921')), (answer) => late.push(answer))).toMatchObject({ meaning: 'unknown' })
  await letGo()
  await until(() => late.length > 0)
  expect(late).toMatchObject([{ meaning: 'rejected', messageIds: [] }])
})

it('the segments after one that was answered late are sent then, and the text arrives whole', async () => {
  await hold()
  const link = await bench.bind({ settings })
  const late: SmsAnswer[] = []
  const recipient = freshNumber()
  const text = gsm('a'.repeat(153), 'b'.repeat(153), 'c')
  expect(await link.submit(sms(recipient, text), (answer) => late.push(answer))).toMatchObject({ meaning: 'unknown' })
  await letGo()
  await until(() => late.length > 0)
  expect(late).toMatchObject([{ meaning: 'accepted' }])
  expect(late[0]?.messageIds).toHaveLength(3)
  expect((await bench.textsOf(recipient)).map((each) => each.text)).toEqual([`${'a'.repeat(153)}${'b'.repeat(153)}c`])
})

it('a text that was throttled late is offered again, by the same submission', async () => {
  await bench.ask('POST', '/control/smsc', { holdsAnswers: true, fullQueues: 1 })
  const link = await bench.bind({ settings })
  const late: SmsAnswer[] = []
  const before = await submits()
  expect(await link.submit(sms(freshNumber()), (answer) => late.push(answer))).toMatchObject({ meaning: 'unknown' })
  await letGo()
  await until(() => late.length > 0)
  expect(late).toMatchObject([{ meaning: 'accepted' }])
  expect(await submits()).toBe(before + 1)
})

it('a late answer is waited for outside the window: others go on', async () => {
  await bench.ask('POST', '/control/smsc', { lostAnswers: 2 })
  const link = await bench.bind({ settings, windowSize: 2 })
  const lost = await Promise.all([link.submit(sms(freshNumber())), link.submit(sms(freshNumber()))])
  expect(lost.map(({ meaning }) => meaning)).toEqual(['unknown', 'unknown'])
  expect(await answerTo(link, sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
})

it('what the end of the connection leaves unanswered stays unknown, unless other segments were never sent', async () => {
  await bench.ask('POST', '/control/smsc', { lostAnswers: 2 })
  const link = await bench.bind({ settings })
  const late: SmsAnswer[] = []
  const answers = await Promise.all([
    link.submit(sms(freshNumber()), () => late.push({ meaning: 'unknown', evidence: 'of one segment', messageIds: [] })),
    link.submit(sms(freshNumber(), gsm('a'.repeat(153), 'b')), (answer) => late.push(answer)),
  ])
  expect(answers.map(({ meaning }) => meaning)).toEqual(['unknown', 'unknown'])
  await bench.ask('POST', '/control/smsc/cut', {})
  await until(() => late.length > 0)
  // The end of the first connection has been reported before the next one is used.
  await until(() => link.isBound())
  expect(await answerTo(link, sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
  expect(late).toMatchObject([{ meaning: 'rejected', evidence: expect.stringContaining('other segments were not sent') }])
})

it('where texts may be handed over again, a late answer is not waited for', async () => {
  await hold()
  const link = await bench.bind({ settings: { ...settings, resubmitUnanswered: true } })
  const late: SmsAnswer[] = []
  const text = gsm('a'.repeat(153), 'b')
  const before = await submits()
  expect(await link.submit(sms(freshNumber(), text), (answer) => late.push(answer))).toMatchObject({ meaning: 'unknown' })
  // What was sent later to a patient link is answered after it, and on this one an answer comes after the late one.
  const patient = await bench.bind()
  const later = patient.submit(sms(freshNumber()))
  await until(async () => (await submits()) === before + 2)
  await letGo()
  expect(await later).toMatchObject({ meaning: 'accepted' })
  // On a busy machine an answer may be late again, and is then lost.
  let tries = 0
  await until(async () => {
    tries += 1
    return (await link.submit(sms(freshNumber()))).meaning === 'accepted'
  })
  expect(late).toEqual([])
  expect(await submits()).toBe(before + 2 + tries)
})
