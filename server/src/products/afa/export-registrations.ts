import type { Registration } from './list-registrations.ts'

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

/** What a spreadsheet takes for the beginning of a formula, also in the wide forms of East Asian texts. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/** A cell of RFC 4180. What a spreadsheet would take for a formula is made text by an apostrophe. */
function cell(text: string): string {
  const inert = beginsFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** The registrations as CSV with the persons' data in the clear, for whoever registers them by hand. */
export function exportRegistrations(registrations: readonly Registration[]): string {
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
  return [[...columns], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
