import { sql } from 'kysely'
import type { Logger } from 'pino'
import Type from 'typebox'
import { defineApprovalKind } from '../platform/approvals/approval-kind.ts'
import { expireApprovals } from '../platform/approvals/decide-approval.ts'
import { type Proposed, proposeApproval } from '../platform/approvals/propose-approval.ts'
import type { Person } from '../platform/approvals/two-people.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { rowsPerStep } from '../platform/forgetting/forget-old-data.ts'
import type { PersonalRow, PersonalSource, WantedPerson } from '../platform/forgetting/personal-source.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import type { SealedColumn } from '../platform/secrets/rotate-secrets.ts'
import { sealSecret, unsealSecret } from '../platform/secrets/seal-secret.ts'
import { maskNumber, openPersonalSearch, type PersonalDeps } from './find-personal-data.ts'
import type { KeptRows } from './personal.tables.ts'
import { openRecipientHash } from './recipient-hash.ts'

export const sealedNumbersColumn = {
  table: 'erasures',
  column: 'number',
  idColumn: 'approval_id',
  idType: 'uuid',
} as const satisfies SealedColumn

/**
 * Neither the proposal nor the log has the number. `erasures` has it, sealed, until the erasure is done or its proposal is
 * refused or expires.
 */
export const erasureKind = defineApprovalKind({
  name: 'personal erase',
  schema: Type.Object({ masked: Type.String(), hash: Type.String() }),
  describe: ({ masked }) => `erase the personal data of ${masked}`,
  lockAndPreview: (_tx, { masked }) =>
    Promise.resolve({ before: `${masked} is kept`, after: 'erased, except where an open order needs it' }),
  // A worker erases right after this transaction, in small steps.
  carryOut: () => Promise.resolve({}),
})

/** Proposes to erase the personal data about a number. @param number as `readPersonNumber` gives it */
export async function proposeErasure(
  { db, secretsKeys }: PersonalDeps,
  { number, reason, person }: { readonly number: string; readonly reason: string; readonly person: Person },
): Promise<Proposed & { readonly masked: string }> {
  const masked = maskNumber(number)
  const hash = (await openRecipientHash({ db, secretsKeys })).hashRecipient(number).toString('hex')
  return inTransaction(db, async (tx) => {
    const proposal = { kind: erasureKind, subject: masked, request: { masked, hash }, key: hash, reason, person }
    const proposed = await proposeApproval(tx, proposal)
    const sealed = sealSecret(secretsKeys, number, { ...sealedNumbersColumn, rowId: proposed.approvalId })
    await tx
      .insertInto('erasures')
      .values({ approval_id: proposed.approvalId, number: sealed, masked, done_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { ...proposed, masked }
  })
}

const referencesShown = 50

/**
 * Erases the rows of a source, `rowsPerStep` in one transaction, which also adds them to the erasure's counts.
 * @returns the rows that were kept
 */
async function eraseSource(
  db: Db,
  source: PersonalSource,
  { rows, person, erasure }: { readonly rows: readonly PersonalRow[]; readonly person: WantedPerson; readonly erasure: string },
): Promise<PersonalRow[]> {
  const { erase } = source
  if (!erase) return [...rows]
  const kept: PersonalRow[] = []
  for (let from = 0; from < rows.length; from += rowsPerStep) {
    const some = rows.slice(from, from + rowsPerStep)
    const erased = await inTransaction(db, async (tx) => {
      const ids = new Set(await erase(tx, some, person, erasure))
      await sql`
        update erasures
        set erased = jsonb_set(erased, array[${source.title}], to_jsonb(coalesce((erased ->> ${source.title})::bigint, 0) + ${ids.size}::bigint))
        where approval_id = ${erasure} and ${ids.size}::bigint > 0`.execute(tx)
      return ids
    })
    kept.push(...some.filter(({ id }) => !erased.has(id)))
  }
  return kept
}

async function writeEnd(tx: Tx, erasure: string, masked: string, kept: readonly KeptRows[]): Promise<void> {
  const { rows } = await sql<{ erased: Record<string, number> }>`
    update erasures set number = null, done_at = clock_timestamp(), kept = ${JSON.stringify(kept)}
    where approval_id = ${erasure} and done_at is null returning erased`.execute(tx)
  const [ended] = rows
  // Another process has ended it.
  if (!ended) return
  const counts = kept.map(({ title, count, because }) => ({ title, count, because }))
  const details = { approval_id: erasure, erased: ended.erased, kept: counts }
  await appendOperatorLog(tx, { actor: 'worker', action: 'personal erased', subject: masked, details })
}

type Agreed = { readonly approval_id: string; readonly number: string; readonly masked: string }

async function carryOutErasure(deps: PersonalDeps, { approval_id: erasure, number: sealed, masked }: Agreed): Promise<void> {
  const number = unsealSecret(deps.secretsKeys, sealed, { ...sealedNumbersColumn, rowId: erasure })
  const { person, sources } = await openPersonalSearch(deps, number)
  const kept: KeptRows[] = []
  for (const source of sources) {
    const found = await source.find(deps, person)
    const rows = found.filter((row) => row['is_forgotten'] !== true)
    const left = await eraseSource(deps.db, source, { rows, person, erasure })
    const { title, keptBecause: because } = source
    if (left.length === 0 || because === undefined) continue
    const shown = left.slice(0, referencesShown).map((row) => row.reference ?? row.id)
    kept.push({ title, count: left.length, because, rows: shown.map((text) => text.split(number).join(masked)) })
  }
  await inTransaction(deps.db, (tx) => writeEnd(tx, erasure, masked, kept))
}

/**
 * Carries out the erasures that two people agreed to, and removes the numbers of those that were refused or expired. It may be
 * broken off at any point: the next run erases what is left. An erasure that fails does not keep the others waiting.
 * @param only the one erasure to carry out; left out: all that wait
 * @throws the first failure, after the other erasures were carried out
 */
export async function carryOutErasures(deps: PersonalDeps, only?: string): Promise<void> {
  await inTransaction(deps.db, expireApprovals)
  await sql`
    update erasures set number = null from approvals
    where number is not null and approvals.id = approval_id and state in ('refused', 'expired')`.execute(deps.db)
  const { rows } = await sql<Agreed>`
    select approval_id, number, masked from erasures join approvals on approvals.id = approval_id
    where number is not null and state = 'done' and (${only ?? null}::uuid is null or approval_id = ${only ?? null})
    order by approval_id`.execute(deps.db)
  const failures: unknown[] = []
  for (const agreed of rows) await carryOutErasure(deps, agreed).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** True when an erasure whose number is still kept no longer waits: it was agreed to, was refused or has expired. */
const isErasureDecided = sql`exists (
  select from erasures join approvals on approvals.id = approval_id
  where number is not null and (state <> 'pending' or expires_at <= clock_timestamp()))`

export function erasureTimer(deps: PersonalDeps & { readonly log: Pick<Logger, 'info'> }): Timer {
  return {
    name: 'erasures',
    everySeconds: 1,
    isExclusive: true,
    isLong: true,
    isDue: isErasureDecided,
    run: () => carryOutErasures(deps),
  }
}
