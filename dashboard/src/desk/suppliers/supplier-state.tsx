import { State } from '../../both/list/state.tsx'
import { suppliersWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'

/** The state of a supplier, in the one word that matters most. */
export function SupplierState({ supplier, isLow = false }: { readonly supplier: DeskSupplier; readonly isLow?: boolean }) {
  const { states } = suppliersWords
  const { open_routes: open, paused_routes: paused, role } = supplier
  if (!supplier.is_enabled) return <State tone="plain">{states.disabled}</State>
  if (!supplier.is_usable) return <State tone="fail">{states.unusable}</State>
  if (paused > 0 && open === 0) return <State tone="fail">{states.allPaused}</State>
  if (paused > 0) return <State tone="wait">{states.someRoutes(paused, open + paused)}</State>
  if (isLow) return <State tone="wait">{states.low}</State>
  if (role !== 'registration' && open === 0) return <State tone="plain">{states.noRoute}</State>
  return <State tone="done">{states.good}</State>
}
