import compile from 'fast-json-stringify'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/**
 * Compiles the schema of an answer into the function that writes it as JSON: fields that the schema does not know are left
 * out.
 */
export const compileSerializer = ({ schema }: Parameters<FastifySchemaCompiler<TSchema>>[0]) => compile(schema)
