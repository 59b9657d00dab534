import Type from 'typebox'
import { Moment, Nullable } from '../platform/http/schemas.ts'

const PortedNumberText = () =>
  Type.String({ pattern: '^0[0-9]{9}$', description: '10 digits starting with 0.', examples: ['0241234567'] })
const NetworkName = () => Type.String({ minLength: 1, maxLength: 60 })

export const PrefixList = Type.Object(
  {
    prefixes: Type.Array(
      Type.Object({ prefix: Type.String({ examples: ['024'] }), networks: Type.Array(Type.String()) }, { title: 'NumberPrefix' }),
    ),
    networks: Type.Array(Type.String(), { description: 'All networks that a prefix can be for.' }),
    operators: Type.Array(Type.String(), { description: 'Who a number can be carried to; AT stands for all its networks.' }),
  },
  { title: 'NumberPrefixes' },
)

export const PrefixPath = Type.Object({
  prefix: Type.String({ pattern: '^0[0-9]{2}$', description: '3 digits starting with 0.', examples: ['024'] }),
})

export const PrefixBody = Type.Object(
  {
    networks: Type.Array(NetworkName(), {
      maxItems: 20,
      description: 'What the prefix is for, and nothing else. None: for nothing.',
    }),
  },
  { title: 'PrefixNetworks' },
)

export const PortedQuery = Type.Object({
  begins: Type.Optional(Type.String({ pattern: '^0[0-9]{0,9}$', description: 'How the number begins.' })),
  after: Type.Optional(PortedNumberText()),
})

export const PortedNumbers = Type.Object(
  {
    numbers: Type.Array(
      Type.Object({ number: Type.String(), network: Type.String(), recorded_at: Moment() }, { title: 'PortedNumber' }),
    ),
    next: Nullable(Type.String({ description: 'Send it as `after`; null: this is the last page.' })),
  },
  { title: 'PortedNumbers' },
)

export const PortedPath = Type.Object({ number: PortedNumberText() })

export const PortedBody = Type.Object(
  { operator: NetworkName() },
  { title: 'PortedTo', description: 'Whose number it is now, whatever its prefix says.' },
)

export const NumberPlanChanged = Type.Object({ is_done: Type.Literal(true) }, { title: 'NumberPlanChanged' })
