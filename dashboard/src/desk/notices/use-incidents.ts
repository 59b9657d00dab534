import type { Schema } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'

export type Incident = Schema<'Incident'>

/**
 * The incidents that resellers see now (`shown`), and all incidents ever announced, in pages, newest first. The desk's banner
 * uses `shown` of the first page.
 */
// Read again each minute, because an incident may begin or end by time alone, without a change that the server reports.
export const useIncidents = () => usePages('notices', '/desk/api/incidents', {}, { refetchInterval: 60_000 })
