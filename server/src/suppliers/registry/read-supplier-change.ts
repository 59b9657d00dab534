import { readFileSync } from 'node:fs'
import { adapters } from '../adapters.ts'
import { asObject } from '../calling/read-json.ts'
import { type SupplierChange, SupplierChangeError } from './write-supplier.ts'

/** The most slots that the table allows. */
const slotsMax = 1_000

export const supplierKeysHelp = `Keys:
  enabled=true|false            a disabled supplier is sent nothing new; what it has is still asked about
  base_url=https://HOST         where its API is (used with SUPPLIERS=live); smpp://HOST:PORT or smpps://… for SMPP
  slots=N                       calls in flight at most, 1 to ${slotsMax}
  requests_per_second=N|none    calls started per second at most
  adapter=NAME                  the format it speaks: ${Object.keys(adapters).join(', ')}
  credentials.NAME=TEXT|@FILE   sealed before it is stored; @FILE keeps it out of the shell's history
  settings.NAME=VALUE           a setting of the adapter, as JSON or plain text; empty: back to the default`

type Draft = { -readonly [K in keyof SupplierChange]: SupplierChange[K] } & {
  settings: Record<string, unknown>
  credentials: Record<string, string>
}

function fail(message: string): never {
  throw new SupplierChangeError(message)
}

function readBoolean(key: string, value: string): boolean {
  if (['true', 'on', 'yes', '1'].includes(value)) return true
  if (['false', 'off', 'no', '0'].includes(value)) return false
  return fail(`${key} must be true or false.`)
}

function readInteger(key: string, value: string, max: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > max) return fail(`${key} must be a whole number from 1 to ${max}.`)
  return number
}

/**
 * Reads the address of a supplier's API.
 * @throws SupplierChangeError when it is not a valid address, or is plain `http:` to another machine
 */
export function readSupplierUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !['https:', 'http:', 'smpp:', 'smpps:'].includes(url.protocol) || url.username || url.search || url.hash) {
    return fail('base_url must be an address such as https://api.example.com, without user, query or fragment.')
  }
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'http:' && !isLoopback) return fail('base_url must start with https://: our key travels in every request.')
  return value.replace(/\/+$/, '')
}

function readCredential(name: string, value: string): string {
  try {
    return value.startsWith('@') ? readFileSync(value.slice(1), 'utf8').trim() : value
  } catch {
    return fail(`The file ${value.slice(1)} of the credential ${name} cannot be read.`)
  }
}

function readSetting(value: string): unknown {
  if (value === '') return undefined
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}

function takeSettings(draft: Draft, value: string): void {
  const settings = asObject(readSetting(value)) ?? fail('settings must be a JSON object.')
  Object.assign(draft.settings, settings)
}

function readChangePart(draft: Draft, key: string, value: string): void {
  const [, group, name = ''] = /^(settings|credentials)\.(.+)$/.exec(key) ?? []
  const isCredential = Object.values(adapters).some((adapter) => adapter.credentialNames.includes(key))
  if (key === 'enabled') draft.isEnabled = readBoolean(key, value)
  else if (key === 'base_url') draft.baseUrl = readSupplierUrl(value)
  else if (key === 'slots') draft.slots = readInteger(key, value, slotsMax)
  else if (key === 'requests_per_second') draft.requestsPerSecond = value === 'none' ? null : readInteger(key, value, 10_000)
  else if (key === 'adapter') draft.adapter = value
  else if (key === 'settings') takeSettings(draft, value)
  else if (group === 'settings') draft.settings[name] = readSetting(value)
  else if (group === 'credentials') draft.credentials[name] = readCredential(name, value)
  else if (isCredential) draft.credentials[key] = readCredential(key, value)
  else fail(`"${key}" is not a key. ${supplierKeysHelp}`)
}

/**
 * Reads `key=value` words into a change of a supplier.
 * @throws SupplierChangeError that gives the correct form
 */
export function readSupplierChange(words: readonly string[]): SupplierChange {
  if (words.length === 0) return fail(`Say what to set. ${supplierKeysHelp}`)
  const draft: Draft = { settings: {}, credentials: {} }
  for (const word of words) {
    const at = word.indexOf('=')
    // The wrong word is not repeated: it may be a credential without its name.
    if (at < 1) return fail(`Every word must be key=value. ${supplierKeysHelp}`)
    readChangePart(draft, word.slice(0, at), word.slice(at + 1))
  }
  const { settings, credentials, ...rest } = draft
  return {
    ...rest,
    ...(Object.keys(settings).length > 0 ? { settings } : {}),
    ...(Object.keys(credentials).length > 0 ? { credentials } : {}),
  }
}
