import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { hasAccounts } from '../demo/has-accounts.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { claimNextRegistrations, completeRegistration } from '../products/afa/work-registrations.ts'
import { openTestDatabase } from '../test-side/open-test-side.ts'
import { openRealSideFollower } from './follow-real-side.ts'

const copiedColumns = [
  'id',
  'account_id',
  'url',
  'events',
  'secret',
  'previous_secret',
  'previous_secret_until',
  'state',
  'pause_reason',
  'active_since',
] as const

/**
 * Copies webhook endpoints to the test side, for the accounts that exist there, so that they get events of test orders, too.
 * Secrets stay sealed: both sides have the same secrets keys. An endpoint that the test side paused because it failed stays
 * paused until its owner resumes it here.
 */
export async function copyEndpoints(db: Db, testDb: Db): Promise<void> {
  const accounts = await testDb.selectFrom('accounts').select('id').execute()
  const ids = accounts.map(({ id }) => id)
  const endpoints =
    ids.length === 0
      ? []
      : await db.selectFrom('webhook_endpoints').select(copiedColumns).where('account_id', 'in', ids).execute()
  await inTransaction(testDb, async (tx) => {
    const gone = tx.deleteFrom('webhook_endpoints')
    await (endpoints.length === 0
      ? gone
      : gone.where(
          'id',
          'not in',
          endpoints.map(({ id }) => id),
        )
    ).execute()
    for (const { id, ...endpoint } of endpoints) {
      await tx
        .insertInto('webhook_endpoints')
        .values({ id, ...endpoint })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(endpoint)
            .where(sql<boolean>`(webhook_endpoints.url, webhook_endpoints.events, webhook_endpoints.secret,
              webhook_endpoints.previous_secret, webhook_endpoints.active_since) is distinct from
              (excluded.url, excluded.events, excluded.secret, excluded.previous_secret, excluded.active_since)
              or (excluded.state = 'paused' and webhook_endpoints.state = 'active')`),
        )
        .execute()
    }
  })
}

/**
 * True once the first start has filled the test side with examples. That start needs empty tables, so nothing may be written
 * before it.
 */
async function isMade(testDb: Db): Promise<boolean> {
  const { rows } = await sql<{ hasTables: boolean }>`select to_regclass('accounts') is not null as "hasTables"`.execute(testDb)
  return rows[0]?.hasTables === true && hasAccounts(testDb)
}

const by = 'test side'

/** Completes AFA registrations of a test side, on which no people work. */
async function completeTestRegistrations(db: Db): Promise<void> {
  for (const reference of await claimNextRegistrations(db, 50, by)) {
    await completeRegistration(db, { reference, reason: 'A test registration.', by })
  }
}

/** The timers of an installation that has a test side, or of a test side itself; none for any other. */
export function openTestSideTimers(
  config: Pick<Config, 'testSide' | 'testSideOf'>,
  db: Db,
  secretsKeys: SecretsKeys,
): { readonly timers: readonly Timer[]; close(): Promise<void> } {
  const testDb = openTestDatabase(config)
  const whenMade = (side: Db, run: () => Promise<void>) => async () => {
    if (await isMade(side)) await run()
  }
  const timer = (name: string, run: () => Promise<void>): Timer => ({ name, everySeconds: 5, isExclusive: true, run })
  return {
    timers: [
      ...(testDb
        ? [
            timer(
              'webhooks of the test side',
              whenMade(testDb, () => copyEndpoints(db, testDb)),
            ),
            timer('prices and suspensions of the test side', whenMade(testDb, openRealSideFollower({ db, testDb, secretsKeys }))),
          ]
        : []),
      ...(config.testSideOf ? [timer('registrations of the test side', () => completeTestRegistrations(db))] : []),
    ],
    close: async () => testDb?.destroy(),
  }
}
