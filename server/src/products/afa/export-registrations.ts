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

/** Writes registrations as CSV with the applicants' data in the clear, for those who register them by hand. */
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
