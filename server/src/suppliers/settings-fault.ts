import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { describeSchemaErrors } from '../platform/http/describe-schema-error.ts'

/**
 * Explains in plain words which setting of a supplier is not valid.
 * @param of whose settings they are: `a DataMart supplier`
 */
export const settingsFault = (of: string, schema: TSchema, settings: unknown): Error =>
  new Error(`settings of ${of}: ${describeSchemaErrors(Value.Errors(schema, settings), 'settings')}`)
