import { type Html, html } from '../platform/html.ts'
import { formatsInWords, patternsInWords } from '../platform/http/document/patterns-in-words.ts'
import { type DocumentedParameter, type Schema, typesOf } from './openapi.ts'
import { renderText } from './page-pieces.ts'

type Field = { readonly name: string; readonly schema: Schema; readonly isRequired: boolean; readonly description: string }

function typeName(schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeName))].join(' or ')
  const types = typesOf(schema)
  if (types.includes('array')) {
    const list = schema.items ? `array of ${typeName(schema.items)}s` : 'array'
    return [...types.filter((type) => type !== 'array' && type !== 'null'), list].join(' or ')
  }
  const [first = 'any'] = types.filter((type) => type !== 'null')
  return types.includes('null') ? `${first} or null` : first
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`]
  if (most !== undefined) return [`at most ${most}${unit}`]
  return least === undefined || (least === 0 && unit !== '') ? [] : [`at least ${least}${unit}`]
}

/** The rules for a value besides its type. */
function limitsOf(schema: Schema): string[] {
  const pattern = schema.pattern
  return [
    ...(schema.format === undefined ? [] : [formatsInWords[schema.format] ?? schema.format]),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(schema.exclusiveMinimum === undefined ? [] : [`more than ${schema.exclusiveMinimum}`]),
    ...(schema.exclusiveMaximum === undefined ? [] : [`less than ${schema.exclusiveMaximum}`]),
    ...(pattern === undefined ? [] : [patternsInWords[pattern] ?? `matches ${pattern}`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ]
}

function choicesOf(schema: Schema): readonly unknown[] {
  if (schema.const !== undefined) return [schema.const]
  return schema.enum ?? schema.items?.enum ?? []
}

/** The fields of an object and of those inside it, with paths such as `orders[].status`. */
function listFields(schema: Schema, prefix = ''): Field[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`
    const items = property.items?.properties ? property.items : undefined
    const inner = items ? listFields(items, `${path}[].`) : listFields(property, `${path}.`)
    return [{ name: path, schema: property, isRequired: required.has(name), description: property.description ?? '' }, ...inner]
  })
}

function renderField({ name, schema, isRequired, description }: Field, isRequest: boolean): Html {
  const choices = choicesOf(schema)
  const always = choices.length === 1 ? 'always ' : 'one of '
  const badge = isRequest
    ? isRequired
      ? html`<b class="required">required</b>`
      : html`<span class="optional">optional</span>`
    : null
  const sometimes = isRequest || isRequired ? null : html`<span class="optional">not always present</span>`
  return html`<div class="field">
<dt><code>${name}</code> <span class="type">${typeName(schema)}</span> ${badge}${sometimes}</dt>
<dd>${description === '' ? null : html`<p>${renderText(description)}</p>`}${
    choices.length === 0
      ? null
      : html`<p class="limits">${always}${choices.map((choice, index) => html`${index === 0 ? '' : ', '}<code>${typeof choice === 'string' ? choice : JSON.stringify(choice)}</code>`)}</p>`
  }${limitsOf(schema).length === 0 ? null : html`<p class="limits">${limitsOf(schema).join(' · ')}</p>`}</dd>
</div>
`
}

export function renderFields(schema: Schema, options: { isRequest: boolean }): Html {
  const fields = listFields(schema)
  return html`<dl class="fields">${fields.map((field) => renderField(field, options.isRequest))}</dl>`
}

export function renderParameters(parameters: readonly DocumentedParameter[]): Html {
  const fields = parameters.map(({ name, schema = {}, required, description }) => ({
    name,
    schema,
    isRequired: required === true,
    description: description ?? schema.description ?? '',
  }))
  return html`<dl class="fields">${fields.map((field) => renderField(field, true))}</dl>`
}
