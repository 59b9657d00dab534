import Type from 'typebox'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import type { Loosened } from './loosening.ts'

/** The result of a change that may take two people. */
export const GuardedChange = Type.Object(
  {
    state: OneOf(['done', 'proposed', 'same_waits'], {
      description:
        '`done`: it is in force. `proposed`: a second person confirms it; where nobody else can, it takes effect 24 hours after the owners were told. `same_waits`: a proposal about it waits already.',
    }),
    approvalId: Nullable(Uuid()),
  },
  { title: 'GuardedChange' },
)

export const viewLoosened = (loosened: Loosened) => ({
  state: loosened.state,
  approvalId: loosened.state === 'done' ? null : loosened.approvalId,
})
