import { findAccount } from '../accounts/find-account.ts'
import { readConfig } from '../config.ts'
import { withAccountNames } from '../people/desk/with-names.ts'
import { operatorLogChain } from '../platform/operator-log/operator-log-chain.ts'
import { type OperatorLogEntry, readOperatorLog } from '../platform/operator-log/read-operator-log.ts'
import { printable } from '../platform/texts-for-people.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { readCount, readPeriod } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { runChainHeads, runChainVerification } from './show-chains.ts'

export type LogOptions = {
  from?: string
  to?: string
  by?: string
  subject?: string
  limit: string
  before?: string
  verify?: true
  noted?: string[]
  heads?: string[]
  head?: true
}

const limitMax = 1_000

function describe({ at, actor, os_user: osUser, action, subject, details }: OperatorLogEntry): string {
  const user = osUser === null || actor === `cli:${osUser}` ? '' : ` (${osUser})`
  return printable(`${at.toISOString()}  ${actor}${user}  ${action}  ${subject}  ${JSON.stringify(details)}`)
}

export async function runLog(options: LogOptions): Promise<void> {
  if (options.verify && options.head) throw new UsageError('Either --verify or --head.')
  if (options.noted && !options.verify) throw new UsageError('--noted is compared by --verify.')
  if (options.heads && !options.verify) throw new UsageError('--heads is compared by --verify.')
  if (options.head) return runChainHeads()
  if (options.verify) return runChainVerification([operatorLogChain], options)
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const before =
    options.before === undefined ? undefined : readCount('--before', options.before, { least: 1, most: Number.MAX_SAFE_INTEGER })
  const period = readPeriod(options)
  const { shown, next, text } = await withDatabase(readConfig(), async (db) => {
    const { subject, by } = options
    // People name an account by its e-mail, and most lines of the log have its id, so the list searches for both.
    const account = subject === undefined ? undefined : await findAccount(db, subject)
    const rows = await readOperatorLog(db, {
      ...period,
      ...(by !== undefined && { by: by.trim() }),
      ...(subject !== undefined && { subjects: [subject.trim(), ...(account ? [account.accountId, account.email] : [])] }),
      ...(before !== undefined && { before }),
      // One more than is shown, to know whether there is a next page.
      limit: limit + 1,
    })
    const page = rows.slice(0, limit)
    return {
      shown: page,
      next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      text: await withAccountNames(db, page.map(describe).join('\n')),
    }
  })
  const entries = shown.map(({ id, at, actor, os_user: osUser, action, subject, details }) => ({
    id,
    at: at.toISOString(),
    by: actor,
    os_user: osUser,
    action,
    subject,
    details,
  }))
  const more = next === null ? '' : `\nThere is more: --before ${next}`
  printResult({ entries, next }, `${text}${more}` || 'The log has no such line.')
}
