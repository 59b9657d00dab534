import { isDeepStrictEqual } from 'node:util'
import Type from 'typebox'
import { ApprovalRefusedError } from '../platform/approvals/approval-kind.ts'
import type { Person } from '../platform/approvals/two-people.ts'
import type { Tx } from '../platform/database/database.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { isLiveDatabase } from '../platform/database/stamp-mode.ts'
import { cancelSettingReturn } from '../platform/settings/cancel-setting-return.ts'
import { type ChangeTerms, lockSettingReturn, SettingReturnError } from '../platform/settings/setting-returns.ts'
import { checkSettingValue, readSetting, type Setting, writeSettingIn } from '../platform/settings/settings.ts'
import { showMoment } from '../platform/texts-for-people.ts'
import { defineLoosening, type LooseningResult, lockWaiting } from './loosening.ts'

const ChangeRequest = Type.Object({
  name: Type.String(),
  value: Type.Unknown(),
  returnsAt: Type.Union([Type.String(), Type.Null()]),
})
const KeepRequest = Type.Object({ name: Type.String(), value: Type.Unknown() })

const show = (value: unknown): string => (value === null ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value))

export type SettingRequest = { readonly setting: Setting; readonly person: Person; readonly reason: string | undefined }

const defineChange = (settingOf: (name: string) => Setting) =>
  defineLoosening({
    name: 'setting set',
    schema: ChangeRequest,
    subjectOf: ({ name }) => name,
    describe: ({ name, value, returnsAt }) =>
      `set ${name} to ${show(value)}${returnsAt === null ? '' : ` until ${showMoment(new Date(returnsAt))}`}, which loosens what guards money or rights`,
    async lockAndPreview(tx, { name, value }) {
      await raiseEpoch(tx)
      const setting = settingOf(name)
      checkSettingValue(setting, value)
      return { before: show(await readSetting(tx, setting)), after: show(value) }
    },
    async do(tx, { name, value, returnsAt }, { looseningId, actor, reason }) {
      const terms = { reason, ...(returnsAt !== null && { returnsAt: new Date(returnsAt) }), looseningId }
      await writeSettingIn(tx, settingOf(name), value, actor, terms)
    },
  })

const keeping = defineLoosening({
  name: 'setting keep',
  schema: KeepRequest,
  subjectOf: ({ name }) => name,
  describe: ({ name, value }) => `keep ${name} at ${show(value)} for good, which loosens what guards money or rights`,
  async lockAndPreview(tx, { name, value }) {
    await raiseEpoch(tx)
    const waiting = await lockSettingReturn(tx, name)
    if (!waiting || !isDeepStrictEqual(waiting.value, value)) throw new SettingReturnError(`${name} has changed meanwhile.`)
    return { before: `${show(value)} until ${showMoment(waiting.returnsAt)}`, after: `${show(value)} for good` }
  },
  do: (tx, { name }, { looseningId, actor, reason }) => cancelSettingReturn(tx, name, { actor, reason, looseningId }),
})

/** True when a value is looser than the present one, or than the one to which the setting returns. */
async function isLooser(tx: Tx, setting: Setting, value: unknown): Promise<boolean> {
  if (!setting.loosens) return false
  const isLive = await isLiveDatabase(tx)
  const waiting = await lockSettingReturn(tx, setting.name)
  const known = [await readSetting(tx, setting), ...(waiting ? [waiting.returnsTo] : [])]
  return known.some((before) => setting.loosens?.(before, value, isLive))
}

/**
 * The one way in which people change settings. Once money has moved, a change that loosens a setting which guards money or
 * rights takes two people. Every other change is in force at once.
 */
export function guardSettings(findSetting: (name: string) => Setting | undefined) {
  function settingOf(name: string): Setting {
    const setting = findSetting(name)
    if (!setting) throw new ApprovalRefusedError(`This version knows no setting ${name}.`)
    return setting
  }

  const changing = defineChange(settingOf)

  return {
    kinds: [changing.kind, keeping.kind],
    /**
     * @throws SettingValueError when the value is not allowed, SettingReturnError when the time of return is not,
     * ApprovalRefusedError when the change cannot be proposed
     */
    async change(
      tx: Tx,
      { setting, person, reason }: SettingRequest,
      value: unknown,
      terms: Pick<ChangeTerms, 'returnsAt'>,
    ): Promise<LooseningResult> {
      checkSettingValue(setting, value)
      await lockWaiting(tx, changing.kind, setting.name)
      // Raising the epoch locks its row, so one change at a time passes, and each is compared with the value in force.
      await raiseEpoch(tx)
      if (await isLooser(tx, setting, value)) {
        const request = { name: setting.name, value, returnsAt: terms.returnsAt?.toISOString() ?? null }
        return changing.ask(tx, { request, reason: reason ?? '', person })
      }
      await writeSettingIn(tx, setting, value, person.by, { ...terms, reason })
      return { state: 'done' }
    },
    /** @throws SettingReturnError when no return of the setting is scheduled */
    async keep(tx: Tx, { setting, person, reason }: SettingRequest): Promise<LooseningResult> {
      await lockWaiting(tx, keeping.kind, setting.name)
      await raiseEpoch(tx)
      const waiting = await lockSettingReturn(tx, setting.name)
      if (waiting && setting.loosens?.(waiting.returnsTo, waiting.value, await isLiveDatabase(tx))) {
        return keeping.ask(tx, { request: { name: setting.name, value: waiting.value }, reason: reason ?? '', person })
      }
      await cancelSettingReturn(tx, setting.name, { actor: person.by, reason })
      return { state: 'done' }
    },
  }
}
