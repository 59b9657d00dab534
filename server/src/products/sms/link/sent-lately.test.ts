import { expect, it } from 'vitest'
import { createSentLately } from './sent-lately.ts'
import type { MessageAnswer } from './write-answers.ts'

const taken = (n: number, messageId: string, segments = 1): MessageAnswer => ({
  message: {
    claim: { id: 'claim', openCount: 1 },
    campaignId: 'campaign',
    n,
    recipient: `233241${String(n).padStart(6, '0')}`,
    network: 'MTN',
    isBulk: true,
    refusedBy: [],
    sender: 'Makola',
    text: {
      encoding: 'gsm7',
      segments: Array.from({ length: segments }, () => Buffer.from('a')),
      isConcatenated: segments > 1,
      forcedBy: undefined,
    },
  },
  answer: { meaning: 'accepted', evidence: 'taken', messageIds: [messageId] },
  hasOtherSupplier: false,
  isLate: false,
})
const receipt = (messageId: string, recipient?: string) => ({ messageId, recipient, state: 'delivered' as const })

it('a receipt finds the text that was taken under its id, once, however the id and the recipient are written', () => {
  const sent = createSentLately()
  sent.add([taken(1, '001F'), taken(2, '20')])
  expect(sent.take(receipt('1f', '+233 24 1000001'))).toMatchObject({ n: 1 })
  expect(sent.take(receipt('1f', '0241000001'))).toBeUndefined()
  expect(sent.take(receipt('20'))).toMatchObject({ n: 2 })
})

it('a receipt finds no text of another recipient, of several segments, or without an id, and none that is not taken', () => {
  const sent = createSentLately()
  const { message, ...asked } = taken(4, '4')
  sent.add([
    taken(1, '1'),
    taken(2, '2', 2),
    taken(3, ''),
    { ...asked, message, answer: { ...asked.answer, meaning: 'rejected' } },
  ])
  for (const id of ['2', '', '0', '4', '99']) expect(sent.take(receipt(id))).toBeUndefined()
  expect(sent.take(receipt('1', '0241000009'))).toBeUndefined()
  expect(sent.take({ ...receipt('1'), state: 'underway' })).toBeUndefined()
  expect(sent.take(receipt('1', '0241000001'))).toMatchObject({ n: 1 })
})

it('an id that the supplier gives again belongs to the text that was sent last', () => {
  const sent = createSentLately()
  sent.add([taken(1, '1'), taken(2, '1')])
  expect(sent.take(receipt('1'))).toMatchObject({ n: 2 })
  sent.add([taken(3, '7'), taken(4, '7', 2)])
  // A receipt of a text of several segments is matched in the database.
  expect(sent.take(receipt('7'))).toBeUndefined()
})

it('the texts of which nothing is heard are forgotten, the oldest first', () => {
  const sent = createSentLately()
  for (let n = 0; n <= 20_000; n += 1) sent.add([taken(n, String(n + 1))])
  expect([sent.take(receipt('1')), sent.take(receipt('2'))]).toEqual([undefined, expect.objectContaining({ n: 1 })])
})
