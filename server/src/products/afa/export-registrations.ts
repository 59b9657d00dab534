import { writeCsv } from '../../platform/write-csv.ts'
import type { AfaApplication } from './list-registrations.ts'

const columns = [
  'reference',
  'status',
  'full_name',
  'phone',
  'id_type',
  'id_number',
  'date_of_birth',
  'region',
  'location',
  'notes',
  'claimed_by',
  'created_at',
] as const

/** The registrations as CSV with the persons' data in the clear, for whoever registers them by hand. */
export function exportRegistrations(registrations: readonly AfaApplication[]): string {
  const rows = registrations.map((registration) => {
    const fields: Partial<Record<(typeof columns)[number], string | null>> = {
      ...registration.identity,
      reference: registration.reference,
      status: registration.status,
      claimed_by: registration.claimedBy,
      created_at: registration.createdAt.toISOString(),
    }
    return columns.map((column) => fields[column] ?? '')
  })
  return writeCsv([columns, ...rows])
}
