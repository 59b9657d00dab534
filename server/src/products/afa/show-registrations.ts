import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import type { OperationDeps } from '../../platform/operations/operation.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { printable } from '../../platform/texts-for-people.ts'
import { AfaIdentityView } from './afa.desk.schemas.ts'
import type { AfaStatus } from './afa.schemas.ts'
import { type AfaApplication, listRegistrations, maskIdentity } from './list-registrations.ts'

export const everyStatus = ['pending', 'processing', 'completed', 'cancelled'] as const

export const statusChoices = ['open', ...everyStatus, 'all'] as const

export function statusesOf(choice: (typeof statusChoices)[number]): readonly AfaStatus[] {
  if (choice === 'all') return everyStatus
  return choice === 'open' ? ['pending', 'processing'] : [choice]
}

export const AfaQueueEntry = Type.Object(
  {
    orderId: Uuid(),
    reference: Type.String(),
    accountId: Uuid(),
    accountName: Type.String(),
    status: OneOf(everyStatus),
    feePesewas: Ghs({ description: 'What was paid for it, in GHS.' }),
    createdAt: Timestamp(),
    movedAt: Timestamp({ description: 'When it was claimed or ended.' }),
    claimedBy: Nullable(Type.String()),
    isMine: Type.Boolean({ description: 'Whether the person who asks works on it.' }),
    identity: Type.Union([AfaIdentityView, Type.Null()], {
      description: 'The number of the card and the date of birth are masked. Null when it was deleted or cannot be read.',
    }),
    isUnreadable: Type.Boolean(),
  },
  { title: 'AfaQueueEntry' },
)

export const PrintedRegistrations = Type.Object({
  orders: Type.Array(Type.Omit(AfaQueueEntry, ['accountName', 'movedAt', 'isMine'])),
})

/** @param isRevealed shows the whole card number and date of birth; the caller must have logged a reason (`logIdentityAccess`) */
export function showRegistration({ identity, ...registration }: AfaApplication, isRevealed = false) {
  const shown = identity && { ...(isRevealed ? identity : maskIdentity(identity)), notes: identity.notes ?? null }
  return { ...registration, identity: shown ?? null }
}

type Shown = ReturnType<typeof showRegistration>

function describeRegistration({ reference, status, claimedBy, createdAt, identity, isUnreadable }: Shown): string {
  const person = identity
    ? `${printable(identity.full_name)}, ${identity.id_number}, born ${identity.date_of_birth}, ${identity.phone}, ${printable(identity.location)}, ${identity.region}`
    : `identity data ${isUnreadable ? 'cannot be read: it was altered, or its key is not given' : 'purged'}`
  const claim = claimedBy === null ? '' : `  (${claimedBy})`
  return `${createdAt.toISOString()}  ${status.padEnd(10)}  ${printable(reference)}  ${person}${claim}`
}

/** Prints one line per registration, after the line `lead`. */
export const describeRegistrations = ({ orders, lead }: { readonly orders: readonly Shown[]; readonly lead?: string }) =>
  [...(lead === undefined ? [] : [lead]), ...orders.map(describeRegistration)].join('\n') || 'There is no such registration.'

export async function printByReference({ db, openSecrets }: OperationDeps, references: readonly string[], lead: string) {
  const keys = await openSecrets()
  const list = (reference: string) => listRegistrations(db, keys, { statuses: everyStatus, reference, limit: 1 })
  return { orders: (await Promise.all(references.map(list))).flat().map((each) => showRegistration(each)), lead }
}

type IdentityAccess = {
  readonly actor: string
  readonly action: 'afa list --reveal' | 'afa export' | 'afa reveal'
  readonly reason: string
}

/** Logs who sees applicants' data, and why. Call it before anything is shown. */
export function logIdentityAccess(
  db: Db,
  { actor, action, reason }: IdentityAccess,
  registrations: readonly { readonly reference: string }[],
): Promise<void> {
  const references = registrations.map(({ reference }) => reference)
  const subject = references.length === 1 ? (references[0] ?? '') : `${references.length} registrations`
  return inTransaction(db, (tx) => appendOperatorLog(tx, { actor, action, subject, details: { reason, references } }))
}
