import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from '../reading/read-sources.ts'

/**
 * A whole run begins with the proofs. They compute much, so files that mostly wait stand between them, and no more than three
 * or four proofs run at once.
 */
const first = [
  'server/src/failover.test.ts',
  'server/src/worker.test.ts',
  'proof/durability.test.ts',
  'proof/dispatch.test.ts',
  'proof/in-doubt.test.ts',
  'proof/overload.test.ts',
  'proof/campaign.test.ts',
  'server/src/commands/run/start.test.ts',
  'server/src/products/data/registration/run-registration-loop.test.ts',
  'proof/two-processes.test.ts',
  'proof/lost-commit.test.ts',
  'proof/settlement.test.ts',
  'proof/failover.test.ts',
  'proof/hostile-input.test.ts',
]

/**
 * Then come the files of each project, those that take longest first: begun last, one of them alone would keep the run going
 * for a minute while the other processes have nothing left to do.
 */
const longest = [
  'dashboard/test/desk/every-desk-screen.test.ts',
  'dashboard/test/amount-fields.test.ts',
  'dashboard/test/desk/failed-reads.test.ts',
  'server/src/people/permissions.test.ts',
  'dashboard/test/every-screen.test.ts',
  'dashboard/test/top-up.test.ts',
  'server/src/commands/run/start/failed-start.test.ts',
  'server/src/commands/run/first-start.test.ts',
  'server/src/docs/samples.test.ts',
  'server/src/commission-services.test.ts',
  'server/src/platform/database/embedded-postgres.test.ts',
  'dashboard/test/persons.test.ts',
  'dashboard/test/desk/orders.test.ts',
  'server/src/suppliers/every-adapter/every-adapter.test.ts',
  'dashboard/test/desk/suppliers.test.ts',
  'dashboard/test/buy.test.ts',
  'dashboard/test/sms.test.ts',
  'server/src/statuses-never-go-back.test.ts',
  'server/src/orders/queries/order-list-plans.test.ts',
  'server/src/people/sign-in.test.ts',
  'server/src/products/sms/link/take-over-claims.test.ts',
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
  'server/src/platform/http/hostile-connections.test.ts',
  'server/src/products/sms/text/encode-text.test.ts',
  'server/src/platform/http/limits/answer-in-time.test.ts',
]

const missing = [...first, ...longest].filter((path) => !existsSync(join(root, path)))
if (missing.length > 0) throw new Error(`longest-first.ts names what is not there: ${missing.join(', ')}`)

/** Each change of project starts a process anew, which loads all code again, and a browser with it. */
const projects = ['proof', 'browser', 'database', 'unit']

const byProject = (one: TestSpecification, other: TestSpecification) =>
  projects.indexOf(one.project.name) - projects.indexOf(other.project.name)

/** Files of the list come before all others. */
function byList(list: readonly string[]) {
  const paths = list.map((path) => join(root, path))
  const placeOf = ({ moduleId }: TestSpecification) => (paths.includes(moduleId) ? paths.indexOf(moduleId) : paths.length)
  return (one: TestSpecification, other: TestSpecification) => placeOf(one) - placeOf(other)
}

/** The order of the files of a run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // It is vitest's method and no array's.
    // oxlint-disable-next-line unicorn/no-array-sort
    const usual = await super.sort(files)
    // Files that a sort does not tell apart keep the order of the sort before.
    return usual.toSorted(byList(longest)).toSorted(byProject).toSorted(byList(first))
  }
}
