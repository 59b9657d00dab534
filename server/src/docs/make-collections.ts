import { exampleBody, exampleParameter } from './make-example.ts'
import type { DocumentedParameter, Operation, OperationGroup } from './openapi.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** The Postman variable with a key of the type that the endpoint takes. */
function keyVariable(operation: Operation): string {
  const [, type = 'standard'] = /Takes an? (\w+) key/.exec(operation.description.join(' ')) ?? []
  return `${type.toLowerCase()}Key`
}

type Variable = { readonly key: string; readonly value: string }

/** The variable that carries a value from an answer to the look-up that follows it. */
const linkVariable = (operationId: string, parameter: string) => `${operationId}.${parameter}`

/** A Postman script that stores the values for look-ups. Undefined when no look-up follows this request. */
function keepScript(operation: Operation): string[] | undefined {
  const lines = operation.links.flatMap(({ operationId, parameters }) =>
    Object.entries(parameters).map(([name, from]) => {
      const way = from.replace('$response.body#/', '').split('/')
      return `pm.collectionVariables.set('${linkVariable(operationId, name)}', pm.response.json().${way.join('.')})`
    }),
  )
  return lines.length === 0 ? undefined : ['if (pm.response.code === 200) {', ...lines.map((line) => `  ${line}`), '}']
}

function requestOf(operation: Operation, linked: ReadonlySet<string>) {
  const { method, path, parameters, needsKey } = operation
  const body = exampleBody(operation)
  const value = (parameter: DocumentedParameter) => String(exampleParameter(operation, parameter))
  const place = (parameter: DocumentedParameter): Variable => {
    const variable = linkVariable(operation.id, parameter.name)
    return { key: parameter.name, value: linked.has(variable) ? `{{${variable}}}` : value(parameter) }
  }
  const steps = path.split('/').filter(Boolean)
  const query = parameters.filter((each) => each.in === 'query')
  return {
    method,
    header: [
      ...(needsKey ? [{ key: 'Authorization', value: `{{${keyVariable(operation)}}}` }] : []),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: {
      raw: `{{baseUrl}}${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`,
      host: ['{{baseUrl}}'],
      path: steps.map((step) => step.replace(/^\{(.+)\}$/, ':$1')),
      // Optional parameters are in the list but switched off.
      query: query.map((each) => ({ key: each.name, value: value(each), disabled: each.required !== true })),
      variable: parameters.filter((each) => each.in === 'path').map(place),
    },
    body:
      body === undefined
        ? undefined
        : { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    description: operation.description.join('\n\n'),
  }
}

/** The variables of all look-ups. They hold the values of the examples until an answer replaces them. */
function linkVariables(operations: readonly Operation[]): Variable[] {
  return operations.flatMap(({ links }) =>
    links.flatMap(({ operationId, parameters }) =>
      Object.keys(parameters).map((name) => {
        const target = operations.find(({ id }) => id === operationId)
        const parameter = target?.parameters.find((each) => each.name === name)
        if (!target || !parameter) throw new Error(`a link leads to ${operationId} by ${name}, which there is not`)
        return { key: linkVariable(operationId, name), value: String(exampleParameter(target, parameter)) }
      }),
    ),
  )
}

const keyNames = ['standardKey', 'smsKey', 'commissionKey']

export type Collection = ReturnType<typeof makeCollection>

/** Makes a Postman collection (v2.1.0) of the endpoints. Its requests work as they are once the three keys are filled in. */
export function makeCollection(groups: readonly OperationGroup[], apiUrl: string) {
  const operations = groups.flatMap((group) => group.operations)
  const kept = linkVariables(operations)
  const linked = new Set(kept.map(({ key }) => key))
  const itemOf = (operation: Operation) => {
    const script = keepScript(operation)
    return {
      name: operation.summary,
      request: requestOf(operation, linked),
      event: script && [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
    }
  }
  return {
    info: { name: 'Makola API', schema, description: 'Fill in the variables standardKey, smsKey and commissionKey.' },
    variable: [{ key: 'baseUrl', value: apiUrl }, ...keyNames.map((key) => ({ key, value: '' })), ...kept],
    item: groups.map((group) => ({ name: group.tag, item: group.operations.map(itemOf) })),
  }
}

type Item = Collection['item'][number]['item'][number]

/** Translates a script for Postman into one for Bruno. */
const inBruno = (lines: readonly string[]) =>
  lines
    .join('\n')
    .replaceAll('pm.collectionVariables.set', 'bru.setVar')
    .replaceAll('pm.response.json()', 'res.body')
    .replaceAll('pm.response.code', 'res.status')

function brunoItem({ name, request, event }: Item, index: number) {
  const { method, header, url, body, description } = request
  return {
    type: 'http',
    name,
    seq: index + 1,
    request: {
      method,
      url: url.raw,
      headers: header.map(({ key, value }) => ({ name: key, value, enabled: true })),
      params: [
        ...url.query.map(({ key, value, disabled }) => ({ name: key, value, type: 'query', enabled: !disabled })),
        ...url.variable.map(({ key, value }) => ({ name: key, value, type: 'path', enabled: true })),
      ],
      body: { mode: body ? 'json' : 'none', json: body?.raw },
      auth: { mode: 'none' },
      script: { res: event && inBruno(event.flatMap(({ script }) => script.exec)) },
      docs: description,
    },
  }
}

/**
 * Makes of a Postman collection a file that Bruno imports. Its variables are an environment, which people choose after the
 * import.
 */
export function makeBruno({ info, variable, item }: Collection) {
  const variables = variable.map(({ key, value }) => {
    return { name: key, value, type: 'text', enabled: true, secret: keyNames.includes(key) }
  })
  return {
    name: info.name,
    version: '1',
    items: item.map(({ name, item: inside }) => ({ type: 'folder', name, items: inside.map(brunoItem) })),
    environments: [{ name: 'Makola', variables }],
  }
}
