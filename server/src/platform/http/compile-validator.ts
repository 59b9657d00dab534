import { Ajv, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { decimalsKeyword, describeSchemaErrors } from './describe-schema-error.ts'
import { findUnstorableText } from './find-unstorable-text.ts'
import { RefusalError, refusals } from './refusals.ts'

// The package is CommonJS: what TypeScript sees as the namespace is the function itself at run time.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/** Whether a number has so many decimals at most. One that is too large for any says nothing here. */
const hasDecimals = (decimals: number, value: number) => Number(value.toFixed(decimals)) === value

function newCompiler(coerceTypes: boolean, allErrors: boolean): Ajv {
  const ajv = new Ajv({ coerceTypes, allErrors, useDefaults: true, removeAdditional: false, strictTypes: false })
  addFormats(ajv, ['uuid', 'date', 'date-time', 'email'])
  ajv.addKeyword({ keyword: decimalsKeyword, type: 'number', validate: hasDecimals })
  return ajv
}

/** One validator that stops at the first fault, and another that finds all of them once there is one. */
const bodies = { judge: newCompiler(false, false), search: newCompiler(false, true) }
const texts = { judge: newCompiler(true, false), search: newCompiler(true, true) }

/** Entries of a list that are looked through for faults: as many as the largest batch, and one that shows it is too long. */
const searchedEntriesMax = 101

/** The body with its lists cut, so that a hostile one cannot make us collect a fault for each of a million entries. */
function cutLists(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const cut = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, searchedEntriesMax) : value,
  ])
  return Object.fromEntries(cut)
}

/** Names every faulty field of data that the judge has refused (decision A10: how requests are read). */
function refusalOf(told: ValidateFunction['errors'], search: ValidateFunction, data: unknown, part: string): RefusalError {
  search(cutLists(data))
  return new RefusalError(refusals.invalidRequest(describeSchemaErrors([...(search.errors ?? []), ...(told ?? [])], part)))
}

/** The fields of a body that may be left out, and are when they are null (decision A10: how requests are read). */
function omissibleFields({ properties = {}, required = [] }: JsonSchema): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name))
}

type JsonSchema = { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] }

function dropNulls(body: unknown, names: readonly string[]): void {
  if (typeof body !== 'object' || body === null) return
  const fields = body as Record<string, unknown>
  for (const name of names) if (fields[name] === null) delete fields[name]
}

/**
 * Compiles a route's schema. Bodies are taken as they are, so `"5"` is not a number; queries, paths and
 * headers are text and are coerced (decision A10: how requests are read). Unknown fields pass and are ignored; null for a field
 * that may be left out is the same as leaving it out.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }) => {
  const isBody = httpPart === 'body'
  const { judge, search } = isBody ? bodies : texts
  const validate = judge.compile(schema)
  const refuse = (data: unknown) => ({ error: refusalOf(validate.errors, search.compile(schema), data, httpPart) })
  if (isBody) {
    const omissible = omissibleFields(schema)
    return (data) => {
      dropNulls(data, omissible)
      return validate(data) ? { value: data } : refuse(data)
    }
  }
  return (data) => {
    // A percent-encoded NUL passes any schema of text and would only fail in the database.
    const problem = findUnstorableText(data)
    if (problem)
      return { error: new RefusalError(refusals.invalidRequest(`The address holds ${problem}, which is not accepted.`)) }
    if (!validate(data)) return refuse(data)
    const coerced = findUnstorableText(data)
    if (coerced)
      return { error: new RefusalError(refusals.invalidRequest(`The address holds ${coerced}, which is not accepted.`)) }
    return { value: data }
  }
}
