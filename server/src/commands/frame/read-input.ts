import { Argument, type Command, Option } from 'commander'
import Type, { type TSchema } from 'typebox'
import { ghsCodec } from '../../money/ghs.ts'
import { decimalsKeyword } from '../../platform/http/describe-schema-error.ts'
import { codecOf, dayCodec, helpOf, isAtDeskOnly, isExact, momentCodec, optionNameOf } from '../../platform/operations/fields.ts'
import type { StaffOperation } from '../../platform/operations/operation.ts'
import { wireNameOf } from '../../platform/operations/wire.ts'
import {
  amountMax,
  checkText,
  readChoice,
  readCount,
  readCursor,
  readDecimal,
  readEnd,
  readGhs,
  readGhsTakenBack,
  readMoment,
  readMomentAhead,
  readSignedGhs,
  readText,
} from './read-options.ts'

type Rules = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly [decimalsKeyword]?: number
}

const isOfType = ({ type }: Rules, name: string) => [type].flat().includes(name)

/** Reads JSON, or anything else as text, so that a word needs no quotes. */
function readJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads the text of an option or argument by the kind of its field. */
function readField(place: string, schema: TSchema, text: string): unknown {
  const rules: Rules = schema
  if (Type.IsUnknown(schema)) return readJsonOrText(text)
  if (codecOf(schema) === dayCodec) return readMoment(place, text)
  if (codecOf(schema) === momentCodec) {
    if (place === '--to') return readEnd(text)
    return place === '--until' ? readMomentAhead(place, text) : readMoment(place, text)
  }
  if (codecOf(schema) === ghsCodec) {
    if (rules.exclusiveMinimum === 0) return readGhs(place, text)
    return rules.exclusiveMaximum === 0 ? readGhsTakenBack(place, text) : readSignedGhs(place, text)
  }
  if (rules.enum) return readChoice(place, text, rules.enum)
  if (isOfType(rules, 'integer')) return readCount(place, text, { least: rules.minimum ?? 0, most: rules.maximum ?? amountMax })
  if (isOfType(rules, 'number')) {
    return readDecimal(place, text, { decimals: rules[decimalsKeyword] ?? 0, most: rules.maximum ?? amountMax })
  }
  if (place === '--after') return readCursor(text)
  // The form of an id is not checked: a text that is no id is looked up and not found.
  if (rules.format === 'uuid') return text.trim()
  if (!isExact(schema)) return readText(place, text, rules.maxLength)
  checkText(place, text, rules.maxLength)
  return text
}

function optionOf(name: string, schema: TSchema): Option {
  const rules: Rules = schema
  const bare = optionNameOf(schema) ?? wireNameOf(name, schema).replaceAll('_', '-')
  const long = `--${name === 'accountId' ? 'account' : bare}`
  const isPlainText = isOfType(rules, 'string') && !rules.enum && rules.format === undefined && name !== 'accountId'
  const flags = isOfType(rules, 'boolean') ? long.replace('--is-', '--') : `${long} <${isPlainText ? 'text' : long.slice(2)}>`
  const option = new Option(flags, helpOf(schema) || (name === 'accountId' ? 'its id or e-mail' : ''))
  const choices = rules.enum
  if (choices) {
    // Commander's own message about an unknown word does not repeat what was typed.
    option.argParser((text) => readChoice(long, text, choices))
    // For the help and the completion.
    option.argChoices = [...choices]
  }
  if (rules.default !== undefined) option.default(rules.default)
  return option.makeOptionMandatory(!Type.IsOptional(schema) && rules.default === undefined)
}

const camel = (words: string) => words.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Declares the arguments and options of a command from its operation.
 * @returns a function that reads what was typed as the operation's input. It throws UsageError when a value is wrong
 */
export function declareInput(
  command: Command,
  { input, command: usage = '' }: StaffOperation<unknown>,
): () => Record<string, unknown> {
  const readers = new Map<string, () => unknown>()
  for (const [, flags = ''] of usage.matchAll(/ ([<[][^ ]+)/g)) {
    const name = camel(flags.replaceAll(/[<>[\].]/g, ''))
    const schema = input.properties[name]
    if (!schema) throw new Error(`makola ${usage}: the input has no field ${name}`)
    const index = command.registeredArguments.length
    command.addArgument(new Argument(flags, helpOf(schema)))
    readers.set(name, () => {
      const given: unknown = command.processedArgs[index]
      const isToRead = typeof given === 'string' && !(isOfType(schema, 'string') && !(schema as Rules).enum)
      return isToRead ? readField(flags, schema, given) : given
    })
  }
  for (const [name, schema] of Object.entries(input.properties)) {
    if (readers.has(name) || isAtDeskOnly(schema)) continue
    if (Type.IsLiteral(schema)) {
      readers.set(name, () => schema.const)
      continue
    }
    const option = optionOf(name, schema)
    command.addOption(option)
    readers.set(name, () => {
      const given: unknown = command.opts()[option.attributeName()]
      return typeof given === 'string' && name !== 'accountId' ? readField(option.long ?? name, schema, given) : given
    })
  }
  return () =>
    Object.fromEntries([...readers].map(([name, read]) => [name, read()] as const).filter(([, value]) => value !== undefined))
}
