import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { type Wire, wireOf } from './wire.ts'

type Parts = { readonly [Part in 'params' | 'querystring' | 'body']?: TSchema } & { readonly response?: Record<string, TSchema> }

/**
 * Lets routes declare schemas with the names and types of the code. Requests are checked as JSON and then decoded, answers are
 * encoded as JSON, and the document has the wire's schemas.
 */
export function wireRoutes(scope: FastifyInstance): void {
  const wires = new WeakMap<object, Wire>()
  const turn = (schema: TSchema): TSchema => {
    const wire = wires.get(schema) ?? wireOf(schema, { isAtDesk: true })
    wires.set(wire.schema, wire)
    return wire.schema
  }
  scope.addHook('onRoute', (route) => {
    const { params, querystring, body, response, ...others } = (route.schema ?? {}) as Parts
    route.schema = {
      ...others,
      ...(params && { params: turn(params) }),
      ...(querystring && { querystring: turn(querystring) }),
      ...(body && { body: turn(body) }),
      ...(response && { response: Object.fromEntries(Object.entries(response).map(([status, each]) => [status, turn(each)])) }),
    }
  })
  compileWires(scope, wires)
}

function compileWires(scope: FastifyInstance, wires: WeakMap<object, Wire>): void {
  const { validatorCompiler, serializerCompiler } = scope
  if (!validatorCompiler || !serializerCompiler) throw new Error('The compilers of schemas are set before the routes.')
  scope.setValidatorCompiler((part) => {
    const validate = validatorCompiler(part)
    const wire = wires.get(part.schema)
    if (!wire) return validate
    return (json) => {
      const checked = validate(json) as { value: unknown } | { error: Error }
      if ('error' in checked) return checked
      try {
        return { value: wire.decode(checked.value) }
      } catch (error) {
        return { error: error as Error }
      }
    }
  })
  scope.setSerializerCompiler((part) => {
    const write = serializerCompiler(part)
    const wire = wires.get(part.schema)
    return wire ? (value) => write(wire.encode(value)) : write
  })
}
