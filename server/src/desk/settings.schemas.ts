import Type from 'typebox'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import { Timestamp, WithWireName } from '../platform/operations/fields.ts'

const fieldProperties = {
  kind: OneOf(['switch', 'choice', 'number', 'text', 'choices', 'texts', 'numbers', 'rows', 'json'], {
    description: 'How the value is entered; `json` where nothing simpler fits.',
  }),
  choices: Type.Optional(Type.Array(Type.Unsafe<string | number>({ anyOf: [Type.String(), Type.Number()] }))),
  least: Type.Optional(Type.Number()),
  most: Type.Optional(Type.Number()),
  is_whole: Type.Optional(Type.Boolean()),
  may_be_empty: Type.Optional(Type.Boolean({ description: 'Whether the value may be null.' })),
  length_max: Type.Optional(Type.Integer()),
  names: Type.Optional(Type.Array(Type.String())),
}
const SettingField = Type.Object(
  {
    ...fieldProperties,
    columns: Type.Optional(
      Type.Array(
        Type.Object({ ...fieldProperties, name: Type.String(), is_optional: Type.Boolean() }, { title: 'SettingColumn' }),
      ),
    ),
  },
  { title: 'SettingField' },
)

export const anyValue = (description: string) => Type.Unknown({ description })

export const SettingChangeView = Type.Object(
  {
    at: Timestamp(),
    by: Type.String(),
    isByItself: Type.Boolean({ description: 'Whether the setting returned by itself, because its time was over.' }),
    isKept: Type.Boolean({ description: 'Whether its return was cancelled, so that nothing changed then.' }),
    before: anyValue('The value before.'),
    after: anyValue('The value after.'),
    reason: Nullable(Type.String()),
  },
  { title: 'SettingChange' },
)

const SettingReturn = Type.Object(
  {
    returnsAt: WithWireName('at', Timestamp({ description: 'When it returns by itself.' })),
    returnsTo: WithWireName('to', anyValue('The value that it returns to.')),
    madeBy: WithWireName('by', Type.String({ description: 'Who changed it for a time.' })),
    reason: Nullable(Type.String()),
    refusedBecause: Nullable(Type.String({ description: 'Why it could not return at its time.' })),
  },
  { title: 'SettingReturn' },
)

/** A scheduled return to an earlier value, as `--json` prints it. */
export const PrintedReturn = Type.Object({
  returnsAt: Timestamp(),
  returnsTo: Type.Unknown(),
  madeBy: Type.String(),
  reason: Nullable(Type.String()),
  refusedBecause: Nullable(Type.String()),
})

/** `approvalId` and `status` are present when the change waits for a second person. */
export const PrintedChange = Type.Object({
  name: Type.String(),
  value: Type.Optional(Type.Unknown()),
  returns: Type.Optional(PrintedReturn),
  approvalId: Type.Optional(Uuid()),
  status: Type.Optional(OneOf(['pending'])),
})

const SettingProposal = Type.Object(
  { approvalId: Uuid(), before: Nullable(Type.String()), after: Nullable(Type.String()), by: Type.String(), at: Timestamp() },
  { title: 'SettingProposal' },
)

export const SettingView = Type.Object(
  {
    name: Type.String(),
    help: Type.String(),
    allowed: Type.String({ description: 'What it may hold, in words that follow “must be”.' }),
    unit: Nullable(Type.String({ description: 'What a number counts.' })),
    field: SettingField,
    value: anyValue('The value now.'),
    defaultValue: WithWireName('default', anyValue('The value while nobody has set one.')),
    isDefault: Type.Boolean({ description: 'Whether nobody has set a value.' }),
    lastChange: Type.Union([SettingChangeView, Type.Null()]),
    returns: Type.Union([SettingReturn, Type.Null()]),
    guards: Type.Boolean({
      description:
        'Whether it guards money or rights: to loosen it takes two people, or 24 hours where nobody else could confirm it.',
    }),
    proposal: Type.Union([SettingProposal, Type.Null()], { description: 'The loosening that waits.' }),
  },
  { title: 'Setting' },
)
