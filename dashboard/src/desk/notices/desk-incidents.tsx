import { IncidentBanner } from '../../both/layout/incident-banner.tsx'
import { useIncidents } from './use-incidents.ts'

/**
 * Shows the incidents that resellers see now above the screens of the desk too, so that staff who answer resellers know
 * what these were told.
 */
export function DeskIncidents() {
  const { data } = useIncidents()
  return data ? <IncidentBanner incidents={data.pages[0]?.shown ?? []} /> : null
}
