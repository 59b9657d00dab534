import type { Logger } from 'pino'
import { allChains } from '../all-chains.ts'
import { matchAlarms } from '../notices/match-alarms.ts'
import { raiseAlarm } from '../notices/raise-alarm.ts'
import { describeFinding } from '../platform/chains/describe-finding.ts'
import { readChainHeads } from '../platform/chains/read-chain-heads.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import { verifyChain } from '../platform/chains/verify-chain.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'

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

const brokenAlarm = 'chain_broken'

/** This many blocks of each chain are checked per minute. That is little work, and checks ten million rows in a few hours. */
const blocksPerRound = 10

/**
 * Makes a check that goes through all chains again and again, a few blocks at a time, and raises an alarm about the
 * first block that is not as it was sealed. It stays at that block until it is mended. A person clears the alarm.
 */
export function createChainCheck(db: Db, log: Pick<Logger, 'error'>, blocksMax = blocksPerRound): () => Promise<void> {
  const nextNos = new Map<string, number>()
  return async () => {
    for (const chain of allChains) {
      const firstNo = nextNos.get(chain.name) ?? 1
      const { blocks, finding } = await verifyChain(db, chain, { firstNo, blocksMax })
      const isAtEnd = !finding && blocks < blocksMax
      nextNos.set(chain.name, isAtEnd ? 1 : firstNo + blocks)
      if (!finding) continue
      const message = `History was changed: ${describeFinding(chain, finding)}. Run \`makola audit --chain\`.`
      await raiseAlarm(db, log, { name: brokenAlarm, subject: chain.name, message })
    }
  }
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
    { name: 'check of the chains', everySeconds: 60, isExclusive: true, run: createChainCheck(db, log) },
    { name: 'watch of the chains', everySeconds: 60, isExclusive: true, run: () => watchChains(db, log) },
  ]
}
