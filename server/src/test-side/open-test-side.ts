import type { Config } from '../config.ts'
import { connectDatabase, type Db } from '../platform/database/database.ts'
import { applicationRole } from '../platform/database/migrate.ts'

/** Connections to the database of the test side. Few requests need one: those of its screen, and of a timer. */
const poolSize = 2

const queryTimeoutMilliseconds = 5_000

/** Opens the database of the test side. Does not connect yet, because it may be down. Undefined where there is no test side. */
export function openTestDatabase({ testSide }: Pick<Config, 'testSide'>): Db | undefined {
  if (!testSide) return undefined
  const { databaseUrl: url } = testSide
  return connectDatabase({ url, role: applicationRole, poolSize, queryTimeoutMilliseconds, applicationName: 'makola test side' })
}

/**
 * Whether this side, or the real side that it is the test side of, buys from real suppliers. Then webhooks go only to public
 * addresses.
 */
export const servesRealShops = ({ suppliers, testSideOf }: Pick<Config, 'suppliers' | 'testSideOf'>): boolean =>
  (testSideOf ?? suppliers) === 'live'
