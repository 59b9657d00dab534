import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { describeSchemaErrors } from '../platform/http/describe-schema-error.ts'

/**
 * Names the invalid setting of a supplier in plain words.
 * @param of owner of the settings: `a DataMart supplier`
 */
export const settingsFault = (of: string, schema: TSchema, settings: unknown): Error =>
  new Error(`settings of ${of}: ${describeSchemaErrors(Value.Errors(schema, settings), 'settings')}`)

/** In GHS. Below this, our float at a supplier that fulfils orders counts as empty, unless its settings set another amount. */
export const minimumFloatGhsDefault = 5
