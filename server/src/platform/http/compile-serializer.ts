import compile from 'fast-json-stringify'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** Compiles the schema of an answer into the function that writes the answer as JSON: only what the schema knows leaves. */
export const compileSerializer = ({ schema }: Parameters<FastifySchemaCompiler<TSchema>>[0]) => compile(schema)
