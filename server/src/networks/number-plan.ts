import type { Db } from '../platform/database/database.ts'
import { cachedByEpoch, type Epoch } from '../platform/database/epoch.ts'

const billerTitles: Readonly<Record<string, string>> = {
  ecg: 'ECG',
  ghana_water: 'Ghana Water',
  dstv: 'DStv',
  gotv: 'GOtv',
  startimes: 'StarTimes',
}

/** The name of a network or biller as people know it. */
export const networkTitle = (network: string): string => billerTitles[network] ?? network

/** Our tables that decide the network of a Ghanaian number: prefixes, and the list of ported numbers. */
export type NumberPlan = {
  readonly networksByPrefix: ReadonlyMap<string, ReadonlySet<string>>
  readonly networkByPortedNumber: ReadonlyMap<string, string>
}

async function readNumberPlan(db: Db): Promise<NumberPlan> {
  const prefixes = await db.selectFrom('number_prefixes').select(['prefix', 'network']).execute()
  const ported = await db.selectFrom('ported_numbers').select(['number', 'network']).execute()
  const networksByPrefix = new Map<string, Set<string>>()
  for (const { prefix, network } of prefixes) {
    const networks = networksByPrefix.get(prefix) ?? new Set()
    networksByPrefix.set(prefix, networks.add(network))
  }
  return { networksByPrefix, networkByPortedNumber: new Map(ported.map((row) => [row.number, row.network])) }
}

/** Caches the number plan, and reads it again when the epoch has changed. */
export function openNumberPlan(db: Db, epoch: Epoch): () => Promise<NumberPlan> {
  const load = cachedByEpoch(epoch, () => readNumberPlan(db))
  return () => load('')
}

/**
 * True when a number may be served on a network (contract, General rules, 8; decision N1). The list of ported numbers
 * overrides the prefix.
 *
 * @param number 10 digits starting with 0
 */
export function belongsToNetwork(plan: NumberPlan, number: string, network: string): boolean {
  const ported = plan.networkByPortedNumber.get(number)
  // A number is ported to a mobile operator and not to one of its networks: AT means both AT-iShare and AT-BigTime.
  if (ported !== undefined) return mobileOperatorOf(ported) === mobileOperatorOf(network)
  return plan.networksByPrefix.get(number.slice(0, 3))?.has(network) ?? false
}

/** The mobile operator of a network: AT for AT-iShare. */
export function mobileOperatorOf(network: string): string {
  return network.split('-', 1)[0] ?? network
}

/** Lists the prefixes of the given networks. Beside each prefix are those of the given networks that have it. */
export function listNetworksByPrefix<Network extends string>(plan: NumberPlan, networks: readonly Network[]) {
  return [...plan.networksByPrefix]
    .map(([prefix, found]) => ({ prefix, networks: networks.filter((network) => found.has(network)) }))
    .filter((line) => line.networks.length > 0)
}
