import Type from 'typebox'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import type { Incident } from './announce-incident.ts'
import { incidentLevels } from './incidents.tables.ts'

export const ShownIncident = Type.Object(
  { incident_id: Uuid(), level: OneOf(incidentLevels), message: Type.String(), shown_from: Moment() },
  { title: 'ShownIncident' },
)

export const viewShownIncident = ({ incidentId, level, message, shownFrom }: Incident) => ({
  incident_id: incidentId,
  level,
  message,
  shown_from: shownFrom.toISOString(),
})

export const KeptIncident = Type.Object(
  {
    ...ShownIncident.properties,
    shown_until: Nullable(Moment({ description: 'Null: until somebody ends it.' })),
    announced_by: Type.String(),
    announced_at: Moment(),
    ended_by: Nullable(Type.String()),
    ended_at: Nullable(Moment()),
  },
  { title: 'Incident' },
)

export const viewIncident = (incident: Incident) => ({
  ...viewShownIncident(incident),
  shown_until: incident.shownUntil?.toISOString() ?? null,
  announced_by: incident.announcedBy,
  announced_at: incident.announcedAt.toISOString(),
  ended_by: incident.endedBy,
  ended_at: incident.endedAt?.toISOString() ?? null,
})
