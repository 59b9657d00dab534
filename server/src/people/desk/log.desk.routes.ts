import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { findAccount } from '../../accounts/find-account.ts'
import { readChainHeads } from '../../platform/chains/read-chain-heads.ts'
import { describeFinding, verifyChain } from '../../platform/chains/verify-chain.ts'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { atWorkAlready, oneAtATime } from '../../platform/http/one-at-a-time.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import { type DescribedDetails, describeDetails } from '../../platform/operator-log/describe-details.ts'
import { operatorLogChain } from '../../platform/operator-log/operator-log-chain.ts'
import { type OperatorLogEntry, type OperatorLogQuery, readOperatorLog } from '../../platform/operator-log/read-operator-log.ts'
import { type CsvRow, writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import { ChainCheck, ChainCheckBody, ChainHeads, LogActions, LogFilters, LogPage, LogQuery } from './log.schemas.ts'
import { type NameIds, type UnitOfSetting, viewLogEntries } from './view-log-entries.ts'

type LogDeps = { readonly db: Db; readonly nameIds: NameIds; readonly unitOfSetting: UnitOfSetting }
type Filters = { actor?: string; action?: string; subject?: string; from?: string; until?: string }

const tags = ['Audit log']

/** The file is read and written in pieces of this many lines, to keep little in memory. */
const pieceLines = 500

/** The worker raises an alarm when sealing is further behind than this. */
const behindSeconds = 3_600

/** A check on request ends after this many blocks. The worker checks all blocks, again and again. */
const checkedBlocksMax = 2_000

async function queryOf(db: Db, { actor, action, subject, from, until }: Filters): Promise<Omit<OperatorLogQuery, 'limit'>> {
  // A line about an account has its id as its subject. People know the e-mail, so the search takes both.
  const account = subject === undefined ? undefined : await findAccount(db, subject)
  return {
    by: actor?.trim(),
    action: action?.trim(),
    subjects: subject === undefined ? undefined : [subject.trim(), ...(account ? [account.accountId, account.email] : [])],
    from: from === undefined ? undefined : new Date(from),
    to: until === undefined ? undefined : new Date(until),
  }
}

/** The values before the changes, or those after them, in one cell: `role: agent; status: active`. */
function sideOf(changes: DescribedDetails['changes'], side: 'before' | 'after'): string {
  return changes
    .flatMap((change) => {
      const value = change[side]
      return value === null ? [] : [change.name === '' ? value : `${change.name}: ${value}`]
    })
    .join('; ')
}

const logColumns = ['time', 'actor', 'os_user', 'address', 'action', 'subject', 'before', 'after', 'reason', 'details'] as const

function cellsOf(entry: OperatorLogEntry): CsvRow<(typeof logColumns)[number]> {
  const { reason, address, changes, fields } = describeDetails(entry.details)
  return {
    time: entry.at,
    actor: entry.actor,
    os_user: entry.os_user,
    address,
    action: entry.action,
    subject: entry.subject,
    before: sideOf(changes, 'before'),
    after: sideOf(changes, 'after'),
    reason,
    details: fields.map(({ name, value }) => `${name}: ${value}`).join('; '),
  }
}

async function* writeLogCsv(db: Db, filters: Filters): AsyncGenerator<string> {
  const query = await queryOf(db, filters)
  yield writeCsvHead(logColumns)
  let before: number | undefined
  for (;;) {
    const lines = await readOperatorLog(db, { ...query, before, limit: pieceLines })
    yield writeCsvRows({ columns: logColumns, rows: lines.map(cellsOf) })
    if (lines.length < pieceLines) return
    before = lines.at(-1)?.id
  }
}

/** Reads every action in the log by jumping through its index. */
async function listActions(db: Db): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive actions as (
      (select action from operator_log order by action limit 1)
      union all
      select (select action from operator_log where action > actions.action order by action limit 1) from actions
      where actions.action is not null
    )
    select action from actions where action is not null`.execute(db)
  return rows.map(({ action }) => action)
}

function registerReading(desk: Api, { db, nameIds, unitOfSetting }: LogDeps): void {
  desk.get(
    '/log',
    {
      config: { permission: 'see_log' },
      schema: {
        operationId: 'deskListLog',
        tags,
        summary: 'Who did what by hand, newest first',
        querystring: LogQuery,
        response: { 200: Envelope(LogPage) },
      },
    },
    async ({ query: { before, limit, ...filters } }) => {
      // One more than is shown, to know whether there is a next page.
      const entries = await readOperatorLog(db, { ...(await queryOf(db, filters)), before, limit: limit + 1 })
      const lines = await viewLogEntries(nameIds, unitOfSetting, entries.slice(0, limit))
      return ok({ lines, next: entries.length > limit ? (lines.at(-1)?.line_id ?? null) : null })
    },
  )
  desk.get(
    '/log.csv',
    {
      config: { exportedAs: 'log export', permission: 'see_log' },
      schema: {
        operationId: 'deskExportLog',
        tags,
        summary: 'All lines that fit the filters, as a file',
        querystring: LogFilters,
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ query }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit-log.csv"')
        .send(Readable.from(writeLogCsv(db, query))),
  )
  desk.get(
    '/log/actions',
    {
      config: { permission: 'see_log' },
      schema: {
        operationId: 'deskListLogActions',
        tags,
        summary: 'Every action that the log has',
        response: { 200: Envelope(LogActions) },
      },
    },
    async () => ok({ actions: await listActions(db) }),
  )
}

async function viewHeads(db: Db) {
  const [heads, alarms] = await Promise.all([
    readChainHeads(db),
    db
      .selectFrom('alarms')
      .select(['subject', 'message'])
      .where('name', '=', 'chain_broken')
      .where('cleared_at', 'is', null)
      .execute(),
  ])
  return heads.map(({ chain, blockNo, hash, sealedAt, sealedThroughAt, secondsBehind }) => ({
    chain,
    head: blockNo === null || hash === null ? null : `${chain}:${blockNo}:${hash}`,
    sealed_at: sealedAt?.toISOString() ?? null,
    sealed_through: sealedThroughAt.toISOString(),
    is_behind: secondsBehind > behindSeconds,
    broken: alarms.find(({ subject }) => subject === chain)?.message ?? null,
  }))
}

function registerChain(desk: Api, { db }: LogDeps): void {
  desk.get(
    '/log/chains',
    {
      config: { permission: 'see_log' },
      schema: {
        operationId: 'deskListChainHeads',
        tags,
        summary: 'How far history is sealed, and the newest block of each chain',
        response: { 200: Envelope(ChainHeads) },
      },
    },
    async () => ok({ chains: await viewHeads(db) }),
  )
  desk.post(
    '/log/check',
    {
      config: {
        isHeavy: true,
        changesNothing: true,
        longWork: 'The hash of every block that was asked for is computed anew.',
        permission: 'see_log',
        refusals: [atWorkAlready],
      },
      schema: {
        operationId: 'deskCheckLog',
        tags,
        summary: 'Compute the chain of the log anew, and say whether a line was altered, added or removed',
        body: ChainCheckBody,
        response: { 200: Envelope(ChainCheck) },
      },
    },
    async ({ body }) => {
      const options = { from: new Date(body.from), blocksMax: checkedBlocksMax }
      const { blocks, rows, finding } = await oneAtATime(db, 'log check', () => verifyChain(db, operatorLogChain, options))
      const sealed = blocks === 0 ? ('nothing_sealed' as const) : ('as_sealed' as const)
      return ok({
        outcome: finding ? ('altered' as const) : sealed,
        blocks,
        lines: rows,
        is_whole: finding === null && blocks < checkedBlocksMax,
        finding: finding && describeFinding(operatorLogChain, finding),
      })
    },
  )
}

export function registerLogDeskRoutes(desk: Api, deps: LogDeps): void {
  registerReading(desk, deps)
  registerChain(desk, deps)
}
