import { expect, it } from 'vitest'
import { until } from '../sms-bench.fixture.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import { windowMax } from './keep-window.ts'
import { openSendWindow, type SendWindow } from './send-window.ts'

/** A link over which messages are sent as they come into the window, and answered only when a test says so. */
function openLink() {
  const ready: ClaimedMessage[] = []
  const sent: ClaimedMessage[] = []
  const kept: (readonly ClaimedMessage[])[] = []
  const window: SendWindow = openSendWindow({
    readyCount: () => ready.length,
    take: (count) => ready.splice(0, count),
    putBack: (messages) => void ready.unshift(...messages),
    keep: async (messages) => void kept.push(messages),
    send: (message) => void sent.push(message),
    onError: (error) => {
      throw error
    },
  })
  let n = 0
  return {
    sent,
    kept,
    add(count: number) {
      for (let added = 0; added < count; added += 1) ready.push({ n: (n += 1) } as ClaimedMessage)
      window.turn()
    },
    answer(message: ClaimedMessage) {
      const answer = { meaning: 'accepted', evidence: 'taken', messageIds: ['1'] } as const
      window.answer({ message, answer, hasOtherSupplier: false, isLate: false })
    },
  }
}

it('a text leaves although the one before it is not answered', async () => {
  const link = openLink()
  link.add(1)
  await until('the first is sent', async () => link.sent.length === 1)
  link.add(1)
  await until('the second is sent', async () => link.sent.length === 2)
  expect(link.kept.map((messages) => messages.map(({ n }) => n))).toEqual([[1], [1, 2]])
})

it('no more than the window is sent without an answer, and each place that an answer frees is used', async () => {
  const link = openLink()
  link.add(windowMax + 10)
  await until('the window is full', async () => link.sent.length === windowMax)
  for (let answered = 0; answered < 10; answered += 1) link.answer(link.sent[answered] as ClaimedMessage)
  await until('all are sent', async () => link.sent.length === windowMax + 10)
  expect(Math.max(...link.kept.map((messages) => messages.length))).toBe(windowMax)
  expect(link.sent.map(({ n }) => n)).toEqual(Array.from({ length: windowMax + 10 }, (_, index) => index + 1))
})
