import { expect, test } from 'vitest'
import { eventTypes } from '../../../../server/src/notices/webhooks/event-types.ts'
import { stateTitles } from '../../../../server/src/orders/members/state-titles.ts'
import { cancelledTitles, failedStateTitles } from '../../../../server/src/products/sms/sms-statuses.ts'
import { files } from '../../../../server/test/reading/read-sources.ts'
import { cancelledStates, messageStates } from '../../both/sms/campaign-words.ts'
import { webhookWords } from '../../both/webhooks/webhook-words.ts'
import { productWords, stateWords } from './orders.ts'

const wordsOf = (states: Readonly<Record<string, { readonly word: string }>>) =>
  Object.fromEntries(Object.entries(states).map(([state, { word }]) => [state, word]))

test('files that resellers download name states and products as the screens do', () => {
  expect(stateTitles).toEqual(wordsOf(stateWords))
  expect(wordsOf(messageStates)).toMatchObject(failedStateTitles)
  expect(cancelledTitles).toEqual(wordsOf(cancelledStates))
  const titles = files.flatMap(({ path, text }) =>
    path.endsWith('.product.ts') ? (/shortTitle: '([^']+)'/.exec(text)?.[1] ?? []) : [],
  )
  expect(titles.toSorted()).toEqual(Object.values(productWords).toSorted())
})

test('the document of the API explains events as the app does', () => {
  const { 'webhook.test': _test, ...meanings } = webhookWords.meanings
  expect(eventTypes).toEqual(Object.fromEntries(Object.entries(meanings).map(([type, meaning]) => [type, `${meaning}.`])))
})
