import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { Api } from '../../../platform/http/api.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { addPoolSender, decideSender } from '../campaigns/decide-sender.ts'
import { type DeskSender, deskSendersPerPage, listDeskSenders } from './list-desk-senders.ts'
import {
  ApproveSenderBody,
  DeskSenderQuery,
  DeskSenders,
  PoolSenderBody,
  RejectSenderBody,
  SenderDone,
} from './sms-desk.schemas.ts'

const tags = ['SMS']

function viewSender(row: DeskSender) {
  return {
    sender_id: row.id,
    sender: row.sender,
    account_id: row.accountId,
    account: row.account,
    account_name: row.accountName,
    status: row.status,
    is_default: row.isDefault,
    requested_at: row.requestedAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedBy,
    reason: row.reason,
    campaigns: row.campaigns,
  }
}

export function registerSenderDeskRoutes(desk: Api, deps: { readonly db: Db }): void {
  registerList(desk, deps)
  registerDecisions(desk, deps)
  registerPool(desk, deps)
}

function registerList(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/senders',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListSenders',
        tags,
        summary: 'Sender names: those that wait, the longest waiting first; those that were decided; the pool’s',
        querystring: DeskSenderQuery,
        response: { 200: Envelope(DeskSenders) },
      },
    },
    async ({ query }) => {
      const senders = await listDeskSenders(db, query)
      return ok({
        senders: senders.map(viewSender),
        next: senders.length < deskSendersPerPage ? null : (senders.at(-1)?.id ?? null),
      })
    },
  )
}

function registerDecisions(desk: Api, { db }: { readonly db: Db }): void {
  desk.post(
    '/senders/approve',
    {
      config: { permission: 'manage_accounts', refusals: [409] },
      schema: {
        operationId: 'deskApproveSender',
        tags,
        summary: 'Approve a sender that an account asked for; the account gets a notice',
        body: ApproveSenderBody,
        response: { 200: Envelope(SenderDone) },
      },
    },
    async ({ body: { account_id, sender, is_default: isDefault, reason }, staff }) => {
      staff.mustNotOwn(account_id)
      const decision = { accountId: account_id, sender, status: 'approved' as const, isDefault, actor: staff.actor }
      const because = reason.trim() === '' ? {} : { reason: reason.trim() }
      await inTransaction(db, (tx) => decideSender(tx, { ...decision, ...because }))
      return ok({ done: true } as const)
    },
  )
  desk.post(
    '/senders/reject',
    {
      config: { permission: 'manage_accounts', refusals: [409] },
      schema: {
        operationId: 'deskRejectSender',
        tags,
        summary: 'Reject a sender, also one that was approved; the account gets a notice with the reason',
        body: RejectSenderBody,
        response: { 200: Envelope(SenderDone) },
      },
    },
    async ({ body: { account_id, sender, reason }, staff }) => {
      const decision = { accountId: account_id, sender, status: 'rejected' as const, reason: reason.trim(), actor: staff.actor }
      await inTransaction(db, (tx) => decideSender(tx, decision))
      return ok({ done: true } as const)
    },
  )
}

function registerPool(desk: Api, { db }: { readonly db: Db }): void {
  desk.post(
    '/senders/pool',
    {
      config: { permission: 'manage_settings', refusals: [409] },
      schema: {
        operationId: 'deskAddPoolSender',
        tags,
        summary: 'Add a sender that everybody may use; one that is there stays',
        body: PoolSenderBody,
        response: { 200: Envelope(SenderDone) },
      },
    },
    async ({ body: { sender, is_default: isDefault }, staff }) => {
      await inTransaction(db, (tx) => addPoolSender(tx, { sender, isDefault, actor: staff.actor }))
      return ok({ done: true } as const)
    },
  )
}
