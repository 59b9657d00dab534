import Type from 'typebox'
import { plainTextPattern } from '../../platform/http/document/patterns-in-words.ts'
import { AskedMoment, Moment, Nullable, OneOf } from '../../platform/http/schemas.ts'

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 254, pattern: plainTextPattern, description }))

export const LogFilters = Type.Object({
  actor: Text('A name, an e-mail, or a user of the operating system.'),
  action: Text('As the log writes it, such as `key revoke`.'),
  subject: Text('A reference, an id, a setting, an account’s e-mail.'),
  from: Type.Optional(AskedMoment()),
  until: Type.Optional(AskedMoment()),
})

export const LogQuery = Type.Object({
  ...LogFilters.properties,
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The `next` of the page before.' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const LogPage = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        line_id: Type.Integer(),
        at: Moment(),
        actor: Type.String(),
        os_user: Nullable(Type.String({ description: 'The user of the operating system, for what was typed on a terminal.' })),
        address: Nullable(Type.String({ description: 'The browser’s address.' })),
        action: Type.String(),
        subject: Type.String({ description: 'As the log has it; `subject` of the filters finds it.' }),
        about: Type.String({ description: 'The subject for people: the name of an account in place of its id.' }),
        path: Nullable(Type.String({ description: 'Where the subject is shown at the desk.' })),
        reason: Nullable(Type.String()),
        changes: Type.Array(
          Type.Object({ name: Type.String(), before: Nullable(Type.String()), after: Nullable(Type.String()) }),
        ),
        fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      }),
    ),
    next: Nullable(Type.Integer()),
  },
  { title: 'LogPage' },
)

export const LogActions = Type.Object({ actions: Type.Array(Type.String()) }, { title: 'LogActions' })

export const ChainHeads = Type.Object(
  {
    chains: Type.Array(
      Type.Object({
        chain: Type.String(),
        head: Nullable(Type.String({ description: 'To be noted elsewhere: `chain:block:hash`; null: nothing is sealed.' })),
        sealed_at: Nullable(Moment()),
        sealed_through: Moment({ description: 'All that was written before this moment is sealed.' }),
        is_behind: Type.Boolean({ description: 'Whether the sealing is more than an hour behind.' }),
        broken: Nullable(
          Type.String({ description: 'What the check that runs all the time found; null: all is as it was sealed.' }),
        ),
      }),
    ),
  },
  { title: 'ChainHeads' },
)

export const ChainCheckBody = Type.Object({
  from: AskedMoment({ description: 'Blocks that were sealed from this moment on are computed anew.' }),
})

export const ChainCheck = Type.Object(
  {
    outcome: OneOf(['as_sealed', 'altered', 'nothing_sealed']),
    blocks: Type.Integer(),
    lines: Type.Integer({ description: 'Lines of the log that were computed anew.' }),
    is_whole: Type.Boolean({ description: 'Whether all blocks since then were reached in the time that a request has.' }),
    finding: Nullable(Type.String({ description: 'The first thing that is not as it was sealed.' })),
  },
  { title: 'ChainCheck' },
)
