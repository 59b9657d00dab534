import Type from 'typebox'
import type { Db } from '../platform/database/database.ts'
import { Nullable } from '../platform/http/schemas.ts'
import { Timestamp, WithWireName } from '../platform/operations/fields.ts'
import { operation } from '../platform/operations/operation.ts'
import { pageOf } from '../platform/page-of.ts'
import { findPortedNumbers, listPortedNumbers, listPrefixes } from './list-number-plan.ts'
import { mobileOperatorOf } from './number-plan.ts'
import {
  addPrefix,
  readNumberNetworks,
  removePortedNumber,
  removePrefix,
  setPortedNumber,
  setPrefix,
} from './write-number-plan.ts'

const tag = 'Number plan'
const prefix = Type.String({ pattern: '^0[0-9]{2}$', description: '3 digits starting with 0.', examples: ['024'] })
const number = Type.String({ pattern: '^0[0-9]{9}$', description: '10 digits starting with 0.', examples: ['0241234567'] })
const network = Type.String({ description: 'MTN, Telecel or AT, or one of the networks of AT' })
const NetworkName = (options = {}) => Type.String({ minLength: 1, maxLength: 60, ...options })

const done = { isDone: true } as const
const Done = Type.Object({ isDone: Type.Literal(true) }, { title: 'NumberPlanChanged' })

const seeing = { tag, permission: 'see' } as const
const changing = { tag, permission: 'manage_catalogue', refusals: [409], output: Done } as const

const PortedNumber = Type.Object(
  { number: Type.String(), network: Type.String(), recordedAt: Timestamp() },
  { title: 'PortedNumber' },
)

/** The commands about prefixes print the whole plan after the change. */
const Plan = Type.Object({ prefixes: Type.Record(Type.String(), Type.Array(Type.String())) })
type PrintedPlan = { readonly prefixes: Readonly<Record<string, readonly string[]>> }

const readPlan = async (db: Db): Promise<PrintedPlan> => ({ prefixes: await listPrefixes(db) })

const describePlan = ({ prefixes }: PrintedPlan): string =>
  Object.entries(prefixes)
    .map(([each, networks]) => `${each}  ${networks.join(', ')}`)
    .join('\n') || 'No network has a prefix: every number is refused.'

const checkPrefix = (change: { readonly prefix: string }) =>
  /^0\d{2}$/.test(change.prefix)
    ? undefined
    : `A prefix must be 3 digits starting with 0, such as 024, not ${JSON.stringify(change.prefix)}.`

const checkNumber = (change: { readonly number: string }) =>
  /^0\d{9}$/.test(change.number)
    ? undefined
    : `A number must be 10 digits starting with 0, such as 0241234567, not ${JSON.stringify(change.number)}.`

const printingPlan = { output: Plan, text: describePlan } as const
const changingPlan = { ...printingPlan, input: Type.Object({ prefix, network }), check: checkPrefix } as const

const prefixCommands = (products: readonly string[]) => [
  operation({
    ...printingPlan,
    command: 'prefix list',
    example: 'makola prefix list',
    summary: 'List the prefixes with their networks',
    input: Type.Object({}),
    act: ({ db }) => readPlan(db),
  }),
  operation({
    ...changingPlan,
    command: 'prefix add <prefix> <network>',
    example: 'makola prefix add 053 MTN',
    summary: 'Add a prefix to a network; AT stands for AT-iShare and AT-BigTime too',
    async act({ db }, { actor }, change) {
      await addPrefix(db, products, { ...change, actor })
      return readPlan(db)
    },
  }),
  operation({
    ...changingPlan,
    command: 'prefix remove <prefix> <network>',
    example: 'makola prefix remove 053 MTN',
    summary: 'Take a prefix from a network; its numbers are refused unless prefix_check is hint',
    async act({ db }, { actor }, change) {
      await removePrefix(db, products, { ...change, actor })
      return readPlan(db)
    },
  }),
]

const prefixRoutes = (products: readonly string[]) => [
  operation({
    ...seeing,
    route: 'GET /numbers/prefixes',
    operationId: 'deskListPrefixes',
    summary: 'Which prefixes belong to which network',
    input: Type.Object({}),
    output: Type.Object(
      {
        prefixes: Type.Array(
          Type.Object(
            { prefix: Type.String({ examples: ['024'] }), networks: Type.Array(Type.String()) },
            { title: 'NumberPrefix' },
          ),
        ),
        networks: Type.Array(Type.String(), { description: 'All networks that a prefix can be for.' }),
        operators: Type.Array(Type.String(), { description: 'Who a number can be carried to; AT stands for all its networks.' }),
      },
      { title: 'NumberPrefixes' },
    ),
    async act({ db }) {
      const [prefixes, networks] = await Promise.all([listPrefixes(db), readNumberNetworks(db, products)])
      return {
        prefixes: Object.entries(prefixes).map(([each, of]) => ({ prefix: each, networks: of })),
        networks,
        operators: [...new Set(networks.map(mobileOperatorOf))],
      }
    },
  }),
  operation({
    ...changing,
    route: 'PUT /numbers/prefixes/:prefix',
    operationId: 'deskSetPrefix',
    summary: 'Say which networks a prefix is for; in force on all processes within a second',
    input: Type.Object(
      {
        prefix,
        networks: Type.Array(NetworkName(), {
          maxItems: 20,
          description: 'What the prefix is for, and nothing else. None: for nothing.',
        }),
      },
      { title: 'PrefixNetworks' },
    ),
    async act({ db }, { actor }, change) {
      await setPrefix(db, products, { ...change, actor })
      return done
    },
  }),
]

/** @param products those that follow the number plan */
export const prefixOperations = (products: readonly string[]) => [...prefixCommands(products), ...prefixRoutes(products)]

const portedLists = [
  operation({
    command: 'ported list',
    summary: 'List the numbers, the newest first',
    input: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 100_000, default: 100, description: 'how many at most, up to 100000' }),
    }),
    output: Type.Object({ numbers: Type.Array(PortedNumber) }),
    act: async ({ db }, _actor, asked) => ({ numbers: await listPortedNumbers(db, asked) }),
    text: ({ numbers }) =>
      numbers.map((each) => `${each.number}  ${each.network}  since ${each.recordedAt.toISOString()}`).join('\n') ||
      'No number is noted as carried to another network.',
  }),
  operation({
    ...seeing,
    route: 'GET /numbers/ported',
    operationId: 'deskListPortedNumbers',
    summary: 'Numbers that were carried to another operator, by how they begin',
    input: Type.Object({
      begins: Type.Optional(Type.String({ pattern: '^0[0-9]{0,9}$', description: 'How the number begins.' })),
      after: Type.Optional(number),
    }),
    output: Type.Object(
      {
        numbers: Type.Array(PortedNumber),
        next: Nullable(Type.String({ description: 'Send it as `after`; null: this is the last page.' })),
      },
      { title: 'PortedNumbers' },
    ),
    async act({ db }, _actor, { begins = '0', after }) {
      const list = (limit: number) => findPortedNumbers(db, { begins, after, limit })
      const { rows: numbers, next } = await pageOf(100, list, (each) => each.number)
      return { numbers, next }
    },
  }),
]

/** @param products those that follow the number plan */
export const portedOperations = (products: readonly string[]) => [
  ...portedLists,
  operation({
    ...changing,
    command: 'ported set <number> <operator>',
    example: 'makola ported set 0241234567 Telecel',
    route: 'PUT /numbers/ported/:number',
    operationId: 'deskSetPortedNumber',
    summary: 'Note that a number is one of this operator now',
    input: Type.Object(
      { number, operator: NetworkName({ description: 'MTN, Telecel or AT.' }) },
      { title: 'PortedTo', description: 'Whose number it is now, whatever its prefix says.' },
    ),
    check: checkNumber,
    async act({ db }, { actor }, ported) {
      await setPortedNumber(db, products, { ...ported, actor })
      return { ...ported, ...done }
    },
    printed: Type.Object({ number, operator: WithWireName('network', NetworkName()) }),
    text: (ported) => `${ported.number} is a number of ${ported.operator} from now on.`,
  }),
  operation({
    ...changing,
    command: 'ported remove <number>',
    example: 'makola ported remove 0241234567',
    route: 'DELETE /numbers/ported/:number',
    operationId: 'deskRemovePortedNumber',
    summary: 'Let the prefix of a number count again',
    input: Type.Object({ number }),
    check: checkNumber,
    async act({ db }, { actor }, ported) {
      await removePortedNumber(db, ported.number, actor)
      return { ...ported, ...done }
    },
    printed: Type.Object({ number, removed: Type.Literal(true) }),
    text: (ported) => `The prefix of ${ported.number} says its network again.`,
  }),
]
