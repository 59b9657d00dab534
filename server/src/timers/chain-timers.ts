import type { Logger } from 'pino'
import { allChains } from '../all-chains.ts'
import { matchAlarms } from '../notices/match-alarms.ts'
import { raiseAlarm } from '../notices/raise-alarm.ts'
import type { AlertChannels } from '../notices/send-alerts.ts'
import { readChainHeads } from '../platform/chains/read-chain-heads.ts'
import { appendHeads, headsFile, readHeadsFile } from '../platform/chains/recorded-heads.ts'
import { sealChain } from '../platform/chains/seal-chain.ts'
import { describeFinding, verifyChain } from '../platform/chains/verify-chain.ts'
import type { Db } from '../platform/database/database.ts'
import { type BackgroundShare, wholeShare } from '../platform/housekeeping/background-share.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { showMoment } from '../platform/texts-for-people.ts'
import { sendChainHeads } from './send-chain-heads.ts'

export type ChainTimersOptions = {
  /** The folder with the file of heads, so that they are known outside of the database. */
  readonly dataDir: string
  readonly readChannels: () => Promise<AlertChannels>
  readonly share?: BackgroundShare
}

/** Sealing millions of rows for the first time takes minutes. After this time, a person must look. */
const patienceSeconds = 3_600

const behindAlarm = 'chain_behind'

/** Raises an alarm for each chain whose sealing falls behind, and clears it when the chain has caught up. */
export async function watchChains(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const late = (await readChainHeads(db)).filter(({ secondsBehind }) => secondsBehind > patienceSeconds)
  const causes = late.map(({ chain, sealedThroughAt }) => ({
    subject: chain,
    message: `What was written to ${chain} since ${showMoment(sealedThroughAt)} is not sealed yet.`,
  }))
  await matchAlarms(db, log, behindAlarm, causes)
}

const brokenAlarm = 'chain_broken'

/** Blocks of each chain that are checked per minute: little work, but ten million rows in a few hours. */
const blocksPerRound = 10

export type ChainCheckOptions = {
  /** The file of heads outside of the database. */
  readonly file: string
  readonly blocksMax?: number
  readonly share?: BackgroundShare
}

/**
 * Makes a check that goes through each chain again and again, a few blocks at a time. When a block was changed after its
 * sealing, it raises an alarm, and checks this chain no further until the change is undone. A person clears the alarm.
 */
export function createChainCheck(
  db: Db,
  log: Pick<Logger, 'error'>,
  { file, blocksMax = blocksPerRound, share = wholeShare }: ChainCheckOptions,
): () => Promise<void> {
  const nextNos = new Map<string, number>()
  return async () => {
    const { heads: noted } = await readHeadsFile(file)
    for (const chain of allChains) {
      const firstNo = nextNos.get(chain.name) ?? 1
      const { blocks, finding } = await verifyChain(db, chain, { firstNo, blocksMax, noted, share })
      const isAtEnd = !finding && blocks < blocksMax
      nextNos.set(chain.name, isAtEnd ? 1 : firstNo + blocks)
      if (!finding) continue
      const message = `History was changed: ${describeFinding(chain, finding)}.`
      await raiseAlarm(db, log, { name: brokenAlarm, subject: chain.name, message, command: 'Run `makola audit --chain`.' })
    }
  }
}

/**
 * Seals each chain, by one worker at a time. Another timer raises the alarm for a chain that is behind, so it works even when
 * sealing fails. Every worker also appends the newest hash of each chain to `chain-heads.txt` in its own `DATA_DIR`.
 */
export function chainTimers(db: Db, log: Logger, { dataDir, readChannels, share = wholeShare }: ChainTimersOptions): Timer[] {
  const file = headsFile(dataDir)
  return [
    ...allChains.map((chain) => ({
      name: `chain of ${chain.name}`,
      everySeconds: 15,
      isExclusive: true,
      isBackground: true,
      run: () => sealChain(db, chain, { share }),
    })),
    {
      name: 'check of the chains',
      everySeconds: 60,
      isExclusive: true,
      isBackground: true,
      run: createChainCheck(db, log, { file, share }),
    },
    { name: 'heads of the chains', everySeconds: 600, isExclusive: false, run: () => appendHeads(db, file) },
    {
      name: 'sending of the heads',
      everySeconds: 600,
      isExclusive: true,
      run: async () => sendChainHeads(db, await readChannels()),
    },
    { name: 'watch of the chains', everySeconds: 60, isExclusive: true, run: () => watchChains(db, log) },
  ]
}
