import { tryPatiently } from '../../platform/back-off.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { SupplierAnswer } from '../../suppliers/ports.ts'
import { parseRouteName } from '../../suppliers/route-ports.ts'
import type { AnswerSource } from '../attempt.ts'
import { meaningOf } from '../outcomes.ts'
import { productOf } from '../product-facts.ts'
import { refundsAutomatically } from '../settlement/refund-orders.ts'
import type { Settlement } from '../settlement/settle-attempts.ts'
import { decideNextStep } from './decide-next-step.ts'
import { listOtherRoutes } from './list-other-routes.ts'
import type { Work } from './perform-work.ts'
import type { PlanDeps } from './plan-work.ts'

type ConcludeDeps = PlanDeps & { readonly db: Db; readonly settings: Settings }

type Elsewhere = { readonly otherRoutes: readonly string[]; readonly triedRoutes: readonly string[] }

/**
 * Lists the other open routes that could take the order after this answer: those not tried for it yet, and those tried
 * before.
 */
async function routesElsewhere(deps: ConcludeDeps, work: Work, answer: SupplierAnswer): Promise<Elsewhere> {
  if (meaningOf(answer.meaning)?.sendsOn !== 'elsewhere') return { otherRoutes: [], triedRoutes: [] }
  const { order, route, triedSuppliers } = work.claimed
  const found = await listOtherRoutes(deps, deps.db, [{ order, route, triedSuppliers: [work.supplier.name] }])
  const wasTried = (name: string) => triedSuppliers.has(parseRouteName(name)?.supplier ?? '')
  const routes = found.get(order.id) ?? []
  return { otherRoutes: routes.filter((name) => !wasTried(name)), triedRoutes: routes.filter(wasTried) }
}

/** Pauses between tries to decide on an answer. An answer that is given up is lost, so the supplier must be asked again. */
const retrySeconds = [0.1, 0.5, 1, 2, 5]

/**
 * Decides what the answer means. Tries again, with the pauses `retrySeconds`, when the database does not answer.
 * @throws when the last try fails too
 */
export async function concludeWork(deps: ConcludeDeps, work: Work, answer: SupplierAnswer): Promise<Settlement> {
  return await tryPatiently(retrySeconds, () => prepareSettlement(deps, work, answer))
}

/** Decides on the answer to a call and prepares the commit. Reads, but writes nothing. */
async function prepareSettlement(deps: ConcludeDeps, work: Work, answer: SupplierAnswer): Promise<Settlement> {
  const source: AnswerSource = work.call
  const decision = decideNextStep({
    attempt: work.attempt,
    source,
    answer,
    askedAt: work.claimed.claimedAt,
    schedule: work.supplier.askSchedule,
    ...(await routesElsewhere(deps, work, answer)),
  })
  const { order } = work.claimed
  const product = productOf(deps.products, order.kind)
  return {
    order,
    product,
    title: work.fulfilment.titleOf(order),
    attempt: work.attempt,
    leaseNo: work.claimed.leaseNo,
    holdReason: work.claimed.holdReason,
    spoken: {
      source,
      evidence: answer.evidence,
      supplierReference: answer.supplierReference ?? null,
      reportedCostPesewas: answer.reportedCostPesewas ?? null,
      reportedCommissionPesewas: answer.reportedCommissionPesewas ?? null,
      accountName: answer.accountName ?? null,
    },
    decision,
    refunds: decision.step.do === 'fail' && (await refundsAutomatically(deps.settings, product)),
    actor: 'worker',
  }
}
