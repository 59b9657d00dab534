import compile from 'fast-json-stringify'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/**
 * Compiles the schema of an answer into the function that writes it as JSON: fields that the schema does not know are left
 * out.
 */
export const compileSerializer = ({ schema }: Parameters<FastifySchemaCompiler<TSchema>>[0]) => compile(schema)

/**
 * Makes a compiler that compiles a schema when its function is called for the first time. A process has several hundred schemas
 * and uses few of them: compiling all of them takes a third of the start-up time, and much memory.
 */
export function compileWhenUsed<Asked, Given extends unknown[], Result>(
  compile: (asked: Asked) => (...given: Given) => Result,
): (asked: Asked) => (...given: Given) => Result {
  return (asked) => {
    let compiled: ((...given: Given) => Result) | undefined
    return (...given) => {
      compiled ??= compile(asked)
      return compiled(...given)
    }
  }
}
