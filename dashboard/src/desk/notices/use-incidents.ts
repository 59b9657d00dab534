import type { Schema } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'

export type Incident = Schema<'Incident'>

/**
 * The incidents that resellers see above their screens, and earlier ones. The desk's own banner uses the first page of the same
 * answer.
 */
// An incident may begin or end by time alone, without any change on the server.
export const useIncidents = () => usePages('notices', '/desk/api/incidents', {}, { refetchInterval: 60_000 })
