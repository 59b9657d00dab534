import { IncidentBanner } from '../../both/layout/incident-banner.tsx'
import { useIncidents } from './use-incidents.ts'

/** What resellers see now, above the screens of the desk too: who answers them knows what they were told. */
export function DeskIncidents() {
  const { data } = useIncidents()
  return data ? <IncidentBanner incidents={data.pages[0]?.shown ?? []} /> : null
}
