import { expect, test } from 'vitest'
import { approvalPermissions } from '../../../../server/src/people/permissions/approval-permissions.ts'
import { files } from '../../../../server/test/reading/read-sources.ts'
import { nameKind } from './approvals.ts'
import { nameAction, sentenceOf } from './log-sentences.ts'

const rest = {
  line_id: 1,
  at: '2026-11-23T09:00:00.000Z',
  os_user: null,
  address: null,
  path: null,
  reason: null,
  changes: [],
  fields: [],
}
const line = (action: string, subject: string, about = subject, actor = 'cli:ama') => ({ ...rest, actor, action, subject, about })

test('a line of the log is a sentence: who did what to whom', () => {
  expect(sentenceOf(line('account suspend', 'some-id', 'Adom Ventures'))).toBe('ama suspended Adom Ventures')
  expect(sentenceOf(line('setting set', 'float_warning_ghs'))).toBe('ama changed “Float that you want to hold”')
  expect(sentenceOf(line('ported remove', '0241234567'))).toBe('ama forgot that 0241234567 was ported')
  expect(sentenceOf(line('wallet credit confirm', 'some-id', 'Adom Ventures', 'kofi@x.test'))).toBe(
    'kofi@x.test confirmed a credit of Adom Ventures',
  )
  expect(sentenceOf(line('setting return', 'sms_enabled', 'sms_enabled', 'worker'))).toBe('The system switched back “SMS”')
})

test('every action that the server writes has its words', () => {
  const written = files.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:action|exportedAs): '([^']+)'/g)].map(([, action = '']) => action),
  )
  expect(written).toContain('setting set')
  expect(written.filter((action) => nameAction(action).toLowerCase() === action)).toEqual([])
})

test('every kind of proposal has its words, in the log at each step and in the queue', () => {
  const kinds = Object.keys(approvalPermissions)
  expect(kinds.length).toBeGreaterThan(10)
  const actions = kinds.flatMap((kind) => ['propose', 'confirm', 'refuse'].map((step) => `${kind} ${step}`))
  expect(actions.filter((action) => nameAction(action).toLowerCase() === action)).toEqual([])
  expect(kinds.filter((kind) => nameKind(kind) === kind)).toEqual([])
})
