import { readPhoneNumber, waysOfWriting } from '../networks/read-phone-number.ts'
import type { Db } from '../platform/database/database.ts'
import type { PersonalRow, PersonalSource, WantedPerson } from '../platform/forgetting/personal-source.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { personalSources } from './personal-sources.ts'
import { openRecipientHash } from './recipient-hash.ts'

export type PersonalDeps = { readonly db: Db; readonly secretsKeys: SecretsKeys }

/** Masks a text that is not empty, as `masked_number` of the schema does. */
export function maskNumber(number: string): string {
  if (/^(0|233)\d{9}$/.test(number)) return `${number.slice(0, -7)}*****${number.slice(-2)}`
  return number.length > 7 ? `*****${number.slice(-2)}` : '*****'
}

/** Reads what was typed: a phone number in any way of writing it, a meter, a smartcard or an e-mail address. */
export function readPersonNumber(typed: string): string {
  const text = typed.trim()
  return readPhoneNumber(text) ?? (text.includes('@') ? text.toLowerCase() : text)
}

/** Prepares a search: all forms of the person's number, and the tables to search. @param number from `readPersonNumber` */
export async function openPersonalSearch(deps: PersonalDeps, number: string) {
  const hash = await openRecipientHash(deps)
  const isPhone = /^0\d{9}$/.test(number)
  const forms: readonly string[] = isPhone ? waysOfWriting(number) : [number]
  const person: WantedPerson = {
    forms,
    maskedForms: forms.map(maskNumber),
    hash: hash.hashRecipient(number),
    part: isPhone ? number.slice(1) : number,
  }
  return { person, sources: personalSources(hash) }
}

export type FoundData = { readonly source: PersonalSource; readonly rows: readonly PersonalRow[] }

/** Finds every row in which a person's number occurs, table by table. */
export async function findPersonalData(deps: PersonalDeps, number: string): Promise<FoundData[]> {
  const { person, sources } = await openPersonalSearch(deps, number)
  const found: FoundData[] = []
  for (const source of sources) found.push({ source, rows: await source.find(deps, person) })
  return found.filter(({ rows }) => rows.length > 0)
}
