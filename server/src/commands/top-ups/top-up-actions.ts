import { readAccount } from '../../accounts/find-account.ts'
import { confirmTransfer, declineTopUp } from '../../accounts/top-ups/transfer-decisions.ts'
import { readConfig } from '../../config.ts'
import { formatGhs, ghs, pesewas } from '../../money/pesewas.ts'
import { readPicture } from '../../money/top-ups/keep-picture.ts'
import { listTopUps } from '../../money/top-ups/list-top-ups.ts'
import { readSameTransfer, readTopUp, type TopUpRow } from '../../money/top-ups/read-top-up.ts'
import type { TopUpState } from '../../money/top-ups/top-up-life.ts'
import { describeConfirmed } from '../../platform/approvals/describe-confirmed.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { isId } from '../../platform/database/read-id.ts'
import { askOnTerminal } from '../frame/ask-on-terminal.ts'
import { CommandError, UsageError } from '../frame/command-error.ts'
import { personOf } from '../frame/operator-name.ts'
import type { OutputFile } from '../frame/output-file.ts'
import { printResult } from '../frame/print-result.ts'
import { checkText, readCount, readCursor } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'
import { writePieces, writeWholeFile } from '../frame/write-out.ts'

export type ListTopUpsOptions = { account?: string; state?: TopUpState; limit: string; after?: string }
export type ShowTopUpOptions = { picture?: OutputFile }
export type ConfirmTopUpOptions = { by: string; yes?: true }
export type DeclineTopUpOptions = { reason: string; by: string }

const limitMax = 1_000

function view(row: TopUpRow) {
  return {
    top_up_id: row.id,
    account_id: row.account_id,
    way: row.way,
    state: row.state,
    amount: ghs(pesewas(row.amount)),
    fee: ghs(pesewas(row.fee)),
    reference: row.reference,
    payer_phone: row.payer_phone,
    transfer_reference: row.transfer_reference,
    note: row.note,
    said: row.said,
    evidence: row.evidence,
    channel: row.channel,
    reason: row.reason,
    made_by: row.made_by,
    decided_by: row.decided_by,
    approval_id: row.approval_id,
    created_at: row.created_at.toISOString(),
    asked_at: row.asked_at?.toISOString() ?? null,
    next_ask_at: row.next_ask_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function describe(row: TopUpRow): string {
  const by = row.transfer_reference === null ? row.way : `transfer ${row.transfer_reference}`
  const why = row.reason === null ? '' : `\n  ${row.reason}`
  return `${row.id}  ${row.state}  ${formatGhs(pesewas(row.amount))}  ${by}\n  account ${row.account_id}, made by ${row.made_by} at ${row.created_at.toISOString()}${why}`
}

export async function runTopUpList(options: ListTopUpsOptions): Promise<void> {
  const limit = readCount('--limit', options.limit, { least: 1, most: limitMax })
  const after = options.after === undefined ? undefined : readCursor(options.after)
  const isAll = options.account !== undefined && options.state === undefined
  const states: readonly TopUpState[] | undefined =
    options.state === undefined ? (isAll ? undefined : ['waiting', 'held']) : [options.state]
  const { topUps, next } = await withDatabase(readConfig(), async (db) => {
    const accountId = options.account === undefined ? undefined : (await readAccount(db, options.account)).accountId
    return listTopUps(db, { accountId, states, after, limit })
  })
  const more = next === null ? [] : [`There is more: --after ${next}`]
  printResult({ top_ups: topUps.map(view), next }, [...topUps.map(describe), ...more].join('\n') || 'There is no such top-up.')
}

async function readKnown(db: Db, id: string): Promise<TopUpRow> {
  const row = isId(id) ? await readTopUp(db, id) : undefined
  if (!row) throw new CommandError(`There is no top-up ${JSON.stringify(id)}. \`makola top-up list\` shows them.`)
  return row
}

export async function runTopUpShow(id: string, { picture: file }: ShowTopUpOptions): Promise<void> {
  const { row, same, picture } = await withDatabase(readConfig(), async (db) => {
    const found = await readKnown(db, id)
    return { row: found, same: await readSameTransfer(db, found), picture: await readPicture(db, found.id) }
  })
  if (file !== undefined) {
    if (!picture) throw new CommandError('No picture came with this top-up.')
    await writeWholeFile(file, writePieces([picture.bytes]))
  }
  const lines = [
    describe(row),
    ...Object.entries(view(row)).map(([name, value]) => `  ${name.padEnd(20)}${value === null ? '' : String(value)}`),
    `  picture             ${picture ? `${picture.media_type}, ${picture.bytes.length} bytes` : 'none'}`,
    ...same.map((other) => `  THE SAME TRANSFER   top-up ${other.id} of account ${other.account_id}, ${other.state}`),
  ]
  const document = { ...view(row), has_picture: picture !== undefined, same_transfer: same.map((other) => other.id) }
  printResult(document, lines.join('\n'))
}

export async function runTopUpConfirm(id: string, options: ConfirmTopUpOptions): Promise<void> {
  checkText('--by', options.by)
  if (!isId(id)) throw new UsageError(`${JSON.stringify(id)} is no id of a top-up. \`makola top-up list\` shows them.`)
  const config = readConfig()
  const person = personOf(options.by)
  const outcome = await withDatabase(config, async (db) => {
    const row = await readKnown(db, id)
    const question = `Is the transfer ${row.transfer_reference ?? row.reference} of ${formatGhs(pesewas(row.amount))} there?`
    await askOnTerminal(question, options.yes === true)
    const isLive = config.suppliers === 'live'
    const said = await inTransaction(db, (tx) => confirmTransfer(tx, { topUpId: row.id, person, isLive }))
    const isSecond = said.state === 'proposed' && said.status === 'done'
    return { ...said, confirmed: isSecond ? await describeConfirmed(db, said.approvalId) : undefined }
  })
  if (outcome.state === 'credited') return printResult({ top_up_id: id, status: 'done' }, 'Credited.')
  const { approvalId, status } = outcome
  const text =
    outcome.confirmed ??
    `${outcome.why ?? ''}\nNothing moved yet: a second person confirms it within 7 days with \`makola approvals confirm ${approvalId} --by NAME\`.`
  printResult({ top_up_id: id, approval_id: approvalId, status }, text.trim())
}

export async function runTopUpDecline(id: string, { reason, by }: DeclineTopUpOptions): Promise<void> {
  checkText('--reason', reason)
  checkText('--by', by)
  if (!isId(id)) throw new UsageError(`${JSON.stringify(id)} is no id of a top-up. \`makola top-up list\` shows them.`)
  await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => declineTopUp(tx, { topUpId: id, person: personOf(by), reason })),
  )
  printResult({ top_up_id: id, status: 'declined' }, 'Declined: nothing was credited.')
}
