import { readConfig } from '../config.ts'
import { formatGhs, ghs, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { printable } from '../platform/printable.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import type { AfaStatus } from '../products/afa/afa.schemas.ts'
import { exportRegistrations } from '../products/afa/export-registrations.ts'
import {
  type AfaApplication,
  listRegistrations,
  maskIdentity,
  type RegistrationQuery,
} from '../products/afa/list-registrations.ts'
import { logSight } from '../products/afa/log-sight.ts'
import {
  cancelRegistration,
  claimNextRegistrations,
  claimRegistrations,
  completeRegistration,
  takeOverRegistration,
} from '../products/afa/work-registrations.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import type { OutputFile } from './frame/output-file.ts'
import { printResult } from './frame/print-result.ts'
import { readCount, readText } from './frame/read-options.ts'
import { withDatabaseAndKeys } from './frame/with-database-and-keys.ts'
import { writePieces, writeWholeFile } from './frame/write-out.ts'

type StatusChoice = 'open' | AfaStatus | 'all'
export type AfaListOptions = { status: StatusChoice; reference?: string; limit: string; reveal?: true; reason?: string }
export type AfaClaimOptions = { next?: string; by?: string }
export type AfaDecisionOptions = { note?: string; reason?: string; by?: string }
export type AfaExportOptions = { status: StatusChoice; reason: string }

const limitMax = 1_000
const claimMax = 100
const allStatuses: readonly AfaStatus[] = ['pending', 'processing', 'completed', 'cancelled']

function statusesOf(choice: StatusChoice): readonly AfaStatus[] {
  if (choice === 'all') return allStatuses
  return choice === 'open' ? ['pending', 'processing'] : [choice]
}

const personOf = (by: string | undefined) => (by === undefined ? operatorName() : readText('--by', by))

function view(registration: AfaApplication) {
  const { identity, isUnreadable } = registration
  return {
    order_id: registration.orderId,
    reference: registration.reference,
    account_id: registration.accountId,
    status: registration.status,
    fee: ghs(pesewas(registration.feePesewas)),
    created_at: registration.createdAt.toISOString(),
    claimed_by: registration.claimedBy,
    identity: identity ? { ...identity, notes: identity.notes ?? null } : null,
    is_unreadable: isUnreadable,
  }
}

function describe({ reference, status, claimed_by, created_at, identity, is_unreadable }: ReturnType<typeof view>): string {
  const person = identity
    ? `${printable(identity.full_name)}, ${identity.id_number}, born ${identity.date_of_birth}, ${identity.phone}, ${printable(identity.location)}, ${identity.region}`
    : `identity data ${is_unreadable ? 'cannot be read: it was altered, or its key is not given' : 'purged'}`
  return `${created_at}  ${status.padEnd(10)}  ${printable(reference)}  ${person}${claimed_by === null ? '' : `  (${claimed_by})`}`
}

function printRegistrations(registrations: readonly AfaApplication[], lead?: string): void {
  const views = registrations.map(view)
  const lines = [...(lead === undefined ? [] : [lead]), ...views.map(describe)]
  printResult({ orders: views }, lines.join('\n') || 'There is no such registration.')
}

const masked = (registration: AfaApplication): AfaApplication => ({
  ...registration,
  identity: registration.identity && maskIdentity(registration.identity),
})

async function printByReference(db: Db, keys: SecretsKeys, references: readonly string[], lead: string): Promise<void> {
  const found = await Promise.all(
    references.map((reference) => listRegistrations(db, keys, { statuses: allStatuses, reference, limit: 1 })),
  )
  printRegistrations(found.flat().map(masked), lead)
}

export async function runAfaList(options: AfaListOptions): Promise<void> {
  const { reference } = options
  const reason = options.reveal ? readText('--reason', options.reason) : undefined
  const query: RegistrationQuery = {
    statuses: reference === undefined ? statusesOf(options.status) : allStatuses,
    limit: readCount('--limit', options.limit, { least: 1, most: limitMax }),
    ...(reference === undefined ? {} : { reference }),
  }
  const registrations = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    const found = await listRegistrations(db, keys, query)
    if (reason === undefined) return found.map(masked)
    await logSight(db, { actor: operatorName(), action: 'afa list --reveal', reason }, found)
    return found
  })
  printRegistrations(registrations)
}

export async function runAfaClaim(references: readonly string[], options: AfaClaimOptions): Promise<void> {
  if ((references.length === 0) === (options.next === undefined))
    throw new UsageError('Give references, or --next with a number.')
  const next = options.next === undefined ? undefined : readCount('--next', options.next, { least: 1, most: claimMax })
  const by = personOf(options.by)
  await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    const named = [...new Set(references)]
    if (next === undefined) await claimRegistrations(db, named, by)
    const claimed = next === undefined ? named : await claimNextRegistrations(db, next, by)
    await printByReference(db, keys, claimed, `${by} works on ${claimed.length} registrations:`)
  })
}

export async function runAfaTakeOver(reference: string, options: AfaDecisionOptions): Promise<void> {
  const by = personOf(options.by)
  const reason = readText('--reason', options.reason)
  await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    const before = await takeOverRegistration(db, { reference, reason, by })
    await printByReference(db, keys, [reference], `${by} works on it, no longer ${before ?? 'nobody'}:`)
  })
}

export async function runAfaComplete(reference: string, options: AfaDecisionOptions): Promise<void> {
  const by = personOf(options.by)
  const reason = options.note === undefined ? null : readText('--note', options.note)
  await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    await completeRegistration(db, { reference, reason, by })
    await printByReference(db, keys, [reference], 'Completed:')
  })
}

export async function runAfaCancel(reference: string, options: AfaDecisionOptions): Promise<void> {
  const by = personOf(options.by)
  const reason = readText('--reason', options.reason)
  await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    const refund = await cancelRegistration(db, { reference, reason, by })
    const lead = refund === 0 ? 'Cancelled; the fee was kept:' : `Cancelled; ${formatGhs(pesewas(refund))} went back:`
    await printByReference(db, keys, [reference], lead)
  })
}

export async function runAfaExport(file: OutputFile, options: AfaExportOptions): Promise<void> {
  const reason = readText('--reason', options.reason)
  const registrations = await withDatabaseAndKeys(readConfig(), async (db, keys) => {
    const found = await listRegistrations(db, keys, { statuses: statusesOf(options.status), limit: Number.MAX_SAFE_INTEGER })
    await logSight(db, { actor: operatorName(), action: 'afa export', reason }, found)
    return found
  })
  await writeWholeFile(file, writePieces([await exportRegistrations(registrations)]))
  const unreadable = registrations.filter(({ isUnreadable }) => isUnreadable).map(({ reference }) => reference)
  const gap = unreadable.length === 0 ? '' : ` The identity data of ${unreadable.join(', ')} cannot be read and is missing there.`
  printResult(
    { exported: registrations.length, ...(unreadable.length === 0 ? {} : { unreadable }) },
    `${registrations.length} registrations were written to ${file.path}. Delete it when done.${gap}`,
  )
}
