import { allChains } from '../../../server/src/all-chains.ts'
import { forgettingOfEvidence, forgettingOfOrders } from '../../../server/src/orders/forgetting/forget-orders.ts'
import { openRecipientHash } from '../../../server/src/personal/recipient-hash.ts'
import { sealChain } from '../../../server/src/platform/chains/seal-chain.ts'
import { forgetOldData } from '../../../server/src/platform/forgetting/forget-old-data.ts'
import { wholeShare } from '../../../server/src/platform/housekeeping/background-share.ts'
import { loadSecretsKeys } from '../../../server/src/platform/secrets/load-secrets-keys.ts'
import { products } from '../../../server/src/products/products.ts'
import { rollUp } from '../../../server/src/reports/roll-up.ts'
import type { Bench } from '../bench-servers.ts'

/**
 * Does with a worker's own steps what workers of all the stored years would have done day by day: forgets old numbers and old
 * words of suppliers, seals, and sums up. Otherwise the next worker would begin with that.
 * @returns the seconds that it took
 */
export async function finishBackgroundWork({ db, dataDir, say }: Bench): Promise<number> {
  const beganAt = performance.now()
  const secretsKeys = await loadSecretsKeys({ dataDir, databaseUrl: undefined, secretsKey: undefined })
  const hash = await openRecipientHash({ db, secretsKeys })
  const log = { info: () => undefined, warn: () => undefined }
  await forgetOldData({ db, log, share: wholeShare }, [forgettingOfOrders(hash), forgettingOfEvidence])
  for (const chain of allChains) await sealChain(db, chain, { milliseconds: Number.POSITIVE_INFINITY, restSeconds: 0 })
  while (!(await rollUp(db, products)).isComplete);
  const seconds = (performance.now() - beganAt) / 1_000
  say(`  forgotten, sealed and summed up in ${seconds.toFixed(0)} s`)
  return seconds
}
