import type { Logger } from 'pino'
import { allChains } from './all-chains.ts'
import { matchAlarms } from './notices/match-alarms.ts'
import { readChainHeads } from './platform/chains/read-chain-heads.ts'
import { sealChain } from './platform/chains/seal-chain.ts'
import type { Db } from './platform/database/database.ts'
import type { Timer } from './platform/housekeeping/run-timers.ts'

/** Sealing millions of rows for the first time takes minutes. If it takes longer than this, a person must look. */
const patienceSeconds = 3_600

const behindAlarm = 'chain_behind'

/** Raises an alarm for each chain whose sealing falls behind, and clears it when the chain has caught up. */
export async function watchChains(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const late = (await readChainHeads(db)).filter(({ secondsBehind }) => secondsBehind > patienceSeconds)
  const causes = late.map(({ chain, sealedThroughAt }) => ({
    subject: chain,
    message: `What was written to ${chain} since ${sealedThroughAt.toISOString()} is not sealed yet.`,
  }))
  await matchAlarms(db, log, behindAlarm, causes)
}

/**
 * The timers of the chains. One worker at a time seals. A second timer watches the progress, so that an alarm is raised
 * even when the sealing itself fails.
 */
export function chainTimers(db: Db, log: Logger): Timer[] {
  return [
    ...allChains.map((chain) => ({
      name: `chain of ${chain.name}`,
      everySeconds: 15,
      isExclusive: true,
      run: () => sealChain(db, chain),
    })),
    { name: 'watch of the chains', everySeconds: 60, isExclusive: true, run: () => watchChains(db, log) },
  ]
}
