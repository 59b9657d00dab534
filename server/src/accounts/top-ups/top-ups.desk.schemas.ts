import Type from 'typebox'
import { ReasonBody } from '../../platform/http/given-reason.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'

const states = ['pending', 'waiting', 'credited', 'failed', 'expired', 'held', 'declined'] as const

export const DeskTopUpQuery = Type.Object({
  state: Type.Optional(OneOf(states)),
  is_for_people: Type.Optional(Type.Boolean({ description: 'Only those that wait for a person: transfers, and what is held.' })),
  account: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'The account’s id or e-mail.' })),
  transfer: Type.Optional(
    Type.String({ minLength: 1, maxLength: 60, description: 'The number of a transfer, however it is written.' }),
  ),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

export const DeclineTopUpBody = ReasonBody

const fields = {
  top_up_id: Uuid(),
  account_id: Uuid(),
  account_name: Type.String(),
  email: Type.String({ description: 'The account’s.' }),
  reference: Type.String({ description: 'What the gateway and the receipt call it.' }),
  way: Type.String({ description: 'The gateway, or `transfer`.' }),
  state: OneOf(states),
  amount: Type.Number({ description: 'What the wallet gets, in GHS.' }),
  fee: Type.Number(),
  charged: Type.Number({ description: 'What the payer pays: amount and fee.' }),
  payer_phone: Nullable(Type.String({ description: 'The number that is asked to pay on the phone.' })),
  transfer_reference: Nullable(Type.String()),
  note: Nullable(Type.String({ description: 'The reseller’s.' })),
  said: Nullable(Type.String({ description: 'What the gateway said last.' })),
  reason: Nullable(Type.String({ description: 'Why it failed, is held or was declined.' })),
  has_picture: Type.Boolean(),
  made_by: Type.String(),
  decided_by: Nullable(Type.String()),
  created_at: Moment(),
  ended_at: Nullable(Moment()),
}

const DeskTopUp = Type.Object(fields, { title: 'DeskTopUp' })

export const DeskTopUpPage = Type.Object({ top_ups: Type.Array(DeskTopUp), next: Nullable(Uuid()) }, { title: 'DeskTopUpPage' })

export const DeskTopUpDetails = Type.Object(
  {
    ...fields,
    evidence: Nullable(Type.String({ description: 'The gateway’s own words.' })),
    channel: Nullable(Type.String()),
    approval_id: Nullable(Uuid()),
    asked_at: Nullable(Moment({ description: 'When the gateway was asked last.' })),
    next_ask_at: Nullable(Moment()),
    expires_at: Nullable(Moment()),
    takes_two: Type.Boolean({ description: 'Whether confirming it takes two people.' }),
    proposal: Type.Union([
      Type.Object({ approval_id: Uuid(), proposed_by: Type.String(), expires_at: Moment(), is_yours: Type.Boolean() }),
      Type.Null(),
    ]),
    balance: Type.Number({ description: 'What the account’s wallet holds now, in GHS.' }),
    same_transfer: Type.Array(Type.Object({ top_up_id: Uuid(), account_id: Uuid(), state: OneOf(states) }), {
      description: 'Other top-ups with the same transfer number.',
    }),
  },
  { title: 'DeskTopUpDetails' },
)

export const ConfirmedTopUp = Type.Object(
  {
    top_up_id: Uuid(),
    outcome: OneOf(['credited', 'proposed', 'same_waits'], {
      description: '`proposed`: a second person confirms it; nothing moved yet. `same_waits`: the proposal named waits for that.',
    }),
    approval_id: Nullable(Uuid()),
    why: Nullable(Type.String({ description: 'Why a second person is needed.' })),
  },
  { title: 'ConfirmedTopUp' },
)
