import type { DashboardDeps } from '../dashboard-deps.ts'
import type { StaffOperation } from '../platform/operations/operation.ts'
import { healthOperations } from '../reports/suppliers/health.operations.ts'

/** The operations that only the desk has. They are made of parts of the API's process, such as the open suppliers. */
export function deskOperations({ settings }: DashboardDeps): readonly StaffOperation<unknown>[] {
  return [...healthOperations(settings)]
}
