import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { clearAlarmByPerson } from './clear-alarm-by-person.ts'
import { type ListedAlarm, listAlarms } from './list-alarms.ts'
import { testAlerts } from './test-alerts.ts'
import { withoutCommands } from './without-commands.ts'

type AlarmDeps = { readonly db: Db; readonly publicUrl: string; readonly smtpUrl: string | undefined }

const pageAlarms = 50

const Alarm = Type.Object(
  {
    alarm_id: Uuid(),
    name: Type.String(),
    subject: Type.String(),
    message: Type.String(),
    raised_at: Moment(),
    last_seen_at: Moment({ description: 'When its cause was seen last.' }),
    cleared_at: Nullable(Moment()),
  },
  { title: 'Alarm' },
)

const AlarmPage = Type.Object(
  {
    alarms: Type.Array(Alarm),
    next: Nullable(Type.String({ description: 'The `after` of the next page; null: this is the last.' })),
  },
  { title: 'AlarmPage' },
)

const viewAlarm = ({
  id,
  name,
  subject,
  message,
  raised_at: raisedAt,
  last_seen_at: seenAt,
  cleared_at: clearedAt,
}: ListedAlarm) => ({
  alarm_id: id,
  name,
  subject,
  message: withoutCommands(message),
  raised_at: raisedAt.toISOString(),
  last_seen_at: seenAt.toISOString(),
  cleared_at: clearedAt?.toISOString() ?? null,
})

function registerClearing(desk: Api, { db }: AlarmDeps): void {
  desk.post(
    '/alarms/clear',
    {
      config: { permission: 'handle_alarms', refusals: [409] },
      schema: {
        operationId: 'deskClearAlarm',
        tags: ['Alarms'],
        summary: 'Clear an alarm that somebody has dealt with',
        description: 'If its cause is still there, it is raised again.',
        body: Type.Object({
          name: Type.String({ maxLength: 200 }),
          subject: Type.String({ maxLength: 1_000 }),
          reason: Type.String({ minLength: 1, maxLength: 500, description: 'What was done about it.' }),
        }),
        response: { 200: Envelope(Type.Object({ cleared: Type.Literal(true) }, { title: 'AlarmCleared' })) },
      },
    },
    async ({ body: { name, subject, reason }, staff: { actor } }) => {
      const isCleared = await inTransaction(db, (tx) => clearAlarmByPerson(tx, { name, subject, reason, actor }))
      if (!isCleared) throw new OperatorRequestError('This alarm does not stand any more.')
      return ok({ cleared: true } as const)
    },
  )
}

function registerTesting(desk: Api, { db, smtpUrl, publicUrl }: AlarmDeps): void {
  const Tested = Type.Object({
    channel: OneOf(['email', 'webhook']),
    failure: Nullable(Type.String({ description: 'Why it was not sent; null: it was.' })),
  })
  desk.post(
    '/alarms/test',
    {
      config: { permission: 'handle_alarms', refusals: [429] },
      schema: {
        operationId: 'deskTestAlerts',
        tags: ['Alarms'],
        summary: 'Send a test over every channel on which alarms are told',
        body: Type.Object({}),
        response: { 200: Envelope(Type.Object({ channels: Type.Array(Tested) }, { title: 'AlertsTested' })) },
      },
    },
    async ({ staff: { actor } }) => {
      await countForThirdParty(db, 'alertTest', { recipient: 'all' })
      const tested = await testAlerts(db, { smtpUrl, publicUrl }, actor)
      return ok({ channels: tested.map(({ channel, failure }) => ({ channel, failure })) })
    },
  )
}

export function registerAlarmRoutes(desk: Api, deps: AlarmDeps): void {
  desk.get(
    '/alarms',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListAlarms',
        tags: ['Alarms'],
        summary: 'List the alarms that stand, oldest first, or past ones, newest first',
        querystring: Type.Object({ state: OneOf(['open', 'past'], { default: 'open' }), after: Type.Optional(Uuid()) }),
        response: { 200: Envelope(AlarmPage) },
      },
    },
    async ({ query: { state, after } }) => {
      const rows = await listAlarms(deps.db, { isOpen: state === 'open', after, limit: pageAlarms + 1 })
      const shown = rows.slice(0, pageAlarms)
      return ok({ alarms: shown.map(viewAlarm), next: rows.length > pageAlarms ? (shown.at(-1)?.id ?? null) : null })
    },
  )
  registerClearing(desk, deps)
  registerTesting(desk, deps)
}
