import Type from 'typebox'
import type { Tx } from '../platform/database/database.ts'
import { isLiveDatabase } from '../platform/database/stamp-mode.ts'
import { defineSetting, readSetting, type Setting } from '../platform/settings/settings.ts'
import { pesewasFromGhs } from './pesewas.ts'

/** The limit of one person where money is real and the operator has set none: `main` in GHS, `sms_credits` in credits. */
export const liveDefaults = { main: 1_000, sms_credits: 20_000 } as const

/** True when a change raises the limit. Where none is set, the default limit counts with real money, and no limit otherwise. */
const isHigher = (real: number) => (before: number | null, after: number | null, isLive: boolean) => {
  const limitOf = (value: number | null) => value ?? (isLive ? real : Number.POSITIVE_INFINITY)
  return limitOf(after) > limitOf(before)
}

export const creditLimitOnePerson = defineSetting({
  name: 'credit_limit_one_person',
  schema: Type.Union([
    Type.Refine(Type.Number({ minimum: 0, maximum: 1_000_000_000 }), (value) => Math.round(value * 100) / 100 === value),
    Type.Null(),
  ]),
  defaultValue: null,
  allowed: 'an amount in GHS from 0 with at most 2 decimals, or null for the default: 1000 when live, none with the simulator',
  help: 'What one person credits alone within 24 hours: more than this in all takes two people.',
  unit: 'GHS',
  loosens: isHigher(liveDefaults.main),
})

export const smsCreditLimitOnePerson = defineSetting({
  name: 'sms_credit_limit_one_person',
  schema: Type.Union([Type.Integer({ minimum: 0, maximum: 100_000_000_000 }), Type.Null()]),
  defaultValue: null,
  allowed: 'a whole number from 0, or null for the default: 20000 when live, none with the simulator',
  help: 'The SMS credits that one person credits alone within 24 hours: more than this in all takes two people.',
  unit: 'credits',
  loosens: isHigher(liveDefaults.sms_credits),
})

export const operatorNameSetting = defineSetting({
  name: 'operator_name',
  schema: Type.String({ minLength: 1, maxLength: 80, pattern: '^\\S(.*\\S)?$' }),
  defaultValue: 'Makola',
  allowed: 'a name of 1 to 80 characters',
  help: 'The name of whoever runs this installation: the head of statements.',
})

export const moneySettings: readonly Setting[] = [creditLimitOnePerson, smsCreditLimitOnePerson, operatorNameSetting]

export const anyAmount = Number.MAX_SAFE_INTEGER

/**
 * The most that one person may credit alone within 24 hours: whole pesewas, or whole credits.
 *
 * @param isLive true when this process works with real money, whatever the mark in the database
 */
export async function readCreditLimit(tx: Tx, purse: 'main' | 'sms_credits', isLive: boolean): Promise<number> {
  const isReal = isLive || (await isLiveDatabase(tx))
  const set = await readSetting(tx, purse === 'main' ? creditLimitOnePerson : smsCreditLimitOnePerson)
  const limit = set ?? (isReal ? liveDefaults[purse] : null)
  if (limit === null) return anyAmount
  return purse === 'main' ? (pesewasFromGhs(limit) ?? 0) : limit
}
