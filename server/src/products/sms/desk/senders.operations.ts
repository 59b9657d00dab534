import Type from 'typebox'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { Nullable, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { AtDeskOnly, NeededAtDesk, Timestamp } from '../../../platform/operations/fields.ts'
import { type OperationDeps, operation } from '../../../platform/operations/operation.ts'
import { addPoolSender, decideSender, type ListedSender, listAllSenders, requestSender } from '../campaigns/decide-sender.ts'
import { deskSendersPerPage, listDeskSenders, senderGroups } from './list-desk-senders.ts'
import { DeskId, NoticeReason } from './sms-desk.schemas.ts'

const statuses = ['requested', 'approved', 'rejected'] as const

const PrintedSenders = Type.Object({
  senders: Type.Array(
    Type.Object({
      sender: Type.String(),
      type: OneOf(['own', 'pool']),
      account_id: Nullable(Uuid()),
      status: OneOf(statuses),
      is_default: Type.Boolean(),
      reason: Nullable(Type.String()),
    }),
  ),
})

function describeSender({ sender, type, status, is_default, account_id, reason }: ListedSender): string {
  const notes = [is_default ? 'default' : '', reason ?? ''].filter((note) => note !== '')
  return [sender.padEnd(15), type === 'pool' ? 'pool' : `own ${account_id}`, status, ...notes].join('  ')
}

const describeSenders = ({ senders }: { readonly senders: readonly ListedSender[] }) =>
  senders.map(describeSender).join('\n') || 'There is no such sender.'

/** Reads the sender of this name: the account's, or the pool's when no account is given. */
async function readSender(db: Db, { sender, accountId }: { readonly sender: string; readonly accountId?: string | undefined }) {
  const senders = await listAllSenders(db, { accountId })
  return { senders: senders.filter((each) => each.sender === sender && (accountId !== undefined || each.type === 'pool')) }
}

const SenderName = Type.String({ minLength: 3, maxLength: 15 })

const changing = {
  tag: 'SMS',
  refusals: [409],
  output: Type.Object({ done: Type.Literal(true) }, { title: 'DeskSenderDone' }),
  printed: PrintedSenders,
  print: ({ db }: OperationDeps, _done: unknown, named: { readonly sender: string; readonly accountId?: string | undefined }) =>
    readSender(db, named),
  text: describeSenders,
} as const

const done = { done: true } as const

export const senderOperations = [
  operation({
    command: 'sender list',
    example: 'makola sender list --status requested',
    summary: 'List the senders',
    input: Type.Object({ accountId: Type.Optional(Uuid()), status: Type.Optional(OneOf(statuses)) }),
    output: PrintedSenders,
    act: async ({ db }, _actor, filter) => ({ senders: await listAllSenders(db, filter) }),
    text: describeSenders,
  }),
  operation({
    route: 'GET /senders',
    operationId: 'deskListSenders',
    tag: 'SMS',
    permission: 'see',
    summary: 'Sender names: those that wait, the longest waiting first; those that were decided; the pool’s',
    input: Type.Object({ group: OneOf(senderGroups), after: Type.Optional(DeskId) }),
    output: Type.Object(
      {
        senders: Type.Array(
          Type.Object({
            senderId: Uuid(),
            sender: Type.String(),
            accountId: Nullable(Uuid()),
            account: Nullable(Type.String()),
            accountName: Nullable(Type.String()),
            status: OneOf(statuses),
            isDefault: Type.Boolean(),
            requestedAt: Timestamp(),
            decidedAt: Nullable(Timestamp()),
            decidedBy: Nullable(Type.String()),
            reason: Nullable(Type.String()),
            campaigns: Type.Integer({ description: 'What the account has sent so far; at most 100 are counted.' }),
          }),
        ),
        next: Nullable(Uuid({ description: 'Null: there are no more.' })),
      },
      { title: 'DeskSenders' },
    ),
    async act({ db }, _actor, query) {
      const senders = await listDeskSenders(db, query)
      return { senders, next: senders.length < deskSendersPerPage ? null : (senders.at(-1)?.senderId ?? null) }
    },
  }),
  operation({
    command: 'sender request <sender>',
    example: 'makola sender request AmaStores --account ama@example.com',
    summary: 'Ask for a sender of an account’s own, for the account',
    input: Type.Object({
      sender: Type.String({ description: '3 to 11 letters and digits, or a number of 3 to 15' }),
      accountId: Uuid(),
    }),
    output: PrintedSenders,
    async act({ db }, { actor }, asked) {
      await inTransaction(db, (tx) => requestSender(tx, { ...asked, actor }))
      return readSender(db, asked)
    },
    text: describeSenders,
  }),
  operation({
    ...changing,
    command: 'sender approve <sender>',
    example: 'makola sender approve AmaStores --account ama@example.com',
    route: 'POST /senders/approve',
    operationId: 'deskApproveSender',
    permission: 'manage_accounts',
    summary: 'Approve a sender that an account asked for; the account gets a notice',
    input: Type.Object({
      accountId: DeskId,
      sender: SenderName,
      isDefault: NeededAtDesk(
        Type.Boolean({ description: 'Whether it becomes the account’s default. The first one does anyway.' }),
      ),
      reason: AtDeskOnly(Type.String({ maxLength: 500, description: 'For the log; may be empty.' })),
    }),
    about: async (_deps, _actor, { accountId }) => accountId,
    async act({ db }, { actor }, { reason, ...decision }) {
      const because = reason?.trim() || undefined
      await inTransaction(db, (tx) => decideSender(tx, { ...decision, status: 'approved', reason: because, actor }))
      return done
    },
  }),
  operation({
    ...changing,
    command: 'sender reject <sender>',
    example: 'makola sender reject MTN --account ama@example.com --reason "the name of a telecom"',
    route: 'POST /senders/reject',
    operationId: 'deskRejectSender',
    permission: 'manage_accounts',
    summary: 'Reject a sender, also one that was approved; the account gets a notice with the reason',
    input: Type.Object({ accountId: DeskId, sender: SenderName, reason: NeededAtDesk(NoticeReason) }),
    async act({ db }, { actor }, { reason, ...decision }) {
      await inTransaction(db, (tx) => decideSender(tx, { ...decision, status: 'rejected', reason: reason?.trim(), actor }))
      return done
    },
  }),
  operation({
    ...changing,
    command: 'sender pool add <sender>',
    example: 'makola sender pool add MyShopGH --default',
    route: 'POST /senders/pool',
    operationId: 'deskAddPoolSender',
    permission: 'manage_settings',
    summary: 'Add a sender that everybody may use; one that is there stays',
    input: Type.Object({
      sender: SenderName,
      isDefault: NeededAtDesk(Type.Boolean({ description: 'Whether it becomes the default of the pool.' })),
    }),
    async act({ db }, { actor }, { sender, isDefault = false }) {
      await inTransaction(db, (tx) => addPoolSender(tx, { sender, isDefault, actor }))
      return done
    },
  }),
]
