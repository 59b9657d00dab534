import Type from 'typebox'
import { ShownIncident } from '../notices/incidents/incident.schemas.ts'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import { Timestamp } from '../platform/operations/fields.ts'
import { passwordLength } from './auth/auth-limits.ts'
import { personEmailPattern } from './manage-people.ts'
import { MadePasskey } from './passkeys/passkeys.schemas.ts'
import { memberPermissions } from './permissions/member-permissions.ts'
import { staffPermissions } from './permissions/staff-permissions.ts'

export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'What stands behind `#token=` in the link of the mail.',
})

export const Email = Type.String({
  maxLength: 254,
  pattern: personEmailPattern,
  description: 'An e-mail address; capitals do not matter.',
})

export const GivenPassword = Type.String({ minLength: 1, maxLength: passwordLength.max })

const NewPassword = Type.String({
  minLength: passwordLength.min,
  maxLength: passwordLength.max,
  description: `At least ${passwordLength.min} characters.`,
})

const Code = Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits of the authenticator app.' })

export const GivenPhone = Type.String({
  minLength: 1,
  maxLength: 30,
  description: 'A Ghanaian number in any way of writing it. It counts only after its code was given in a session.',
})
export const PhoneBody = Type.Object({ phone: GivenPhone })
export const PhoneCodeBody = Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$', description: 'The code of the text.' }) })
export const AskRecoveryBody = Type.Object({ email: Email, phone: GivenPhone })
export const RecoverBody = Type.Object({ ...AskRecoveryBody.properties, ...PhoneCodeBody.properties, password: NewPassword })
export const SignInWays = Type.Object(
  { phone: Type.Boolean({ description: 'Whether a forgotten password can be replaced by a code to the phone.' }) },
  { title: 'SignInWays' },
)
export const OwnPhone = Type.Object(
  {
    isOffered: Type.Boolean({ description: 'Whether this installation sends the texts for it.' }),
    phone: Nullable(Type.String({ description: 'The confirmed number; null: none.' })),
    askedPhone: Nullable(Type.String({ description: 'The number that waits for its code; null: none.' })),
  },
  { title: 'OwnPhone' },
)

export const SignUpBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100, description: 'The person or business.' }),
  email: Email,
  password: NewPassword,
  phone: Type.Optional(GivenPhone),
})
export const VerifyBody = Type.Object({ token: LinkToken, password: GivenPassword })
export const SignInBody = Type.Object({ email: Email, password: GivenPassword })
export const ForgotPasswordBody = Type.Object({ email: Email })
export const ResetPasswordBody = Type.Object({ token: LinkToken, password: NewPassword })
export const ChangePasswordBody = Type.Object({ currentPassword: GivenPassword, password: NewPassword })
export const PasswordBody = Type.Object({ password: GivenPassword })
export const CodeBody = Type.Object({ code: Code })
export const SecondFactorBody = Type.Union([
  Type.Object({ code: Code }),
  Type.Object({
    backup_code: Type.String({ minLength: 1, maxLength: 40, description: 'One of the back-up codes; it works once.' }),
  }),
  Type.Object({ passkey: MadePasskey }),
])
export const ConfirmationBody = Type.Union([
  Type.Object({ password: GivenPassword }),
  Type.Object({ code: Code }),
  Type.Object({ passkey: MadePasskey }),
])
export const SessionPath = Type.Object({ sessionId: Uuid({ description: 'As the list of sessions gives it.' }) })

export const Accepted = Type.Object({ accepted: Type.Literal(true) }, { title: 'Accepted' })
export const accepted = { accepted: true } as const
export const SignInResult = Type.Object(
  {
    status: OneOf(['signed_in', 'second_factor'], {
      description: '`second_factor`: the password was right; send a code to `/second-factor` within ten minutes.',
    }),
    hasPasskey: Type.Optional(
      Type.Boolean({ description: 'True when a passkey of the person can end the sign-in in place of a code.' }),
    ),
  },
  { title: 'SignInResult' },
)
export const TwoFactorKeys = Type.Object(
  {
    totpUri: Type.String({ description: 'For the authenticator app, as text or as a QR code.' }),
    backupCodes: Type.Array(Type.String()),
  },
  { title: 'TwoFactorKeys' },
)
export const BackupCodes = Type.Object({ backupCodes: Type.Array(Type.String()) }, { title: 'BackupCodes' })
export const Confirmed = Type.Object({ confirmedUntil: Timestamp() }, { title: 'Confirmed' })
export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        sessionId: Uuid(),
        isThis: Type.Boolean({ description: 'Whether it is the session that asks.' }),
        address: Nullable(Type.String()),
        userAgent: Nullable(Type.String()),
        createdAt: Timestamp(),
        lastUsedAt: Timestamp(),
      }),
    ),
  },
  { title: 'SessionList' },
)
export const EndedSessions = Type.Object({ ended: Type.Integer() }, { title: 'EndedSessions' })
export const KeptMails = Type.Object(
  {
    mails: Type.Array(
      Type.Object({ mailId: Uuid(), to: Type.String(), subject: Type.String(), text: Type.String(), createdAt: Timestamp() }),
    ),
  },
  { title: 'KeptMails' },
)

const Person = Type.Object(
  {
    personId: Uuid(),
    name: Type.String(),
    email: Type.String(),
    hasTwoFactor: Type.Boolean(),
    hasPasskey: Type.Boolean(),
    confirmedUntil: Nullable(Timestamp({ description: 'Until then the password or code given last counts; null: it does not.' })),
  },
  { title: 'Person' },
)

export const MemberMe = Type.Object(
  {
    person: Person,
    isSecondFactorMissing: Type.Boolean({
      description: 'Whether nothing else works before a second factor is switched on: a lost one was taken away.',
    }),
    factorLostAt: Nullable(
      Timestamp({
        description: 'When it was said that your second factor is lost, while the operator decides; null: it was not.',
      }),
    ),
    role: OneOf(['owner', 'buyer', 'viewer']),
    permissions: Type.Array(OneOf(Object.keys(memberPermissions))),
    view: Nullable(
      Type.Object(
        { endsAt: Timestamp() },
        { description: 'Set while one of the operator’s staff looks at the account: nothing can be changed. Null: a member.' },
      ),
    ),
    incidents: Type.Array(ShownIncident, { description: 'What the operator tells everybody at this moment.' }),
    account: Type.Object({
      accountId: Uuid(),
      name: Type.String(),
      email: Type.String(),
      role: OneOf(['customer', 'agent', 'dealer']),
      roleExpiresAt: Nullable(Timestamp({ description: 'From then on the account counts as a customer; null: never.' })),
      status: OneOf(['active', 'suspended']),
    }),
  },
  { title: 'MemberMe' },
)

export const StaffMe = Type.Object(
  {
    person: Person,
    role: OneOf(['owner', 'finance', 'support', 'catalogue', 'auditor']),
    permissions: Type.Array(OneOf(Object.keys(staffPermissions))),
    isSecondFactorMissing: Type.Boolean({ description: 'Whether nothing else works before a second factor is switched on.' }),
  },
  { title: 'StaffMe' },
)
