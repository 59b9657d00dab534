import Type from 'typebox'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Nullable, Omissible, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { AskedTimestamp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { announceIncident, endIncident, listIncidents, listPresentIncidents } from './announce-incident.ts'
import { KeptIncident, ShownIncident } from './incident.schemas.ts'
import { incidentLevels } from './incidents.tables.ts'

const pageIncidents = 30

const changing = { tag: 'Incidents', permission: 'announce_incidents', refusals: [409] } as const

export const incidentOperations = [
  operation({
    route: 'GET /incidents',
    operationId: 'deskListIncidents',
    tag: 'Incidents',
    permission: 'see',
    summary: 'List what resellers see now, and everything that was said, newest first',
    input: Type.Object({ after: Type.Optional(Uuid()) }),
    output: Type.Object(
      {
        shown: Type.Array(ShownIncident, { description: 'What resellers see at this moment.' }),
        incidents: Type.Array(KeptIncident),
        next: Nullable(Type.String({ description: 'The `after` of the next page; null: this is the last.' })),
      },
      { title: 'Incidents' },
    ),
    async act({ db }, _actor, { after }) {
      const list = (limit: number) => listIncidents(db, { after, limit })
      const [shown, { rows: incidents, next }] = await Promise.all([
        listPresentIncidents(db),
        pageOf(pageIncidents, list, ({ incidentId }) => incidentId),
      ])
      return { shown, incidents, next }
    },
  }),
  operation({
    ...changing,
    route: 'POST /incidents',
    operationId: 'deskAnnounceIncident',
    summary: 'Show a message above the screens of all resellers',
    input: Type.Object({
      level: OneOf(incidentLevels),
      message: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
      from: Omissible(AskedTimestamp({ description: 'Left out: now.' })),
      until: Omissible(AskedTimestamp({ description: 'Left out: until somebody ends it.' })),
    }),
    output: Type.Object({ incidentId: Uuid() }, { title: 'IncidentAnnounced' }),
    act: async ({ db }, { actor }, incident) => ({
      incidentId: await inTransaction(db, (tx) => announceIncident(tx, { ...incident, actor })),
    }),
  }),
  operation({
    ...changing,
    route: 'POST /incidents/:incident_id/end',
    operationId: 'deskEndIncident',
    summary: 'Take a message away from the screens',
    input: Type.Object({ incidentId: Uuid() }),
    output: Type.Object({ incidentId: Uuid() }, { title: 'IncidentEnded' }),
    async act({ db }, { actor }, incident) {
      await inTransaction(db, (tx) => endIncident(tx, { ...incident, actor }))
      return incident
    },
  }),
]
