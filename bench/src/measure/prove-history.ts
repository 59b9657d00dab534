import { allAuditChecks, openAuditBook } from '../../../server/src/all-audit-checks.ts'
import { allChains } from '../../../server/src/all-chains.ts'
import { runAudit } from '../../../server/src/money/audit.ts'
import { sealChain } from '../../../server/src/platform/chains/seal-chain.ts'
import { inTransaction } from '../../../server/src/platform/database/in-transaction.ts'
import { loadSecretsKeys } from '../../../server/src/platform/secrets/load-secrets-keys.ts'
import { products } from '../../../server/src/products/products.ts'
import { deleteCounts, rollUp } from '../../../server/src/reports/roll-up.ts'
import type { Bench } from '../bench-servers.ts'

const secondsSince = (beganAt: number) => (performance.now() - beganAt) / 1_000

/** Counts the daily sums of the stored orders from their rows. @returns the seconds that it took */
export async function countDailySums({ db, say }: Bench): Promise<number> {
  const beganAt = performance.now()
  // An earlier worker took its own first day for the oldest, because the history was stored later. So all is counted anew.
  await inTransaction(db, deleteCounts)
  while (!(await rollUp(db, products)).isComplete);
  const seconds = secondsSince(beganAt)
  say(`  daily sums counted in ${seconds.toFixed(0)} s`)
  return seconds
}

export type ProvenHistory = {
  readonly sealSeconds: number
  readonly auditSeconds: number
  /** Audits again. @returns the seconds that it took */
  readonly audit: (extent: { readonly isFull: boolean }) => Promise<number>
}

/** Seals the stored orders and proves them once by a full audit. */
export async function proveHistory({ db, dataDir, say }: Bench): Promise<ProvenHistory> {
  const book = openAuditBook(
    db,
    await loadSecretsKeys({ dataDir, databaseUrl: undefined, secretsKey: undefined }),
    allAuditChecks,
  )
  const audit = async ({ isFull }: { readonly isFull: boolean }) => {
    const beganAt = performance.now()
    const report = await runAudit(db, allAuditChecks, { isFull, book })
    if (!report.ok) throw new Error(`the audit of the history found ${JSON.stringify(report.checks)}`)
    return secondsSince(beganAt)
  }
  const sealedFrom = performance.now()
  for (const chain of allChains) await sealChain(db, chain, { milliseconds: Number.POSITIVE_INFINITY, restSeconds: 0 })
  const sealSeconds = secondsSince(sealedFrom)
  const auditSeconds = await audit({ isFull: true })
  if ((await book.read()).proof === undefined) throw new Error('the full audit proved nothing')
  say(`  sealed in ${sealSeconds.toFixed(0)} s, full audit ${auditSeconds.toFixed(0)} s`)
  return { sealSeconds, auditSeconds, audit }
}
