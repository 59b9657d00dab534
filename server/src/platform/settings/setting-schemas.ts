import Type, { type TUnsafe } from 'typebox'
import { defineSetting, type Setting } from './settings.ts'

export function defineSwitch(name: string, defaultValue: boolean, help: string): Setting<boolean> {
  return defineSetting({ name, schema: Type.Boolean(), defaultValue, allowed: 'true or false', help })
}

export function defineChoice<const C extends string>(
  name: string,
  choices: readonly C[],
  defaultValue: NoInfer<C>,
  help: string,
): Setting<C> {
  const schema: TUnsafe<C> = Type.Unsafe<C>({ type: 'string', enum: [...choices] })
  return defineSetting({ name, schema, defaultValue, allowed: `one of ${choices.join(', ')}`, help })
}

/** Defines a setting that is a whole number of a unit, such as days. */
export function defineCount(
  name: string,
  { least, most, unit }: { readonly least: number; readonly most: number; readonly unit: string },
  defaultValue: number,
  help: string,
): Setting<number> {
  const schema = Type.Integer({ minimum: least, maximum: most })
  return defineSetting({ name, schema, defaultValue, allowed: `a whole number of ${unit} from ${least} to ${most}`, help, unit })
}

/**
 * Defines an amount in GHS with at most 2 decimals, as the operator writes it. Code that calculates converts it to pesewas
 * first.
 */
export function defineGhsAmount(name: string, defaultValue: number, help: string): Setting<number> {
  const schema = Type.Refine(
    Type.Number({ minimum: 0.01, maximum: 1_000_000 }),
    // Compared with the nearest whole number of pesewas, because 0.29 * 100 is not exactly 29 in floating point.
    (value) => Math.round(value * 100) / 100 === value,
  )
  return defineSetting({
    name,
    schema,
    defaultValue,
    allowed: 'an amount in GHS between 0.01 and 1000000 with at most 2 decimals, such as 1.50',
    help,
    unit: 'GHS',
  })
}

/** Defines two amounts in GHS. The smallest can never be set above the largest. */
export function defineGhsBounds(
  least: Readonly<Parameters<typeof defineGhsAmount>>,
  most: Readonly<Parameters<typeof defineGhsAmount>>,
): { readonly minimum: Setting<number>; readonly maximum: Setting<number> } {
  const minimum = defineGhsAmount(...least)
  const maximum = defineGhsAmount(...most)
  return { minimum: { ...minimum, notAbove: maximum }, maximum: { ...maximum, notBelow: minimum } }
}
