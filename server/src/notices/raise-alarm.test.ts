import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { clearAlarm, clearAlarms } from './clear-alarm.ts'
import { matchAlarms } from './match-alarms.ts'
import { raiseAlarms } from './raise-alarm.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  await clearAlarms(database.db, 'float')
})
afterAll(() => database.drop())

const openSubjects = async () => {
  const rows = await database.db
    .selectFrom('alarms')
    .select('subject')
    .where('cleared_at', 'is', null)
    .orderBy('subject')
    .execute()
  return rows.map(({ subject }) => subject)
}
const float = (subject: string) => ({ name: 'float', subject, message: `the float of ${subject} is empty` })

test('an alarm is open once per name and subject, however many raise it at the same time', async () => {
  const raised = await Promise.all(
    Array.from({ length: 16 }, () => raiseAlarms(database.db, [float('b'), float('a'), float('a')])),
  )
  expect(raised.flat()).toHaveLength(2)
  expect(await openSubjects()).toEqual(['a', 'b'])
})

test('a cleared alarm can be raised anew', async () => {
  await raiseAlarms(database.db, [float('a')])
  await clearAlarm(database.db, 'float', 'a')
  expect(await openSubjects()).toEqual([])
  expect(await raiseAlarms(database.db, [float('a')])).toEqual([float('a')])
})

test('clearing spares the subjects that still have cause', async () => {
  await raiseAlarms(database.db, [float('a'), float('b')])
  expect(await clearAlarms(database.db, 'float', ['b'])).toEqual(['a'])
  expect(await openSubjects()).toEqual(['b'])
})

test('the alarms of a name match what was found, and the log says what changed', async () => {
  const lines: string[] = []
  const line = (fields: { subject: string }, message: string) => void lines.push(`${fields.subject}: ${message}`)
  const log = { error: line, info: line } as Parameters<typeof matchAlarms>[1]
  const empty = (subject: string) => ({ subject, message: 'is empty' })
  await matchAlarms(database.db, log, 'float', [empty('a'), empty('b')])
  await matchAlarms(database.db, log, 'float', [empty('b')])
  expect(await openSubjects()).toEqual(['b'])
  expect(lines).toEqual(['a: is empty', 'b: is empty', 'a: alarm cleared'])
  await matchAlarms(database.db, log, 'float', [{ ...empty('c'), command: 'See `makola supplier list`.' }])
  expect(lines.slice(3)).toEqual(['c: is empty See `makola supplier list`.', 'b: alarm cleared'])
})

test('an alarm whose subject was not examined stays as it is', async () => {
  const log = { error: () => undefined, info: () => undefined }
  await raiseAlarms(database.db, [float('a'), float('b')])
  await matchAlarms(database.db, log, 'float', [], ['a'])
  expect(await openSubjects()).toEqual(['b'])
})
