import process from 'node:process'
import { allAuditChecks } from '../all-audit-checks.ts'
import { bringMonthBack } from '../archive/bring-back.ts'
import { listDueMonths } from '../archive/list-due-months.ts'
import { type ArchivedMonth, listArchivedMonths, verifyMonthFiles } from '../archive/month-files.ts'
import { putMonthAway, waitDays } from '../archive/put-away.ts'
import { readConfig } from '../config.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import type { PutAwayState } from '../platform/partitions/partitions.tables.ts'
import { layOutTable, showMoment, showSize } from '../platform/texts-for-people.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { readMonth } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type ArchiveOptions = { before?: string }

const monthOf = (name: string, text: string) => readMonth(name, text).from.toISOString().slice(0, 7)

/** Shows how many rows of which table are done, while `work` runs. */
async function withProgress<T>(work: (onProgress: (table: string, rows: number) => void) => Promise<T>): Promise<T> {
  let table = ''
  const line = openProgressLine(process.stderr, (rows) => `${table}: ${rows} rows`)
  try {
    return await work((name, rows) => {
      table = name
      line.show(rows)
    })
  } finally {
    line.close()
  }
}

const doneWords = {
  put_away: 'put away',
  written: `in files; a worker drops its rows from the database ${waitDays} days after they were written`,
} as const

export async function runArchive(options: ArchiveOptions): Promise<void> {
  const before = monthOf('--before', options.before ?? '')
  const { archiveDir } = readConfig()
  const done = await withDatabase(readConfig(), async (db) => {
    const due = await listDueMonths(db, before)
    const tooYoung = due.find(({ isOldEnough }) => !isOldEnough)
    if (tooYoung) {
      const others = due[0] === tooYoung ? '' : ` For the months before it: \`makola archive --before ${tooYoung.month}\`.`
      throw new OperatorRequestError(
        `${tooYoung.month} cannot be put away yet: the numbers of its orders are forgotten first, by the setting number_months, so that no file holds them.${others}`,
      )
    }
    const states: { month: string; state: keyof typeof doneWords }[] = []
    for (const month of due) {
      const deps = { db, archiveDir, checks: allAuditChecks, actor: operatorName() }
      const state = await withProgress((onProgress) => putMonthAway({ ...deps, onProgress }, month))
      states.push({ month: month.month, state })
    }
    return states
  })
  const lines = done.map(({ month, state }) => `${month}: ${doneWords[state]}`)
  printResult({ months: done }, lines.join('\n') || `No month before ${before} is left to be put away.`)
}

const stateWords: Readonly<Record<PutAwayState, string>> = {
  taken_out: 'being written',
  written: 'in files, and still in the database',
  put_away: 'put away',
  coming_back: 'being brought back',
}

/** For a month whose archiving or bring-back was broken off: the state of its rows and files, and the command that continues. */
const halfwayWords: Partial<Readonly<Record<PutAwayState, (month: string) => string>>> = {
  taken_out: (month) =>
    `${month}: not all its files are written, and all its rows are still in the database. A worker goes on within the hour; \`makola archive bring-back ${month}\` undoes it.`,
  coming_back: (month) =>
    `${month}: it counts as put away until all its rows are back, and its files are complete. If no command is at it any more, run \`makola archive bring-back ${month}\` again: it reads the files from the beginning.`,
}

const countRows = ({ rowCounts }: ArchivedMonth) => Object.values(rowCounts).reduce((sum, count) => sum + count, 0)

const whereIs = ({ folder, host }: ArchivedMonth) => (folder === null ? '' : `${folder} on ${host}`)

export async function runArchiveList(): Promise<void> {
  const months = await withDatabase(readConfig(), listArchivedMonths)
  const lines = months.map((each) => [
    each.month,
    String(countRows(each)),
    each.bytes === null ? '' : showSize(each.bytes),
    stateWords[each.state],
    each.writtenAt === null ? '' : showMoment(each.writtenAt),
    whereIs(each),
  ])
  const shown = months.map(({ month, state, bytes, rowCounts, folder, host, manifestHash, writtenAt }) => ({
    month,
    state,
    rows: rowCounts,
    bytes,
    folder,
    host,
    manifest_sha256: manifestHash,
    written_at: writtenAt?.toISOString() ?? null,
  }))
  const table = layOutTable([['month', 'rows', 'files', 'state', 'written', 'where'], ...lines])
  const halfway = months.flatMap(({ month, state }) => halfwayWords[state]?.(month) ?? [])
  printResult({ months: shown }, months.length === 0 ? 'No month is put away.' : [table, ...halfway].join('\n'))
}

export async function runArchiveVerify(typed: string): Promise<void> {
  const month = monthOf('The month', typed)
  const { rows } = await withDatabase(readConfig(), async (db) => {
    const archived = (await listArchivedMonths(db)).find((each) => each.month === month)
    if (!archived) throw new OperatorRequestError(`${month} is not put away.`)
    return withProgress((onProgress) => verifyMonthFiles(db, archived, (seen) => onProgress(month, seen)))
  })
  printResult(
    { ok: true, month, rows },
    `The files of ${month} are as they were written: all ${rows} rows are as they were sealed.`,
  )
}

export async function runArchiveBringBack(typed: string): Promise<void> {
  const month = monthOf('The month', typed)
  process.stderr.write(`If this is broken off, ${month} stays put away and nothing is lost: run the same command again.\n`)
  const { rowCounts } = await withDatabase(readConfig(), (db) =>
    withProgress((onProgress) => bringMonthBack({ db, actor: operatorName(), onProgress }, month)),
  )
  const rows = Object.values(rowCounts).reduce((sum, count) => sum + count, 0)
  printResult({ month, rows: rowCounts }, `${month} is back in the database, with ${rows} rows. Its files stay where they are.`)
}
