import Type from 'typebox'
import { RoleName, StatusName } from '../../accounts/desk/printed-account.ts'
import { receiptWays } from '../../money/by-people/receipt-number.ts'
import { Ghs } from '../../money/ghs.ts'
import { Purses } from '../../money/members/wallet-member.schemas.ts'
import { GhsAmount, GivenReason, Nullable, Omissible, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp, WithWireName } from '../../platform/operations/fields.ts'
import { memberRoles } from '../permissions/member-permissions.ts'

export const MemberRoleChoice = OneOf(memberRoles)
export const CreditedPurseName = OneOf(['main', 'sms_credits'])

export const AccountPath = Type.Object({ accountId: Uuid() })

const Days = (description: string) => Type.Integer({ minimum: 1, maximum: 3_650, description })

export const AccountListFilters = Type.Object({
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Any part of a name or e-mail of the account or its people, of its business’s name, of its number for SMS; its id; the last four characters of a key. Words of one or two characters count where a word begins.',
    }),
  ),
  role: Type.Optional(RoleName),
  status: Type.Optional(StatusName),
  business: Type.Optional(OneOf(['yes', 'no'], { description: 'Whether it is approved as a business.' })),
  balanceBelow: Type.Optional(
    Ghs({ minimum: 0, maximum: 1_000_000_000, description: 'Only accounts whose main wallet holds less, in GHS.' }),
  ),
  activeWithinDays: Type.Optional(Days('Only accounts whose keys or people did something in so many days.')),
  quietForDays: Type.Optional(Days('Only accounts whose keys and people did nothing for so many days.')),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
})

const summary = {
  accountId: Uuid(),
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  roleExpiresAt: Nullable(Timestamp({ description: 'From then on the prices are a customer’s; null: never.' })),
  status: StatusName,
  isBusiness: Type.Boolean(),
  createdAt: Timestamp(),
}

const sold = {
  sales: Nullable(Ghs({ description: 'Of the last 30 days, less refunds, in GHS; null: none of them is counted yet.' })),
  salesCountedFrom: Nullable(
    Type.String({
      format: 'date',
      description: 'The sales are those since this day: the days before are not counted yet. Null: all 30 are, or none.',
    }),
  ),
}

export const AccountLines = Type.Object(
  {
    accounts: Type.Array(
      Type.Object(
        {
          ...summary,
          main: WithWireName('balance', Ghs({ description: 'In the main wallet, in GHS.' })),
          isLow: Type.Boolean({ description: 'Below the limit that the account has set.' }),
          ...sold,
          lastActiveAt: Nullable(Timestamp({ description: 'When a key or a person of it last did something; null: never.' })),
        },
        { title: 'AccountLine' },
      ),
    ),
    next: Nullable(Uuid({ description: 'Where the next page begins; null: this is the last one.' })),
  },
  { title: 'AccountLines' },
)

const AccountMember = Type.Object(
  {
    personId: Uuid(),
    name: Type.String(),
    email: Type.String(),
    role: MemberRoleChoice,
    hasTwoFactor: Type.Boolean(),
    factorLostAt: Nullable(
      Timestamp({
        description:
          'When the person reported the second factor as lost, until the operator has decided; null: no report is open.',
      }),
    ),
  },
  { title: 'AccountMember' },
)

export const AccountInFull = Type.Object(
  {
    ...summary,
    purses: Purses,
    ...sold,
    orders: Nullable(Type.Integer({ description: 'Of the same days as the sales.' })),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        sales: Nullable(Ghs({ description: 'GHS; null: the day is not counted yet.' })),
      }),
    ),
    policyAcceptedAt: Nullable(Timestamp()),
    businessName: Nullable(Type.String({ description: 'As it asked to be approved; null: it never asked.' })),
    notices: Type.Object({
      lowBalancePesewas: Nullable(Ghs({ description: 'It gets a notice when the main wallet holds less, in GHS; null: never.' })),
      phone: Nullable(Type.String({ description: 'Where SMS go; null: nowhere.' })),
      muted: Type.Array(Type.String({ description: 'The notices that it switched off, such as `order_refunded/email`.' })),
    }),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Uuid(),
          type: OneOf(['standard', 'sms', 'commission']),
          status: OneOf(['pending', 'active', 'revoked']),
          hint: Type.String({ description: 'Its last four characters.' }),
          createdAt: Timestamp(),
          lastUsedAt: Nullable(Timestamp()),
          lastUsedAddress: WithWireName('last_used_ip', Nullable(Type.String())),
        },
        { title: 'AccountKey' },
      ),
    ),
    members: Type.Array(AccountMember),
    invitations: Type.Array(
      Type.Object({ invitationId: Uuid(), email: Type.String(), role: MemberRoleChoice, expiresAt: Timestamp() }),
    ),
  },
  { title: 'AccountInFull' },
)

export const RolePreviewView = Type.Object(
  {
    before: OneOf(['customer', 'agent', 'dealer'], { description: 'The role whose prices the account has now.' }),
    after: RoleName,
    prices: Type.Array(
      Type.Object({
        name: Type.String(),
        before: Ghs({ description: 'GHS' }),
        after: Ghs({ description: 'GHS' }),
      }),
    ),
    shares: Type.Array(
      Type.Object({
        product: Type.String(),
        before: Type.Number({ description: 'Percent of the commission.' }),
        after: Type.Number({ description: 'Percent of the commission.' }),
      }),
    ),
  },
  { title: 'RolePreview' },
)
const Reference = Type.String({ minLength: 8, maxLength: 100, description: 'Made by the page. The same one does it once.' })
const SeenReason = Type.Unsafe<string>({ ...GivenReason, description: 'The reseller sees it in its statement.' })
const WalletAmount = GhsAmount({
  maximum: 1_000_000_000,
  description: 'GHS with at most 2 decimals, or whole SMS credits.',
})

export const CreditBody = Type.Object({
  purse: CreditedPurseName,
  amount: WalletAmount,
  reference: Reference,
  way: OneOf(receiptWays, { description: 'How the money came.' }),
  number: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '[\\p{L}\\p{N}]',
    description: 'The number of the receipt or of the transfer. Each is credited once, for each way.',
  }),
  note: SeenReason,
})
export const CorrectionBody = Type.Object({
  purse: CreditedPurseName,
  amount: WalletAmount,
  creditId: Omissible(Uuid({ description: 'The credit that was wrong; left out: what is taken back is no credit.' })),
  reason: SeenReason,
  reference: Reference,
  isAnother: Omissible(Type.Boolean({ description: 'True: an equal one waits, and this is another one all the same.' })),
})
export const PeoplesOutcome = Type.Object(
  {
    state: OneOf(['done', 'done_before', 'proposed', 'same_waits'], {
      description:
        '`proposed`: nothing has moved, a second person confirms it within seven days. `done_before`: a repeat. `same_waits`: nothing was done, because an equal proposal waits, which `approval_id` names.',
    }),
    approvalId: Nullable(Uuid({ description: 'Of what two people do; null: one person did it.' })),
    why: Nullable(Type.String({ description: 'Why a second person is needed, where one might have done it alone.' })),
    balance: Type.Number({ description: 'What the purse holds now: GHS, or SMS credits.' }),
  },
  { title: 'PeoplesOutcome' },
)

export const ViewStarted = Type.Object({ endsAt: Timestamp() }, { title: 'ViewStarted' })
