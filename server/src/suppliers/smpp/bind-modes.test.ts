import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readSmppSettings } from './settings.ts'
import { freshNumber, gsm, type SmppBench, sms, startSmppBench, until } from './smpp-bench.fixture.ts'

let bench: SmppBench

beforeAll(async () => {
  bench = await startSmppBench()
})
afterEach(() => bench.reset())
afterAll(() => bench.close())

type Session = { mode: string }

const sessions = async () =>
  ((await bench.ask('GET', '/smsc/sessions'))['sessions'] as Session[]).map(({ mode }) => mode).toSorted()

it('a link binds one transceiver unless its settings say otherwise', async () => {
  await bench.bind()
  expect(await sessions()).toEqual(['transceiver'])
})

it('a pair sends by its transmitter and hears receipts by its receiver', async () => {
  const link = await bench.bind({ settings: { bindMode: 'pair' } })
  expect(await sessions()).toEqual(['receiver', 'transmitter'])
  const recipient = freshNumber()
  const answer = await link.submit(sms(recipient))
  expect(answer).toMatchObject({ meaning: 'accepted' })
  await until(() => bench.receipts.length > 0)
  expect(bench.receipts).toEqual([{ messageId: answer.messageIds[0], recipient, state: 'delivered' }])
})

it.each(['receiver', 'transmitter'])('a pair that loses its %s ends both connections and binds both again', async (mode) => {
  const link = await bench.bind({ settings: { bindMode: 'pair' } })
  await bench.ask('POST', '/control/smsc', { refusesBinds: true })
  await bench.ask('POST', '/control/smsc/cut', { mode })
  await until(() => !link.isBound())
  await until(async () => (await sessions()).length === 0)
  await bench.ask('DELETE', '/control/smsc')
  await until(() => link.isBound())
  expect(await sessions()).toEqual(['receiver', 'transmitter'])
  expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
})

it('a pair that loses its receiver still waits for the answers to what its transmitter has sent', async () => {
  await bench.ask('POST', '/control/smsc', { answerMilliseconds: 300 })
  const link = await bench.bind({ settings: { bindMode: 'pair' } })
  const taken = async () => (await bench.ask('GET', '/smsc/count'))['submits'] as number
  const before = await taken()
  const answers = Promise.all(Array.from({ length: 5 }, () => link.submit(sms(freshNumber()))))
  await until(async () => (await taken()) === before + 5)
  await bench.ask('POST', '/control/smsc/cut', { mode: 'receiver' })
  await until(() => !link.isBound())
  expect((await answers).map(({ meaning }) => meaning)).toEqual(Array.from({ length: 5 }, () => 'accepted'))
})

it('a pair of which one bind is refused keeps neither', async () => {
  await bench.ask('POST', '/control/smsc', { refuseTransmittersWith: 0x0d })
  const link = await bench.bind({ settings: { bindMode: 'pair' }, isExpectedDown: true })
  await until(() => bench.evidence.some((why) => why.includes('bind_transmitter refused: command_status 0x0d')))
  expect(link.isBound()).toBe(false)
  await link.close()
  await until(async () => (await sessions()).length === 0)
})

it('a transmitter sends, asks for no receipts, and hears none', async () => {
  const link = await bench.bind({ settings: { bindMode: 'transmitter' } })
  expect(await sessions()).toEqual(['transmitter'])
  const recipient = freshNumber()
  const text = gsm('a'.repeat(153), 'b')
  expect((await link.submit(sms(recipient, text))).messageIds).toHaveLength(2)
  expect((await bench.textsOf(recipient)).map((each) => each.text)).toEqual([`${'a'.repeat(153)}b`])
  // A bind that also receives gets the receipts of what was sent on it, and no others.
  const second = await bench.bind()
  const other = freshNumber()
  await second.submit(sms(other))
  const heardOf = () => bench.receipts.map((receipt) => receipt.recipient)
  await until(() => heardOf().includes(other))
  expect(heardOf()).not.toContain(recipient)
})

it.each([0x03, 0x0d])(
  'an SMSC that knows no transceivers (%i) keeps such a link down, says so, and takes a pair',
  async (refuseTransceiversWith) => {
    await bench.ask('POST', '/control/smsc', { refuseTransceiversWith })
    const link = await bench.bind({ isExpectedDown: true })
    await until(() => bench.evidence.length > 0)
    expect(bench.evidence[0]).toContain(`bind_transceiver refused: command_status 0x0${refuseTransceiversWith.toString(16)}`)
    expect(bench.evidence[0]).toContain('bindMode')
    expect(link.isBound()).toBe(false)
    const pair = await bench.bind({ settings: { bindMode: 'pair' } })
    expect(await pair.submit(sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
  },
)

it('says goodbye on both connections of a pair, after the answers under way', async () => {
  await bench.ask('POST', '/control/smsc', { answerMilliseconds: 200 })
  const link = await bench.bind({ settings: { bindMode: 'pair' } })
  const count = async (what: 'unbinds' | 'submits') => (await bench.ask('GET', '/smsc/count'))[what] as number
  const [before, taken] = [await count('unbinds'), await count('submits')]
  const answer = link.submit(sms(freshNumber()))
  await until(async () => (await count('submits')) === taken + 1)
  await link.close()
  expect(await answer).toMatchObject({ meaning: 'accepted' })
  expect(await sessions()).toEqual([])
  expect(await count('unbinds')).toBe(before + 2)
})

it('that is closed while it connects is gone', async () => {
  const link = await bench.bind({ settings: { bindMode: 'pair' }, isExpectedDown: true })
  await link.close()
  expect(link.isBound()).toBe(false)
  await until(async () => (await sessions()).length === 0)
})

it('no other way to bind is taken', () => {
  expect(readSmppSettings({ bindMode: 'pair' }).bindMode).toBe('pair')
  expect(readSmppSettings({}).bindMode).toBe('transceiver')
  expect(() => readSmppSettings({ bindMode: 'receiver' })).toThrow('bindMode must be one of')
})
