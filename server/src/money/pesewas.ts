/** Marks the unit of an amount for the compiler. It does not exist at run time. */
export declare const unit: unique symbol

/** An amount in whole pesewas (GHS 1 = 100 pesewas), the form in which money is computed and moved. */
export type Pesewas = number & { readonly [unit]: 'pesewas' }

/** A number without another unit, so that credits cannot be passed as pesewas, nor pesewas as credits. */
export type WithoutUnit<Own extends string = never> = number & { readonly [unit]?: Own }

/** @throws RangeError when it is not a safe integer */
export function pesewas(amount: WithoutUnit<'pesewas'>): Pesewas {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of pesewas: ${amount}`)
  return amount as number as Pesewas
}

/**
 * Reads an amount in GHS from JSON: at most 2 decimals, exact (decisions A10: how requests are read; A11).
 *
 * @returns undefined when the number is not finite, has more than 2 decimals or is beyond exact arithmetic
 */
export function pesewasFromGhs(ghs: number): Pesewas | undefined {
  if (!Number.isFinite(ghs)) return undefined
  const amount = Math.round(ghs * 100)
  if (!Number.isSafeInteger(amount) || amount / 100 !== ghs) return undefined
  return (amount === 0 ? 0 : amount) as Pesewas
}

/** The end of a sentence about an amount in GHS that `pesewasFromGhs` does not accept. */
export function amountProblem(ghs: number): string {
  return Math.abs(ghs) * 100 > Number.MAX_SAFE_INTEGER ? 'is too large' : 'must have at most 2 decimals'
}

/** Reads an amount in GHS from text such as `100`, `100.5` or `-100.50`. @returns undefined for anything else */
export function pesewasFromText(text: string): Pesewas | undefined {
  const match = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text.trim())
  if (!match) return undefined
  const [, sign, whole, fraction = ''] = match
  const amount = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return pesewas(sign === '-' && amount !== 0 ? -amount : amount)
}

/** The amount in GHS with at most 2 decimals: to be shown or answered, never to compute with. */
export function ghs(amount: Pesewas): number {
  return amount / 100
}

export function ghsIfKnown(amount: Pesewas | null | undefined): number | null {
  return amount === null || amount === undefined ? null : ghs(amount)
}

/** Formats an amount for people: `GHS 1,234.50`. */
export function formatGhs(amount: Pesewas): string {
  const absolute = Math.abs(amount)
  const whole = Math.floor(absolute / 100).toLocaleString('en-US')
  return `${amount < 0 ? '-' : ''}GHS ${whole}.${String(absolute % 100).padStart(2, '0')}`
}
