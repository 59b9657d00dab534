import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { findSetting, guardedSettings, settingGroups } from '../all-settings.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { Api } from '../platform/http/api.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { RefusalError, refuse } from '../platform/http/refusals.ts'
import { AskedMoment, Moment, Nullable, Omissible, OneOf, Uuid } from '../platform/http/schemas.ts'
import { describeField } from '../platform/settings/describe-field.ts'
import { listSettings, type PastChange, type PresentSetting, readSettingHistory } from '../platform/settings/list-settings.ts'
import type { SettingReturn } from '../platform/settings/setting-returns.ts'
import type { Setting } from '../platform/settings/settings.ts'

const tags = ['Switches']

const historyMax = 20

const settingNotFound = refuse(404, 'setting_not_found', 'There is no such setting.')

const fieldProperties = {
  kind: OneOf(['switch', 'choice', 'number', 'text', 'choices', 'texts', 'numbers', 'rows', 'json'], {
    description: 'How the value is entered; `json` where nothing simpler fits.',
  }),
  choices: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]))),
  least: Type.Optional(Type.Number()),
  most: Type.Optional(Type.Number()),
  is_whole: Type.Optional(Type.Boolean()),
  may_be_empty: Type.Optional(Type.Boolean({ description: 'Whether the value may be null.' })),
  length_max: Type.Optional(Type.Integer()),
  names: Type.Optional(Type.Array(Type.String())),
}
const SettingFieldView = Type.Object(
  {
    ...fieldProperties,
    columns: Type.Optional(
      Type.Array(
        Type.Object({ ...fieldProperties, name: Type.String(), is_optional: Type.Boolean() }, { title: 'SettingColumn' }),
      ),
    ),
  },
  { title: 'SettingField' },
)

const anyValue = (description: string) => Type.Unknown({ description })

const SettingChangeView = Type.Object(
  {
    at: Moment(),
    by: Type.String(),
    is_by_itself: Type.Boolean({ description: 'Whether the setting returned by itself, because its time was over.' }),
    is_kept: Type.Boolean({ description: 'Whether its return was cancelled, so that nothing changed then.' }),
    before: anyValue('The value before.'),
    after: anyValue('The value after.'),
    reason: Nullable(Type.String()),
  },
  { title: 'SettingChange' },
)

const SettingReturnView = Type.Object(
  {
    at: Moment({ description: 'When it returns by itself.' }),
    to: anyValue('The value that it returns to.'),
    by: Type.String({ description: 'Who changed it for a time.' }),
    reason: Nullable(Type.String()),
    refused_because: Nullable(Type.String({ description: 'Why it could not return at its time.' })),
  },
  { title: 'SettingReturn' },
)

const SettingProposal = Type.Object(
  { approval_id: Uuid(), before: Nullable(Type.String()), after: Nullable(Type.String()), by: Type.String(), at: Moment() },
  { title: 'SettingProposal' },
)

const SettingView = Type.Object(
  {
    name: Type.String(),
    help: Type.String(),
    allowed: Type.String({ description: 'What it may hold, in words that follow “must be”.' }),
    unit: Nullable(Type.String({ description: 'What a number counts.' })),
    field: SettingFieldView,
    value: anyValue('The value now.'),
    default: anyValue('The value while nobody has set one.'),
    is_default: Type.Boolean({ description: 'Whether nobody has set a value.' }),
    last_change: Type.Union([SettingChangeView, Type.Null()]),
    returns: Type.Union([SettingReturnView, Type.Null()]),
    guards: Type.Boolean({
      description:
        'Whether it guards money or rights: to loosen it takes two people, or 24 hours where nobody else could confirm it.',
    }),
    proposal: Type.Union([SettingProposal, Type.Null()], { description: 'The loosening that waits.' }),
  },
  { title: 'Setting' },
)

const SettingsPage = Type.Object(
  {
    groups: Type.Array(Type.Object({ title: Type.String(), settings: Type.Array(SettingView) }, { title: 'SettingGroup' })),
  },
  { title: 'SettingsPage' },
)

const SettingParams = Type.Object({ name: Type.String({ maxLength: 100 }) })

const Reason = (description: string) => Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description })

const ChangeSettingBody = Type.Object(
  {
    value: anyValue('The new value.'),
    reason: Reason('Why it is changed, for the log.'),
    returns_at: Omissible(AskedMoment({ description: 'When it returns to its value of before by itself.' })),
  },
  { title: 'ChangeSettingBody' },
)

const KeepSettingBody = Type.Object({ reason: Reason('Why it keeps its value, for the log.') }, { title: 'KeepSettingBody' })

const viewChange = ({ at, by, isByItself, action, before, after, reason }: PastChange): Static<typeof SettingChangeView> => ({
  at: at.toISOString(),
  by,
  is_by_itself: isByItself,
  is_kept: action === 'setting keep',
  before,
  after,
  reason,
})

const viewReturn = ({ returnsAt, returnsTo, madeBy, reason, refusedBecause }: SettingReturn) => ({
  at: returnsAt.toISOString(),
  to: returnsTo,
  by: madeBy,
  reason,
  refused_because: refusedBecause,
})

type Proposal = Static<typeof SettingProposal>

function viewSetting(
  { setting, value, isDefault, lastChange, returns }: PresentSetting,
  proposal: Proposal | undefined,
): Static<typeof SettingView> {
  const { name, help, allowed, unit, schema, defaultValue } = setting
  return {
    name,
    help,
    allowed,
    unit: unit ?? null,
    field: describeField(schema) as Static<typeof SettingFieldView>,
    value,
    default: defaultValue,
    is_default: isDefault,
    last_change: lastChange ? viewChange(lastChange) : null,
    returns: returns ? viewReturn(returns) : null,
    guards: setting.loosens !== undefined,
    proposal: proposal ?? null,
  }
}

/** The waiting loosenings, by setting. */
async function readProposals(db: Db): Promise<ReadonlyMap<string, Proposal>> {
  const rows = await db
    .selectFrom('approvals')
    .select(['id', 'subject', 'before', 'after', 'proposed_by', 'created_at'])
    .where('state', '=', 'pending')
    .where(
      'kind',
      'in',
      guardedSettings.kinds.map(({ name }) => name),
    )
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .execute()
  return new Map(
    rows.map(({ id, subject, before, after, proposed_by: by, created_at: at }) => [
      subject,
      { approval_id: id, before, after, by, at: at.toISOString() },
    ]),
  )
}

function settingOf(name: string): Setting {
  const setting = findSetting(name)
  if (!setting) throw new RefusalError(settingNotFound)
  return setting
}

async function readOne(db: Db, setting: Setting): Promise<Static<typeof SettingView>> {
  const [standing] = await listSettings(db, [setting])
  if (!standing) throw new Error(`the setting ${setting.name} was not listed`)
  return viewSetting(standing, (await readProposals(db)).get(setting.name))
}

function registerReadRoutes(desk: Api, db: Db): void {
  desk.get(
    '/settings',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListSettings',
        tags,
        summary: 'Every setting, in groups, with who changed it last and when it returns',
        response: { 200: Envelope(SettingsPage) },
      },
    },
    async () => {
      const settings = settingGroups.flatMap((group) => group.settings)
      const [standing, proposals] = await Promise.all([listSettings(db, settings), readProposals(db)])
      const views = new Map(standing.map((each) => [each.setting.name, viewSetting(each, proposals.get(each.setting.name))]))
      const groups = settingGroups.map((group) => ({
        title: group.title,
        settings: group.settings.flatMap(({ name }) => views.get(name) ?? []),
      }))
      return ok({ groups })
    },
  )
  desk.get(
    '/settings/:name/history',
    {
      config: { permission: 'see', refusals: [settingNotFound] },
      schema: {
        operationId: 'deskListSettingChanges',
        tags,
        summary: 'The last changes of a setting',
        params: SettingParams,
        response: { 200: Envelope(Type.Object({ changes: Type.Array(SettingChangeView) }, { title: 'SettingChangeList' })) },
      },
    },
    async ({ params }) => {
      const changes = await readSettingHistory(db, settingOf(params.name).name, historyMax)
      return ok({ changes: changes.map(viewChange) })
    },
  )
}

export function registerSettingDeskRoutes(desk: Api, { db }: { readonly db: Db }): void {
  registerReadRoutes(desk, db)
  desk.post(
    '/settings/:name',
    {
      config: { permission: 'manage_settings', isConfirmationNeeded: true, refusals: [400, settingNotFound, 409] },
      schema: {
        operationId: 'deskChangeSetting',
        tags,
        summary: 'Change a setting, for good or until a moment',
        description:
          'In force on all processes within a second. A return that waits for the setting is cancelled. What loosens a setting that `guards` becomes its `proposal`.',
        params: SettingParams,
        body: ChangeSettingBody,
        response: { 200: Envelope(SettingView) },
      },
    },
    async ({ params, body, staff }) => {
      const setting = settingOf(params.name)
      const returnsAt = body.returns_at === undefined ? undefined : new Date(body.returns_at)
      const request = { setting, person: staff.person, reason: body.reason.trim() }
      await inTransaction(db, (tx) => guardedSettings.change(tx, request, body.value, { returnsAt }))
      return ok(await readOne(db, setting))
    },
  )
  desk.post(
    '/settings/:name/keep',
    {
      config: { permission: 'manage_settings', isConfirmationNeeded: true, refusals: [400, settingNotFound, 409] },
      schema: {
        operationId: 'deskKeepSetting',
        tags,
        summary: 'Cancel the return of a setting: it keeps the value that it has',
        params: SettingParams,
        body: KeepSettingBody,
        response: { 200: Envelope(SettingView) },
      },
    },
    async ({ params, body, staff }) => {
      const setting = settingOf(params.name)
      const request = { setting, person: staff.person, reason: body.reason.trim() }
      await inTransaction(db, (tx) => guardedSettings.keep(tx, request))
      return ok(await readOne(db, setting))
    },
  )
}
