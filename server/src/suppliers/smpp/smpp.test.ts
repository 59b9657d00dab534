import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPduStream, readPdu, writePdu } from './pdu.ts'
import { readSmppSettings } from './settings.ts'
import { freshNumber, gsm, type SmppBench, sms, startSmppBench, until } from './smpp-bench.fixture.ts'
import { readSmppAddress } from './talk.ts'
import { meaningOfStatus, readReceipt, readReply } from './translate.ts'

let bench: SmppBench

beforeAll(async () => {
  bench = await startSmppBench()
})
afterEach(() => bench.reset())
afterAll(() => bench.close())

/** More full queues than any test uses. */
const queues = 1_000_000
const submits = async () => (await bench.ask('GET', '/smsc/count'))['submits'] as number

/** An SMSC that accepts every bind, and answers PDUs as the test wants. */
async function startOtherSmsc(answersTo: (pdu: ReturnType<typeof readPdu>) => Buffer[]) {
  const server = createServer((socket) => {
    const stream = createPduStream()
    socket.on('data', (chunk: Buffer) => {
      for (const pdu of stream.push(chunk).map(readPdu)) {
        if (pdu.command === 'bind_transceiver') {
          socket.write(writePdu('bind_transceiver_resp', { sequence_number: pdu.sequence_number }))
        }
        for (const bytes of answersTo(pdu)) socket.write(bytes)
      }
    })
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: { host: '127.0.0.1', port, isSecure: false },
    [Symbol.asyncDispose]: () => Promise.resolve(void server.close()),
  }
}

describe('an SMPP link', () => {
  it('hands a text over and gets its receipt', async () => {
    const link = await bench.bind()
    const recipient = freshNumber()
    const answer = await link.submit(sms(recipient))
    expect(answer).toMatchObject({ meaning: 'accepted', messageIds: [expect.stringMatching(/^[0-9a-f]+$/)] })
    await until(() => bench.receipts.length > 0)
    expect(bench.receipts).toEqual([{ messageId: answer.messageIds[0], recipient, state: 'delivered' }])
    expect(await bench.textsOf(recipient)).toMatchObject([{ text: 'hello', sender: 'Makola' }])
  })

  it.each(['udh', 'message_payload'] as const)(
    'sends a text of several segments by %s, whole at its recipient',
    async (longTexts) => {
      const link = await bench.bind({ settings: { longTexts } })
      const recipient = freshNumber()
      const answer = await link.submit(sms(recipient, gsm('a'.repeat(153), 'b'.repeat(153), 'c')))
      expect(answer.messageIds).toHaveLength(longTexts === 'udh' ? 3 : 1)
      expect((await bench.textsOf(recipient)).map(({ text }) => text)).toEqual([`${'a'.repeat(153)}${'b'.repeat(153)}c`])
    },
  )

  it('sends UCS-2 as it is', async () => {
    const link = await bench.bind()
    const recipient = freshNumber()
    const bytes = Buffer.from('Ɛte sɛn 😀', 'utf16le').swap16()
    await link.submit({ sender: '1234', recipient, text: { encoding: 'ucs2', segments: [bytes], isConcatenated: false } })
    expect((await bench.textsOf(recipient)).map(({ text }) => text)).toEqual(['Ɛte sɛn 😀'])
  })

  it('reads a definitive refusal as rejected', async () => {
    const link = await bench.bind()
    expect(await link.submit(sms(freshNumber('921')))).toMatchObject({ meaning: 'rejected', messageIds: [] })
  })

  it('slows down when throttled and when the queue is full, and loses nothing', async () => {
    await bench.ask('POST', '/control/smsc', { perSecond: 20, fullQueues: 2 })
    const link = await bench.bind()
    const before = await submits()
    const answers = await Promise.all(Array.from({ length: 40 }, () => link.submit(sms(freshNumber()))))
    expect(new Set(answers.map(({ meaning }) => meaning))).toEqual(new Set(['accepted']))
    expect(await submits()).toBe(before + 40)
  })

  it('gives a text back as not sent that is throttled for twenty response times, so that nobody pays for it', async () => {
    await bench.ask('POST', '/control/smsc', { fullQueues: queues })
    const responseSeconds = 60
    const link = await bench.bind({ settings: { responseSeconds } })
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now')
    onTestFinished(() => clock.mockRestore())
    const letPass = (seconds: number) => clock.mockImplementation(() => now() + seconds * 1_000)
    const tries = async () => queues - Number((await bench.ask('GET', '/control/smsc'))['fullQueues'])
    const answer = link.submit(sms(freshNumber()))
    await until(async () => (await tries()) > 0)
    letPass(19 * responseSeconds)
    const tried = await tries()
    await until(async () => (await tries()) > tried)
    letPass(20 * responseSeconds)
    expect(await answer).toEqual({ meaning: 'not_sent', evidence: 'throttled for too long', messageIds: [] })
  })

  it('never has more submits without an answer than its window', async () => {
    await bench.ask('POST', '/control/smsc', { answerMilliseconds: 500 })
    const link = await bench.bind({ windowSize: 3 })
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 10 }, () => link.submit(sms(freshNumber()))))
    // Three at a time are answered in four rounds; with one more in the window three rounds would do.
    expect(performance.now() - startedAt).toBeGreaterThan(1_900)
  })

  it('keeps to its submits per second', async () => {
    const link = await bench.bind({ perSecond: 50 })
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 30 }, () => link.submit(sms(freshNumber()))))
    // 30 at 50 a second, of which a tenth of a second's worth may come at once.
    expect(performance.now() - startedAt).toBeGreaterThan(450)
  })

  it('calls a submit without an answer unknown, whether the time ran out or the connection fell', async () => {
    await bench.ask('POST', '/control/smsc', { lostAnswers: 2 })
    const impatient = await bench.bind({ settings: { responseSeconds: 0.3 } })
    expect(await impatient.submit(sms(freshNumber()))).toMatchObject({ meaning: 'unknown' })
    const link = await bench.bind()
    const before = await submits()
    const cut = link.submit(sms(freshNumber()))
    await until(async () => (await submits()) === before + 1)
    await bench.ask('POST', '/control/smsc/cut', {})
    expect(await cut).toMatchObject({ meaning: 'unknown' })
  })

  it('calls an error that proves nothing unknown', async () => {
    await bench.ask('POST', '/control/smsc', { systemErrors: 1 })
    const link = await bench.bind()
    expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'unknown' })
  })

  it('says refused_us when the supplier refuses us and took nothing', async () => {
    await bench.ask('POST', '/control/smsc', { refuseWith: 0x0a })
    const link = await bench.bind()
    expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'refused_us' })
  })

  it('comes back after a lost connection, and sends nothing meanwhile', async () => {
    const link = await bench.bind()
    await bench.ask('POST', '/control/smsc', { refusesBinds: true })
    await bench.ask('POST', '/control/smsc/cut', {})
    await until(() => !link.isBound())
    expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'not_sent' })
    await bench.ask('DELETE', '/control/smsc')
    await until(() => link.isBound())
    expect(bench.states[0]).toBe(true)
    expect(bench.states).toContain(false)
    expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'accepted' })
  })

  it('with a wrong password stays down and keeps trying', async () => {
    const link = await bench.bind({ password: 'wrong', isExpectedDown: true })
    await until(() => bench.states.length >= 2)
    expect(link.isBound()).toBe(false)
    expect(bench.states).not.toContain(true)
  })

  it('acknowledges a receipt only when it is stored, so that it comes again', async () => {
    const recipient = freshNumber()
    let times = 0
    const link = await bench.bind({
      onReceipt: (receipt) => {
        if (receipt.recipient === recipient) times += 1
        return times === 1 ? Promise.reject(new Error('no database')) : Promise.resolve()
      },
    })
    await link.submit(sms(recipient))
    await until(() => times > 1)
    expect(times).toBe(2)
  })

  it('refuses a request that cannot be read, and stays bound: it may come again and again', async () => {
    const heard: string[] = []
    // An operator's empty `message_state`: right in its length, but not a state.
    const deliver = Buffer.concat([writePdu('deliver_sm', { sequence_number: 7 }), Buffer.from([0x04, 0x27, 0, 0])])
    deliver.writeUInt32BE(deliver.length, 0)
    await using smsc = await startOtherSmsc(({ command, sequence_number }) => {
      heard.push(`${command} ${sequence_number}`)
      return command === 'bind_transceiver' ? [deliver] : []
    })
    const link = await bench.bind({ address: smsc.address })
    await until(() => heard.length > 1)
    expect([heard.slice(0, 2), link.isBound(), bench.states]).toEqual([['bind_transceiver 1', 'generic_nack 7'], true, [true]])
  })

  it('cuts off an SMSC that floods it with enquire_link, says so, and binds again', async () => {
    const question = writePdu('enquire_link', { sequence_number: 9 })
    await using smsc = await startOtherSmsc(({ command }) =>
      command === 'submit_sm' ? [Buffer.concat(Array.from({ length: 1_000 }, () => question))] : [],
    )
    const link = await bench.bind({ address: smsc.address })
    expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'unknown' })
    await until(() => bench.states.length > 2)
    expect(bench.states.slice(0, 3)).toEqual([true, false, true])
    expect(bench.evidence[1]).toBe('it sends more than 100 enquire_link a second')
  })

  it('calls a submit unknown that is answered by a generic_nack without an error', async () => {
    await using smsc = await startOtherSmsc(({ command, sequence_number }) =>
      command === 'submit_sm' ? [writePdu('generic_nack', { sequence_number })] : [],
    )
    const link = await bench.bind({ address: smsc.address })
    expect(await link.submit(sms(freshNumber()))).toMatchObject({ meaning: 'unknown', messageIds: [] })
  })

  it('says goodbye in order: answers under way are waited for', async () => {
    await bench.ask('POST', '/control/smsc', { answerMilliseconds: 200 })
    const link = await bench.bind()
    const before = await submits()
    const answer = link.submit(sms(freshNumber()))
    await until(async () => (await submits()) === before + 1)
    await link.close()
    expect(await answer).toMatchObject({ meaning: 'accepted' })
    expect((await bench.ask('GET', '/smsc/count'))['bound']).toBe(0)
  })

  it('finishes, before it says goodbye, a text of which a segment was taken, and begins no other', async () => {
    await bench.ask('POST', '/control/smsc', { holdsAnswers: true })
    const link = await bench.bind({ windowSize: 1 })
    const before = await submits()
    const recipient = freshNumber()
    const long = link.submit(sms(recipient, gsm('a'.repeat(153), 'b'.repeat(153), 'c')))
    const next = link.submit(sms(freshNumber()))
    await until(async () => (await submits()) === before + 1)
    const closed = link.close()
    await bench.ask('POST', '/control/smsc', { holdsAnswers: false })
    await closed
    expect([(await long).meaning, (await next).meaning]).toEqual(['accepted', 'not_sent'])
    expect((await bench.textsOf(recipient)).map(({ text }) => text)).toEqual([`${'a'.repeat(153)}${'b'.repeat(153)}c`])
  })
})

describe('receipts', () => {
  const deliver = (fields: Record<string, unknown>) =>
    readPdu(writePdu('deliver_sm', { source_addr: '233241234567', esm_class: 4, ...fields }))
  const text = (stat: string, id = '1f') =>
    Buffer.from(`id:${id} sub:001 dlvrd:001 submit date:2601010900 done date:2601010901 stat:${stat} err:000 text:Hello`)

  it.each([
    ['DELIVRD', 'delivered'],
    ['EXPIRED', 'expired'],
    ['DELETED', 'undelivered'],
    ['UNDELIV', 'undelivered'],
    ['REJECTD', 'rejected'],
    ['ACCEPTD', 'underway'],
    ['ENROUTE', 'underway'],
    ['UNKNOWN', 'underway'],
    ['WHATEVER', 'underway'],
  ])('stat:%s is %s', (word, state) => {
    expect(readReceipt(deliver({ short_message: text(word) }))).toEqual({ messageId: '1f', recipient: '233241234567', state })
  })

  it.each([
    [2, 'delivered'],
    [3, 'expired'],
    [4, 'undelivered'],
    [5, 'undelivered'],
    [6, 'underway'],
    [7, 'underway'],
    [8, 'rejected'],
  ])('message_state %i is %s, and comes before the text', (state, expected) => {
    const fields = { receipted_message_id: 'AB12', message_state: state, short_message: text('ENROUTE') }
    expect(readReceipt(deliver(fields))).toEqual({ messageId: 'AB12', recipient: '233241234567', state: expected })
  })

  it('of another order and case of words are read too', () => {
    const short_message = Buffer.from('ID:99 STAT:DELIVRD')
    expect(readReceipt(deliver({ short_message, esm_class: 0 }))).toMatchObject({ messageId: '99', state: 'delivered' })
  })

  it.each([0, 1, 3, 8])('keep the signs of an id as its submit was answered with them, in data_coding %i', (data_coding) => {
    const id = 'a_b@c$d[\\]^{|}~`'
    const ascii = text('DELIVRD', id)
    const short_message = data_coding === 8 ? Buffer.from(ascii.toString('latin1'), 'utf16le').swap16() : ascii
    expect(readReceipt(deliver({ data_coding, short_message }))).toMatchObject({ messageId: id, state: 'delivered' })
  })

  it('keep the signs of an id that is written in GSM-7', () => {
    const signs: Readonly<Record<string, string>> = { _: '\x11', '@': '\0', $: '\x02', '[': '\x1B<', '|': '\x1B@', '\\': '\x1B/' }
    const id = 'a_b@c$d[e|f\\1'
    const inGsm7 = Array.from(id, (sign) => signs[sign] ?? sign).join('')
    expect(readReceipt(deliver({ short_message: text('DELIVRD', inGsm7) }))).toMatchObject({ messageId: id })
  })

  it('are not texts that subscribers send', () => {
    const addresses = { source_addr: '+233241234567', destination_addr: '1234', esm_class: 0 }
    const reply = { from: '+233241234567', to: '1234', text: 'Stop' }
    expect(readReply(deliver({ ...addresses, short_message: Buffer.from('Stop') }))).toEqual(reply)
    const ucs2 = Buffer.from('Stop', 'utf16le').swap16()
    expect(readReply(deliver({ ...addresses, data_coding: 8, short_message: ucs2 }))).toEqual(reply)
    // The end of a C string, which PostgreSQL stores nowhere.
    expect(readReply(deliver({ ...addresses, short_message: Buffer.from('Stop\0') }))).toEqual(reply)
    expect(readReply(deliver({ ...addresses, short_message: Buffer.from('Stop'), esm_class: 0x08 }))).toBeUndefined()
    expect(readReceipt(deliver({ short_message: Buffer.from('Please call me'), esm_class: 0 }))).toBeUndefined()
    expect(readReceipt(deliver({ short_message: Buffer.from('my id: 5'), esm_class: 0 }))).toBeUndefined()
  })
})

describe('answers to a submit', () => {
  it.each([
    [0x0b, 'rejected'],
    [0x01, 'rejected'],
    [0x45, 'rejected'],
    [0x61, 'rejected'],
    [0xc4, 'rejected'],
    [0x0a, 'refused_us'],
    [0x0e, 'refused_us'],
    [0x04, 'refused_us'],
    [0x14, 'throttled'],
    [0x58, 'throttled'],
    [0x08, 'unknown'],
    [0x64, 'unknown'],
    [0xff, 'unknown'],
    [0x401, 'unknown'],
  ])('command_status %i means %s', (status, meaning) => {
    expect(meaningOfStatus(readSmppSettings({}), status)).toBe(meaning)
  })

  it('the operator may say what an account’s own codes mean', () => {
    expect(meaningOfStatus(readSmppSettings({ statusMeanings: { '0x401': 'rejected' } }), 0x401)).toBe('rejected')
    expect(() => readSmppSettings({ statusMeanings: { '0x401': 'maybe' } })).toThrow('maybe')
    expect(() => readSmppSettings({ window: 3 })).toThrow('settings of an SMPP supplier')
  })
})

it('reads the address of an SMSC', () => {
  expect(readSmppAddress('smpp://smsc.example.com')).toEqual({ host: 'smsc.example.com', port: 2775, isSecure: false })
  expect(readSmppAddress('smpps://[::1]:9000/')).toEqual({ host: '::1', port: 9000, isSecure: true })
  expect(() => readSmppAddress('https://smsc.example.com')).toThrow('smpp://')
})
