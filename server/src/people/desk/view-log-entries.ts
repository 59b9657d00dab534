import { formatGhs, pesewasFromGhs } from '../../money/pesewas.ts'
import { describeDetails } from '../../platform/operator-log/describe-details.ts'
import type { OperatorLogEntry } from '../../platform/operator-log/read-operator-log.ts'
import { idPattern, replaceIdsByNames } from './with-names.ts'

type NamedSubject = { readonly name: string; readonly path: string | null }

/** Finds the names of ids. Ids without a name are left out. */
export type NameIds = (ids: readonly string[]) => Promise<ReadonlyMap<string, NamedSubject>>

/** Finds the unit of a setting's numbers: `GHS`, `days`. */
export type UnitOfSetting = (name: string) => string | undefined

const count = new Intl.NumberFormat('en-GH')

/**
 * Writes a number with its unit and with commas, such as `GHS 12,000,000.00` or `1,440 minutes`. Other values stay as they are.
 */
function settingInWords(value: unknown, unit: string | undefined): unknown {
  if (typeof value !== 'number') return value
  const amount = unit === 'GHS' ? pesewasFromGhs(value) : undefined
  if (amount !== undefined) return formatGhs(amount)
  return unit === undefined ? count.format(value) : `${count.format(value)} ${unit}`
}

/** The details of a line. Where it is about a setting, the values before and after are in words. */
function detailsOf({ action, subject, details }: OperatorLogEntry, unitOf: UnitOfSetting): OperatorLogEntry['details'] {
  if (!action.startsWith('setting ')) return details
  const unit = unitOf(subject)
  return { ...details, before: settingInWords(details['before'], unit), after: settingInWords(details['after'], unit) }
}

/** The name of a detail in words: `account_id` is `account`, `terms.reset_at` is `terms reset at`. */
const fieldInWords = (name: string): string =>
  name === 'external_id' ? 'receipt or transfer number' : name.replace(/_id$/, '').replaceAll(/[._]/g, ' ')

const fieldWithinValue = /\b[a-z]+(?:_[a-z0-9]+)+(?=: )/g

/** Converts lines of the operator's log for the desk: with names in place of ids and words in place of field names. */
export async function viewLogEntries(nameIds: NameIds, unitOf: UnitOfSetting, entries: readonly OperatorLogEntry[]) {
  const ids = new Set(JSON.stringify(entries).toLowerCase().match(idPattern))
  const names = await nameIds([...ids])
  const inWords = (text: string) => replaceIdsByNames(text, names).replaceAll(fieldWithinValue, fieldInWords)
  return entries.map((entry) => {
    const { id, at, actor, os_user: osUser, action, subject } = entry
    const { reason, address, changes, fields } = describeDetails(detailsOf(entry, unitOf))
    return {
      line_id: id,
      at: at.toISOString(),
      actor,
      os_user: osUser,
      address,
      action,
      subject,
      about: inWords(subject),
      path: names.get(subject.toLowerCase())?.path ?? null,
      reason: reason && inWords(reason),
      changes: changes.map(({ name, before, after }) => ({
        name: fieldInWords(name),
        before: before && inWords(before),
        after: after && inWords(after),
      })),
      fields: fields
        .filter(({ name, value }) => value.toLowerCase() !== subject.toLowerCase() && name !== 'approval_id')
        .map(({ name, value }) => ({ name: fieldInWords(name), value: inWords(value) })),
    }
  })
}
