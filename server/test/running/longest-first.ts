import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../reading/read-sources.ts'

/**
 * The files that take longest, the longest first. A whole run begins with them: begun last, one of them alone would keep
 * the run going for a minute or two while the other processes have nothing left to do. Files that compute much, such as
 * the proofs, stand between files that mostly wait, so that neither too many proofs run at once nor nothing but waits.
 */
const longest = [
  'server/src/failover.test.ts',
  'dashboard/test/desk/every-desk-screen.test.ts',
  'server/src/worker.test.ts',
  'proof/durability.test.ts',
  'dashboard/test/amount-fields.test.ts',
  'server/src/commands/run/start.test.ts',
  'proof/dispatch.test.ts',
  'server/src/products/data/registration/run-registration-loop.test.ts',
  'dashboard/test/desk/failed-reads.test.ts',
  'proof/in-doubt.test.ts',
  'server/src/people/permissions.test.ts',
  'dashboard/test/every-screen.test.ts',
  'proof/lost-commit.test.ts',
  'dashboard/test/top-up.test.ts',
  'server/src/commands/run/start/failed-start.test.ts',
  'proof/settlement.test.ts',
  'server/src/commands/run/first-start.test.ts',
  'server/src/docs/samples.test.ts',
  'proof/failover.test.ts',
  'server/src/commission-services.test.ts',
  'server/src/platform/database/embedded-postgres.test.ts',
  'proof/two-processes.test.ts',
  'dashboard/test/persons.test.ts',
  'dashboard/test/desk/orders.test.ts',
  'proof/overload.test.ts',
  'server/src/suppliers/conformance/conformance.test.ts',
  'dashboard/test/desk/suppliers.test.ts',
  'proof/campaign.test.ts',
  'dashboard/test/buy.test.ts',
  'dashboard/test/sms.test.ts',
  'server/src/statuses-never-go-back.test.ts',
  'server/src/orders/queries/order-list-plans.test.ts',
  'server/src/people/sign-in.test.ts',
  'server/src/products/sms/link/inherit-claims.test.ts',
  'server/src/products/sms/link/unanswered-submits.test.ts',
  'dashboard/test/desk/staff-and-approvals.test.ts',
  'dashboard/test/desk/two-people.test.ts',
  'server/src/products/sms/link/late-answers.test.ts',
  'dashboard/test/orders-and-wallet.test.ts',
  'dashboard/test/desk/stock-and-switches.test.ts',
  'server/src/people/two-factor.test.ts',
  'server/src/people/hostile-bodies.test.ts',
  'dashboard/test/desk/frame.test.ts',
  'server/src/products/data/registration/purchase-while-away.test.ts',
  'dashboard/test/desk/packages.test.ts',
  'server/src/loop-holds.test.ts',
  'dashboard/test/developer.test.ts',
  'server/src/products/results-checker/purchase-in-doubt.test.ts',
  'server/src/commands/run/run-role.test.ts',
  'dashboard/test/desk/reports.test.ts',
  'server/src/products/sms/link/large-campaigns.test.ts',
  'server/src/products/data/registration/purchase-registration.test.ts',
]

const missing = longest.filter((path) => !existsSync(join(root, path)))
if (missing.length > 0) throw new Error(`longest-first.ts names what is not there: ${missing.join(', ')}`)

/** After the longest, the files of one project stand together, because each change of project starts a process anew. */
const projects = ['proof', 'browser', 'database', 'unit']

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = longest.findIndex((path) => moduleId === join(root, path))
  return rank === -1 ? longest.length + projects.indexOf(project.name) : rank
}

/** The order of the files of a run. Those that are not among the longest follow in the usual order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // It is vitest's method and no array's.
    // oxlint-disable-next-line unicorn/no-array-sort
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
