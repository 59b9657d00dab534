import { writeLongCsv } from '../../platform/write-csv.ts'
import type { AfaApplication } from './list-registrations.ts'

const columns = [
  'time',
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
] as const

/** The registrations as CSV with the persons' data in the clear, for whoever registers them by hand. */
export function exportRegistrations(registrations: readonly AfaApplication[]): Promise<string> {
  return writeLongCsv({
    columns,
    rows: registrations.map(({ identity, reference, status, claimedBy, createdAt }) => ({
      ...identity,
      time: createdAt,
      reference,
      status,
      claimed_by: claimedBy,
    })),
  })
}
