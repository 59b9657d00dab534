import { expect, test } from 'vitest'
import { sharedWords } from '../words.ts'
import { requestData } from './call-api.ts'

const refusal = (status: number, reason: string, body?: object) =>
  requestData(() =>
    Promise.resolve({ error: body, response: new Response(null, { status, headers: { 'x-error-reason': reason } }) }),
  )

test('a person reads what the server says, and words of the app where it says nothing or speaks to programs', async () => {
  const said = { error: { message: 'Retry with the same reference.' } }
  await expect(refusal(409, 'taken', said)).rejects.toThrow('Retry with the same reference.')
  await expect(refusal(503, 'outcome_unknown', said)).rejects.toThrow(sharedWords.noAnswer.unknown.next)
  await expect(refusal(502, '')).rejects.toThrow(sharedWords.statuses[502])
})
