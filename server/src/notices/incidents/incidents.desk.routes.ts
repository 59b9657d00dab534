import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { AskedMoment, Nullable, Omissible, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { announceIncident, endIncident, listIncidents, listPresentIncidents } from './announce-incident.ts'
import { KeptIncident, ShownIncident, viewIncident, viewShownIncident } from './incident.schemas.ts'
import { incidentLevels } from './incidents.tables.ts'

const pageIncidents = 30

const Incidents = Type.Object(
  {
    shown: Type.Array(ShownIncident, { description: 'What resellers see at this moment.' }),
    incidents: Type.Array(KeptIncident),
    next: Nullable(Type.String({ description: 'The `after` of the next page; null: this is the last.' })),
  },
  { title: 'Incidents' },
)

const Done = (title: string) => Envelope(Type.Object({ incident_id: Uuid() }, { title }))

function registerIncidentActs(desk: Api, { db }: { readonly db: Db }): void {
  desk.post(
    '/incidents',
    {
      config: { permission: 'announce_incidents', refusals: [409] },
      schema: {
        operationId: 'deskAnnounceIncident',
        tags: ['Incidents'],
        summary: 'Show a message above the screens of all resellers',
        body: Type.Object({
          level: OneOf(incidentLevels),
          message: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' }),
          from: Omissible(AskedMoment({ description: 'Left out: now.' })),
          until: Omissible(AskedMoment({ description: 'Left out: until somebody ends it.' })),
        }),
        response: { 200: Done('IncidentAnnounced') },
      },
    },
    async ({ body: { level, message, from, until }, staff: { actor } }) => {
      const incident = { level, message, actor, ...(from && { from: new Date(from) }), ...(until && { until: new Date(until) }) }
      return ok({ incident_id: await inTransaction(db, (tx) => announceIncident(tx, incident)) })
    },
  )
  desk.post(
    '/incidents/:incident_id/end',
    {
      config: { permission: 'announce_incidents', refusals: [409] },
      schema: {
        operationId: 'deskEndIncident',
        tags: ['Incidents'],
        summary: 'Take a message away from the screens',
        params: Type.Object({ incident_id: Uuid() }),
        body: Type.Object({}),
        response: { 200: Done('IncidentEnded') },
      },
    },
    async ({ params: { incident_id: incidentId }, staff: { actor } }) => {
      await inTransaction(db, (tx) => endIncident(tx, { incidentId, actor }))
      return ok({ incident_id: incidentId })
    },
  )
}

export function registerIncidentRoutes(desk: Api, deps: { readonly db: Db }): void {
  desk.get(
    '/incidents',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListIncidents',
        tags: ['Incidents'],
        summary: 'List what resellers see now, and everything that was said, newest first',
        querystring: Type.Object({ after: Type.Optional(Uuid()) }),
        response: { 200: Envelope(Incidents) },
      },
    },
    async ({ query: { after } }) => {
      const [shown, rows] = await Promise.all([
        listPresentIncidents(deps.db),
        listIncidents(deps.db, { after, limit: pageIncidents + 1 }),
      ])
      const page = rows.slice(0, pageIncidents)
      return ok({
        shown: shown.map(viewShownIncident),
        incidents: page.map(viewIncident),
        next: rows.length > pageIncidents ? (page.at(-1)?.incidentId ?? null) : null,
      })
    },
  )
  registerIncidentActs(desk, deps)
}
