import Type from 'typebox'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { incidentLevels } from './incidents.tables.ts'

export const ShownIncident = Type.Object(
  { incidentId: Uuid(), level: OneOf(incidentLevels), message: Type.String(), shownFrom: Timestamp() },
  { title: 'ShownIncident' },
)

export const KeptIncident = Type.Object(
  {
    ...ShownIncident.properties,
    shownUntil: Nullable(Timestamp({ description: 'Null: until somebody ends it.' })),
    announcedBy: Type.String(),
    announcedAt: Timestamp(),
    endedBy: Nullable(Type.String()),
    endedAt: Nullable(Timestamp()),
  },
  { title: 'Incident' },
)
