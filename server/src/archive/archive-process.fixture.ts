import process from 'node:process'
import pg from 'pg'
import { connectDatabase } from '../platform/database/database.ts'
import { bringMonthBack } from './bring-back.ts'
import { listDueMonths } from './list-due-months.ts'
import { putMonthAway } from './put-away.ts'

/**
 * The program of a process that puts a month away or brings it back, and kills itself before, within or after the first statement
 * with a text.
 */
const [url = '', archiveDir = '', act = '', month = '', text = '', moment = ''] = process.argv.slice(2)

const die = () => process.kill(process.pid, 'SIGKILL')

type Query = (...given: unknown[]) => unknown
const prototype = pg.Client.prototype as unknown as { query: Query }
const { query } = prototype
prototype.query = function (this: pg.Client, ...given: unknown[]): unknown {
  const [asked] = given
  const statement = typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? '')
  if (text === '' || !statement.includes(text)) return query.apply(this, given)
  if (moment === 'before') die()
  // The statement has been sent by then, and PostgreSQL may be at it, or have ended it.
  if (moment === 'within') setTimeout(die, 5)
  const answer = query.apply(this, given) as Promise<unknown>
  if (moment === 'after') answer.then(die, die)
  return answer
}

const db = connectDatabase({ url, poolSize: 3, applicationName: 'makola tests' })
if (act === 'put away') {
  const due = (await listDueMonths(db, '2099-01')).find((each) => each.month === month)
  if (due) await putMonthAway({ db, archiveDir, checks: [], actor: 'test' }, due)
} else {
  await bringMonthBack({ db, actor: 'test' }, month)
}
await db.destroy()
