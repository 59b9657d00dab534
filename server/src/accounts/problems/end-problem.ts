import type { ResellerNotice } from '../../notices/queue-notices.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { notifyAccounts } from '../notices/notify-accounts.ts'
import { problemRefusals } from './problem.ts'

type Answered = { readonly id: string; readonly account_id: string; readonly text: string }

const quotedMax = 300

function answerNotice({ id, account_id: accountId, text }: Answered, answer: string): ResellerNotice {
  const quoted = text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text
  return {
    accountId,
    kind: 'problem_answered',
    about: id,
    subject: 'Your problem was answered',
    text: `You wrote: ${quoted}\n\nThe answer: ${answer}\n\nWhat to do: look under Help in the app. If it is not solved, report it again there.`,
    sms: 'The problem that you reported was answered. Read the answer in the app, under Help.',
  }
}

/**
 * Ends a waiting problem, with or without an answer. The account gets a notice of an answer. The texts stay out of the
 * operator's log, which keeps everything for ever.
 *
 * @throws RefusalError 409 when the problem has ended already
 */
export function endProblem(
  db: Db,
  problemId: string,
  { answer, reason, actor }: { readonly answer?: string; readonly reason?: string | undefined; readonly actor: string },
): Promise<void> {
  const state = answer === undefined ? 'closed' : 'answered'
  return inTransaction(db, async (tx) => {
    const ended = await tx
      .updateTable('problems')
      .set(({ fn }) => ({ state, answer: answer ?? null, ended_by: actor, ended_at: fn<Date>('clock_timestamp') }))
      .where('id', '=', problemId)
      .where('state', '=', 'waiting')
      .returning(['id', 'account_id', 'text'])
      .executeTakeFirst()
    if (!ended) throw new RefusalError(problemRefusals.problemEnded)
    if (answer !== undefined) await notifyAccounts(tx, [answerNotice(ended, answer)])
    await appendOperatorLog(tx, {
      actor,
      action: answer === undefined ? 'problem close' : 'problem answer',
      subject: problemId,
      details: { accountId: ended.account_id, before: 'waiting', after: state, ...(reason !== undefined && { reason }) },
    })
  })
}
