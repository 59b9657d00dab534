import Type from 'typebox'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { AtDeskOnly, Timestamp } from '../../platform/operations/fields.ts'
import { operation } from '../../platform/operations/operation.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { pageOf } from '../../platform/page-of.ts'
import { clearAlarmByPerson } from './clear-alarm-by-person.ts'
import { listAlarms } from './list-alarms.ts'
import { testAlerts } from './test-alerts.ts'

const pageAlarms = 50

/** The command line lists at most this many alarms, which is more than anybody reads. */
const listedMax = 10_000

const Alarm = Type.Object(
  {
    alarm_id: Uuid(),
    name: Type.String(),
    subject: Type.String(),
    about: Type.String({ description: 'What people call the subject.' }),
    message: Type.String(),
    raised_at: Timestamp(),
    last_seen_at: Timestamp({ description: 'When its cause was seen last.' }),
    cleared_at: Nullable(Timestamp()),
  },
  { title: 'Alarm' },
)

const tag = 'Alarms'

export const alarmOperations = [
  operation({
    command: 'alert list',
    summary: 'List the alarms that stand',
    input: Type.Object({}),
    output: Type.Object({ alarms: Type.Array(Type.Omit(Alarm, ['alarm_id', 'about', 'cleared_at'])) }),
    async act({ db }) {
      const alarms = await listAlarms(db, { isOpen: true, limit: listedMax })
      return { alarms: alarms.map((alarm) => ({ ...alarm, message: alarm.text })) }
    },
    text: ({ alarms }) =>
      alarms
        .map((alarm) => `${alarm.raised_at.toISOString()}  ${alarm.name} ${alarm.subject}\n    ${alarm.message}`)
        .join('\n') || 'No alarm stands.',
  }),
  operation({
    route: 'GET /alarms',
    operationId: 'deskListAlarms',
    tag,
    permission: 'see',
    summary: 'List the alarms that stand, oldest first, or past ones, newest first',
    input: Type.Object({ state: OneOf(['open', 'past'], { default: 'open' }), after: Type.Optional(Uuid()) }),
    output: Type.Object(
      {
        alarms: Type.Array(Alarm),
        next: Nullable(Type.String({ description: 'The `after` of the next page; null: this is the last.' })),
      },
      { title: 'AlarmPage' },
    ),
    async act({ db }, _actor, { state, after }) {
      const list = (limit: number) => listAlarms(db, { isOpen: state === 'open', after, limit })
      const { rows, next } = await pageOf(pageAlarms, list, ({ id }) => id)
      return { alarms: rows.map((alarm) => ({ ...alarm, alarm_id: alarm.id })), next }
    },
  }),
  operation({
    command: 'alert clear <name> <subject>',
    example: 'makola alert clear contradiction my-first-order',
    route: 'POST /alarms/clear',
    operationId: 'deskClearAlarm',
    tag,
    permission: 'handle_alarms',
    refusals: [409],
    summary: 'Clear an alarm that somebody has dealt with',
    description: 'If its cause is still there, it is raised again.',
    input: Type.Object({
      name: Type.String({ maxLength: 200 }),
      subject: Type.String({ maxLength: 1_000 }),
      reason: AtDeskOnly(Type.String({ minLength: 1, maxLength: 500, description: 'What was done about it.' })),
    }),
    output: Type.Object({ cleared: Type.Literal(true) }, { title: 'AlarmCleared' }),
    printed: Type.Object({ name: Type.String(), subject: Type.String(), cleared: Type.Literal(true) }),
    async act({ db }, { actor }, { name, subject, reason }) {
      const isCleared = await inTransaction(db, (tx) => clearAlarmByPerson(tx, { name, subject, reason, actor }))
      if (isCleared) return { name, subject, cleared: true } as const
      throw new OperatorRequestError(`No alarm ${name} ${subject} stands.`, {
        command: '`makola alert list` shows those that do.',
      })
    },
    text: ({ name, subject }) => `Cleared: ${name} ${subject}.`,
  }),
]

/** Tests the alert channels. The desk's route has a rate limit. The command has none, and fails when a channel fails. */
export const alarmTestOperation = (mail: { readonly publicUrl: string; readonly smtpUrl: string | undefined }) =>
  operation({
    route: 'POST /alarms/test',
    operationId: 'deskTestAlerts',
    tag,
    permission: 'handle_alarms',
    refusals: [429],
    summary: 'Send a test over every channel on which alarms are told',
    input: Type.Object({}),
    output: Type.Object(
      {
        channels: Type.Array(
          Type.Object({
            channel: OneOf(['email', 'webhook']),
            failure: Nullable(Type.String({ description: 'Why it was not sent; null: it was.' })),
          }),
        ),
      },
      { title: 'AlertsTested' },
    ),
    async act({ db }, { actor }) {
      await countForThirdParty(db, 'alertTest', { recipient: 'all' })
      return { channels: await testAlerts(db, mail, actor) }
    },
  })
