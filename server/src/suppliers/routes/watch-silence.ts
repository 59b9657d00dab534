import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { SupplierAnswer } from '../ports.ts'
import { parseRouteName } from '../route-ports.ts'
import { pauseRoutes } from './pause-route.ts'
import { readSupplierFloat } from './read-supplier-float.ts'
import type { RouteHealthDeps } from './report-platform-rejection.ts'
import { decideSilencePause, silentSendsMin } from './route-health.ts'

export type SentOrder = { readonly route: string; readonly answer: SupplierAnswer }

/** True: the supplier was silent. False: it answered. Undefined: nothing was sent. */
function wasSilent(answer: SupplierAnswer): boolean | undefined {
  if (answer.meaning === 'not_sent') return undefined
  if (answer.hasSpoken === true) return false
  if (answer.meaning === 'unreachable') return true
  // `unknown` with `suspects` is an answer in the supplier's words.
  return answer.meaning === 'unknown' && answer.suspects === undefined
}

/**
 * Watches the answers to this process's sends, so that a silent supplier (no connection, no answer, pages of errors) gets no
 * more orders with an unknown outcome. After some silent sends in a row on one route it reads the balance. If that is silent
 * too, it pauses all the supplier's routes; if only purchases are silent, it pauses their route a little later. The first good
 * balance read opens them again.
 * @returns a function to call after every send, without an open transaction; it returns the routes that it paused
 */
export function watchSilence(deps: RouteHealthDeps): (sent: SentOrder) => Promise<readonly string[]> {
  const silentSends = new Map<string, number>()
  const routesBeingChecked = new Set<string>()

  async function pauseIfSilent(route: string): Promise<readonly string[]> {
    const parts = parseRouteName(route)
    const supplier = parts && deps.registry.find(parts.supplier)
    if (!parts || !supplier) return []
    const float = await readSupplierFloat(deps.db, supplier)
    const decision = decideSilencePause(float, silentSends.get(route) ?? 0)
    if (decision.pause === 'none') return []
    const selection = decision.pause === 'supplier' ? { supplier: parts.supplier } : parts
    const pause = { reason: decision.reason, seconds: supplier.probeSeconds }
    const paused = await inTransaction(deps.db, (tx) => pauseRoutes(tx, selection, pause))
    silentSends.delete(route)
    for (const name of paused) deps.log.warn({ route: name, reason: decision.reason }, 'route paused')
    return paused
  }

  return async ({ route, answer }) => {
    const isSilent = wasSilent(answer)
    if (isSilent === undefined) return []
    if (!isSilent) {
      silentSends.delete(route)
      return []
    }
    const inRow = (silentSends.get(route) ?? 0) + 1
    silentSends.set(route, inRow)
    if (inRow < silentSendsMin || routesBeingChecked.has(route)) return []
    routesBeingChecked.add(route)
    return pauseIfSilent(route).finally(() => routesBeingChecked.delete(route))
  }
}
