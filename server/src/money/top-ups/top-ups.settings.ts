import Type from 'typebox'
import { defineChoice, defineCount, defineGhsAmount, defineGhsBounds } from '../../platform/settings/setting-schemas.ts'
import { defineSetting, type Setting, type Settings } from '../../platform/settings/settings.ts'
import { type Pesewas, pesewas, pesewasFromGhs } from '../pesewas.ts'

/** The amount that the wallet gets, the fee, and their sum. All in whole pesewas. */
export type TopUpQuote = { readonly amount: Pesewas; readonly fee: Pesewas; readonly charged: Pesewas }

const whole = 10_000

/**
 * Calculates the payer's charge so that the wallet gets `amount`. Where the payer bears the gateway's fee, the gateway
 * keeps its share of the whole charge, so the charge is the smallest that leaves at least the amount.
 *
 * @param feePoints the gateway's share in basis points: 195 is 1.95 %
 */
export function quoteTopUp(amount: Pesewas, feePoints: number, feeIsPaidBy: 'reseller' | 'operator'): TopUpQuote {
  if (feeIsPaidBy === 'operator' || feePoints === 0) return { amount, fee: pesewas(0), charged: amount }
  const charged = pesewas(Math.ceil((amount * whole) / (whole - feePoints)))
  return { amount, fee: pesewas(charged - amount), charged }
}

const feePoints = defineSetting({
  name: 'top_up_fee_points',
  schema: Type.Integer({ minimum: 0, maximum: 2_000 }),
  defaultValue: 195,
  allowed: 'a whole number of basis points from 0 to 2000; 195 is 1.95 %',
  help: 'What the payment gateway keeps of a payment, as it is shown and charged where resellers pay the fee.',
  unit: 'basis points',
})

const feePaidBy = defineChoice(
  'top_up_fee_paid_by',
  ['reseller', 'operator'],
  'reseller',
  'Who pays the gateway’s fee: `reseller` pays it on top, `operator` gets less than is credited.',
)

const bounds = defineGhsBounds(
  ['top_up_smallest', 1, 'The smallest amount, in GHS, that a reseller tops up through a gateway.'],
  ['top_up_largest', 10_000, 'The largest amount, in GHS, that a reseller tops up at once through a gateway.'],
)

const dailyLimit = defineGhsAmount(
  'top_up_daily_limit',
  20_000,
  'What an account tops up through gateways in a day in Accra at most, in GHS; what was not paid does not count.',
)

const patienceMinutes = defineCount(
  'top_up_minutes',
  { least: 5, most: 1_440, unit: 'minutes' },
  60,
  'How long a payment page may be used. Payment that is proven later is credited all the same.',
)

export const transferInstructions = defineSetting({
  name: 'transfer_instructions',
  schema: Type.String({ maxLength: 1_000 }),
  defaultValue: '',
  allowed: 'a text of at most 1000 characters, or an empty one',
  help: 'What resellers read who pay by a transfer of their own: whom to pay, how. Empty: there is no such way.',
  // Other instructions could name the account of the person who changes them, so the change takes two people. To remove the
  // instructions is safe.
  loosens: (before, after) => after !== before && after !== '',
})

export const topUpSettings: readonly Setting[] = [
  feePoints,
  feePaidBy,
  bounds.minimum,
  bounds.maximum,
  dailyLimit,
  patienceMinutes,
  transferInstructions,
]

/** The present limits and fees for top-ups through a gateway. Amounts in whole pesewas. */
export type TopUpTerms = {
  readonly smallest: Pesewas
  readonly largest: Pesewas
  readonly dailyLimit: Pesewas
  readonly minutes: number
  readonly feePoints: number
  readonly feeIsPaidBy: 'reseller' | 'operator'
  quote(amount: Pesewas): TopUpQuote
}

export async function readTopUpTerms(settings: Settings): Promise<TopUpTerms> {
  const amountOf = async (setting: Setting<number>) => pesewasFromGhs(await settings.read(setting)) as Pesewas
  const [smallest, largest, day] = await Promise.all([bounds.minimum, bounds.maximum, dailyLimit].map(amountOf))
  const points = await settings.read(feePoints)
  const payer = await settings.read(feePaidBy)
  return {
    smallest: smallest as Pesewas,
    largest: largest as Pesewas,
    dailyLimit: day as Pesewas,
    minutes: await settings.read(patienceMinutes),
    feePoints: points,
    feeIsPaidBy: payer,
    quote: (amount) => quoteTopUp(amount, points, payer),
  }
}
