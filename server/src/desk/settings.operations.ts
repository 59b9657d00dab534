import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { allSettings, findSetting, guardedSettings, settingGroups } from '../all-settings.ts'
import { describeLoosening, type LooseningResult } from '../guards/loosening.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { ourCenturyPattern } from '../platform/http/document/patterns-in-words.ts'
import { RefusalError, refusals, refuse } from '../platform/http/refusals.ts'
import { Nullable, Omissible } from '../platform/http/schemas.ts'
import { NeededAtDesk, Timestamp, WithHelp, WithOptionName, WithWireName } from '../platform/operations/fields.ts'
import { type OperationDeps, operation } from '../platform/operations/operation.ts'
import { describeField } from '../platform/settings/describe-field.ts'
import { listSettings, readSettingHistory } from '../platform/settings/list-settings.ts'
import { listSettingReturns } from '../platform/settings/setting-returns.ts'
import { readSetting, type Setting } from '../platform/settings/settings.ts'
import { anyValue, PrintedChange, PrintedReturn, SettingChangeView, SettingView } from './settings.schemas.ts'

const historyMax = 20

const settingNotFound = refuse(404, 'setting_not_found', 'There is no such setting.')

/** Reads the proposals to loosen settings that wait for a second person, by setting. */
async function readProposals(db: Db) {
  const rows = await db
    .selectFrom('approvals')
    .select(['id as approvalId', 'subject', 'before', 'after', 'proposed_by as by', 'created_at as at'])
    .where('state', '=', 'pending')
    .where(
      'kind',
      'in',
      guardedSettings.kinds.map(({ name }) => name),
    )
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .execute()
  return new Map(rows.map((row) => [row.subject, row]))
}

async function readSettings(db: Db, settings: readonly Setting[]) {
  const [present, proposals] = await Promise.all([listSettings(db, settings), readProposals(db)])
  return present.map(({ setting, lastChange = null, returns = null, ...facts }) => ({
    ...setting,
    ...facts,
    lastChange,
    returns,
    unit: setting.unit ?? null,
    field: describeField(setting.schema),
    guards: setting.loosens !== undefined,
    proposal: proposals.get(setting.name) ?? null,
  }))
}

function settingOf(name: string): Setting {
  const setting = findSetting(name)
  if (!setting) throw new RefusalError(settingNotFound)
  return setting
}

async function readChanged(db: Db, setting: Setting, changed: LooseningResult) {
  const [view] = await readSettings(db, [setting])
  if (!view) throw new Error(`the setting ${setting.name} was not listed`)
  return { ...view, changed }
}

type Changed = Awaited<ReturnType<typeof readChanged>>

const checkName = (name: string) =>
  findSetting(name) ? undefined : `There is no setting ${JSON.stringify(name)}. \`makola setting list\` shows them all.`

const settingName = Type.String({ maxLength: 100 })

const changing = {
  by: 'optional',
  tag: 'Switches',
  permission: 'manage_settings',
  isConfirmationNeeded: true,
  refusals: [400, settingNotFound, 409],
  output: SettingView,
  async find<Named extends { readonly name: string }>(_deps: OperationDeps, named: Named): Promise<Named> {
    const problem = checkName(named.name)
    if (problem !== undefined) throw new RefusalError(refusals.invalidRequest(problem))
    return named
  },
  printed: PrintedChange,
  async print(_deps: OperationDeps, { changed, name, value, returns }: Changed): Promise<Static<typeof PrintedChange>> {
    if (changed.state === 'done') return { name, value, ...(returns && { returns }) }
    return { name, approvalId: changed.approvalId, status: 'pending' }
  },
} as const

const reason = (description: string) => NeededAtDesk(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description }))

const describeValue = (name: string, value: unknown) => `${name} = ${JSON.stringify(value)}`

const describePending = (name: string, approvalId: string) => `${name} is as it was. ${describeLoosening(approvalId)}`

const returnsAt = Timestamp({
  pattern: ourCenturyPattern,
  description: 'When the setting returns to its earlier value by itself.',
})

const changes = [
  operation({
    ...changing,
    command: 'setting set <name> <value>',
    example: `makola setting set data_enabled false
  makola setting set biller_enabled.ecg false --reason "ECG is down" --until 4h
  makola setting set registration_servers [1]
  makola setting set rate_limits '{"POST /data/purchase": 600}'`,
    route: 'POST /settings/:name',
    operationId: 'deskChangeSetting',
    summary: 'Change a setting, for good or until a moment',
    description:
      'In force on all processes within a second. A return that waits for the setting is cancelled. What loosens a setting that `guards` becomes its `proposal`.',
    input: Type.Object(
      {
        name: settingName,
        value: WithHelp('JSON or plain text', anyValue('The new value.')),
        reason: reason('Why it is changed, for the log.'),
        returnsAt: Omissible(
          WithOptionName('until', WithHelp('when it returns by itself: a moment, or a time such as 15m, 4h, 2d', returnsAt)),
        ),
      },
      { title: 'ChangeSettingBody' },
    ),
    async act({ db }, { person }, { name, value, returnsAt, reason: why }) {
      const setting = settingOf(name)
      const request = { setting, person, reason: why?.trim() }
      const changed = await inTransaction(db, (tx) => guardedSettings.change(tx, request, value, { returnsAt }))
      return readChanged(db, setting, changed)
    },
    text({ name, value, returns, approvalId }) {
      if (approvalId !== undefined) return describePending(name, approvalId)
      const end = returns ? ` until ${returns.returnsAt.toISOString()}, then ${JSON.stringify(returns.returnsTo)} again` : ''
      return `${describeValue(name, value)}${end}`
    },
  }),
  operation({
    ...changing,
    command: 'setting keep <name>',
    route: 'POST /settings/:name/keep',
    operationId: 'deskKeepSetting',
    summary: 'Cancel the return of a setting: it keeps the value that it has',
    input: Type.Object(
      { name: settingName, reason: reason('Why it keeps its value, for the log.') },
      { title: 'KeepSettingBody' },
    ),
    async act({ db }, { person }, { name, reason: why }) {
      const setting = settingOf(name)
      const changed = await inTransaction(db, (tx) => guardedSettings.keep(tx, { setting, person, reason: why?.trim() }))
      return readChanged(db, setting, changed)
    },
    text: ({ name, value, approvalId }) =>
      approvalId === undefined ? `${name} stays ${JSON.stringify(value)}.` : describePending(name, approvalId),
  }),
]

const reading = { tag: 'Switches', permission: 'see' } as const

const readsAtDesk = [
  operation({
    ...reading,
    route: 'GET /settings',
    operationId: 'deskListSettings',
    summary: 'Every setting, in groups, with who changed it last and when it returns',
    input: Type.Object({}),
    output: Type.Object(
      {
        groups: Type.Array(Type.Object({ title: Type.String(), settings: Type.Array(SettingView) }, { title: 'SettingGroup' })),
      },
      { title: 'SettingsPage' },
    ),
    async act({ db }) {
      const views = new Map((await readSettings(db, allSettings)).map((view) => [view.name, view]))
      const groups = settingGroups.map(({ title, settings }) => ({
        title,
        settings: settings.flatMap(({ name }) => views.get(name) ?? []),
      }))
      return { groups }
    },
  }),
  operation({
    ...reading,
    route: 'GET /settings/:name/history',
    operationId: 'deskListSettingChanges',
    refusals: [settingNotFound],
    summary: 'The last changes of a setting',
    input: Type.Object({ name: settingName }),
    output: Type.Object({ changes: Type.Array(SettingChangeView) }, { title: 'SettingChangeList' }),
    act: async ({ db }, _actor, { name }) => ({
      changes: await readSettingHistory(db, settingOf(name).name, historyMax),
    }),
  }),
]

const readsOnCommandLine = [
  operation({
    command: 'setting list',
    example: 'makola setting list',
    summary: 'List all settings with what they allow',
    input: Type.Object({}),
    output: Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.Unknown(),
        defaultValue: WithWireName('default', Type.Unknown()),
        allowed: Type.String(),
        help: Type.String(),
        changedAt: Nullable(Timestamp()),
        changedBy: Nullable(Type.String()),
        reason: Nullable(Type.String()),
        returns: Type.Union([PrintedReturn, Type.Null()]),
      }),
    ),
    act: async ({ db }) =>
      (await readSettings(db, allSettings)).map(({ lastChange, ...facts }) => ({
        ...facts,
        changedAt: lastChange?.at ?? null,
        changedBy: lastChange?.by ?? null,
        reason: lastChange?.reason ?? null,
      })),
    text: (settings) =>
      settings
        .map(({ name, value, help, allowed, returns }) => {
          const end = returns
            ? `    Until ${returns.returnsAt.toISOString()}, then ${JSON.stringify(returns.returnsTo)} again.\n`
            : ''
          return `${describeValue(name, value)}\n${end}    ${help} Allowed: ${allowed}.`
        })
        .join('\n'),
  }),
  operation({
    command: 'setting get <name>',
    summary: 'Show one setting',
    input: Type.Object({ name: settingName }),
    output: Type.Object({ name: Type.String(), value: Type.Unknown() }),
    check: ({ name }) => checkName(name),
    act: async ({ db }, _actor, { name }) => ({ name, value: await readSetting(db, settingOf(name)) }),
    text: ({ name, value }) => describeValue(name, value),
  }),
  operation({
    command: 'setting returns',
    example: 'makola setting returns',
    summary: 'List the settings that return to their earlier values by themselves',
    input: Type.Object({}),
    output: Type.Object({
      returns: Type.Array(Type.Object({ name: Type.String(), value: Type.Unknown(), ...PrintedReturn.properties })),
    }),
    act: async ({ db }) => ({ returns: await listSettingReturns(db) }),
    text: ({ returns }) =>
      returns
        .map(({ name, value, returnsAt, returnsTo, madeBy, reason: why, refusedBecause }) => {
          const because = why === null ? '' : `: ${why}`
          const problem = refusedBecause === null ? '' : `\n    not possible so far: ${refusedBecause}`
          return `${returnsAt.toISOString()}  ${name}: ${JSON.stringify(value)} → ${JSON.stringify(returnsTo)}  (${madeBy}${because})${problem}`
        })
        .join('\n') || 'No setting switches back by itself.',
  }),
]

export const settingOperations = [...readsOnCommandLine, ...changes, ...readsAtDesk]
