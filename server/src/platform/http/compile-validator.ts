import { Ajv, type ErrorObject } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { describeSchemaError } from './describe-schema-error.ts'
import { findUnstorableText } from './find-unstorable-text.ts'
import { RefusalError, refusals } from './refusals.ts'

// The package is CommonJS: what TypeScript sees as the namespace is the function itself at run time.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

function newCompiler(coerceTypes: boolean): Ajv {
  // `allErrors` stays off: the first error is enough to refuse, and a hostile body cannot make us collect thousands.
  const ajv = new Ajv({ coerceTypes, useDefaults: true, removeAdditional: false, strictTypes: false })
  addFormats(ajv, ['uuid', 'date', 'date-time', 'email'])
  return ajv
}

const bodies = newCompiler(false)
const texts = newCompiler(true)

function refusalOf(errors: readonly ErrorObject[] | null | undefined, part: string | undefined): RefusalError {
  return new RefusalError(refusals.invalidRequest(describeSchemaError(errors?.[0], part ?? 'body')))
}

/**
 * Compiles a route's schema. Bodies are taken as they are, so `"5"` is not a number; queries, paths and
 * headers are text and are coerced (decisions A10). Unknown fields pass and are ignored.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const isBody = httpPart === 'body'
  const validate = (isBody ? bodies : texts).compile(schema)
  if (isBody) return (data) => (validate(data) ? { value: data } : { error: refusalOf(validate.errors, httpPart) })
  return (data) => {
    // A percent-encoded NUL passes any schema of text and would only fail in the database.
    const problem = findUnstorableText(data)
    if (problem)
      return { error: new RefusalError(refusals.invalidRequest(`The address holds ${problem}, which is not accepted.`)) }
    if (!validate(data)) return { error: refusalOf(validate.errors, httpPart) }
    const coerced = findUnstorableText(data)
    if (coerced)
      return { error: new RefusalError(refusals.invalidRequest(`The address holds ${coerced}, which is not accepted.`)) }
    return { value: data }
  }
}
