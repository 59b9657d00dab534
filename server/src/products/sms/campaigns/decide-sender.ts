import { sql } from 'kysely'
import { notifyAccounts } from '../../../accounts/notices/notify-accounts.ts'
import type { ResellerNotice } from '../../../notices/queue-notices.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../../platform/operator-request-error.ts'

/** A request about a sender that cannot be carried out. The message gives the reason. */
export class SenderError extends OperatorRequestError {
  override readonly name = 'SenderError'
}

export type ListedSender = {
  readonly sender: string
  readonly type: 'own' | 'pool'
  readonly account_id: string | null
  readonly status: 'requested' | 'approved' | 'rejected'
  readonly is_default: boolean
  readonly reason: string | null
}

/** With a letter: 3 to 11 characters that every handset shows. Otherwise a number of 3 to 15 digits (SMPP 3.4, TON 5 and 1). */
const alphanumeric = /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ._&-]{1,9}[A-Za-z0-9]$/
const numeric = /^\d{3,15}$/

function checkSender(sender: string): void {
  if (alphanumeric.test(sender) || numeric.test(sender)) return
  throw new SenderError(
    `"${sender}" cannot be a sender: 3 to 11 letters, digits, blanks, dots, hyphens, underscores or &, beginning and ending with a letter or digit; or a number of 3 to 15 digits.`,
  )
}

/** Lists senders: an account's, those with one status, or all, the pool's included. */
export async function listAllSenders(
  db: Db,
  filter: { readonly accountId?: string | undefined; readonly status?: string | undefined },
): Promise<ListedSender[]> {
  const { rows } = await sql<ListedSender>`
    select sender, case when account_id is null then 'pool' else 'own' end as type, account_id, status, is_default, reason
    from sms_senders
    where (${filter.accountId ?? null}::uuid is null or account_id = ${filter.accountId ?? null}::uuid)
      and (${filter.status ?? null}::text is null or status = ${filter.status ?? null}::text)
    order by account_id nulls first, sender`.execute(db)
  return rows
}

/**
 * Requests a sender for an account. A rejected one may be requested again.
 * @throws SenderError when a handset cannot show it, or when it was requested already
 */
export async function requestSender(tx: Tx, asked: { accountId: string; sender: string; actor: string }): Promise<void> {
  checkSender(asked.sender)
  const { rows } = await sql<{ status: string }>`
    insert into sms_senders (id, account_id, sender, status)
    values (${newId()}, ${asked.accountId}, ${asked.sender}, 'requested')
    on conflict (account_id, sender) where account_id is not null
      do update set status = 'requested', requested_at = now(), decided_at = null, decided_by = null, reason = null
      where sms_senders.status = 'rejected'
    returning status`.execute(tx)
  if (rows.length === 0) throw new SenderError(`"${asked.sender}" was asked for already.`)
  await appendOperatorLog(tx, {
    actor: asked.actor,
    action: 'sender request',
    subject: asked.accountId,
    details: { sender: asked.sender },
  })
}

export type SenderDecision = {
  readonly accountId: string
  readonly sender: string
  readonly status: 'approved' | 'rejected'
  /** Makes an approved sender the account's default. If the account has no default, the sender becomes it in any case. */
  readonly isDefault?: boolean | undefined
  readonly reason?: string | undefined
  readonly actor: string
}

/**
 * Lets one transaction at a time choose the default of an account or, with null, of the pool. Two at once would both make one,
 * and the database would refuse the second.
 */
async function lockDefault(tx: Tx, accountId: string | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`default sender ${accountId ?? 'of the pool'}`}, 0))`.execute(tx)
}

async function hasDefault(tx: Tx, accountId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select from sms_senders where account_id is not distinct from ${accountId}::uuid and is_default`.execute(tx)
  return rows.length > 0
}

async function makeDefault(tx: Tx, accountId: string | null, sender: string): Promise<void> {
  await sql`update sms_senders set is_default = false where account_id is not distinct from ${accountId}::uuid and is_default`.execute(
    tx,
  )
  await sql`
    update sms_senders set is_default = true
    where account_id is not distinct from ${accountId}::uuid and sender = ${sender}`.execute(tx)
}

type Decided = { id: string; was: string; decided_at: Date }

async function writeDecision(tx: Tx, { accountId, sender, status, actor, reason }: SenderDecision): Promise<Decided | undefined> {
  const { rows } = await sql<Decided>`
    with asked as (
      select id, status from sms_senders where account_id = ${accountId} and sender = ${sender} for update
    )
    update sms_senders
    set status = ${status}, decided_at = clock_timestamp(), decided_by = ${actor}, reason = ${reason ?? null},
      is_default = is_default and ${status}::text = 'approved'
    from asked where sms_senders.id = asked.id
    returning sms_senders.id, asked.status as was, sms_senders.decided_at`.execute(tx)
  return rows[0]
}

const smsLengthMax = 160

function senderNotice({ accountId, sender, status, reason }: SenderDecision, { id, decided_at }: Decided): ResellerNotice {
  const isApproved = status === 'approved'
  const fact = `Your SMS sender ${sender} was ${status}${isApproved || reason === undefined ? '' : `: ${reason}`}.`
  const next = isApproved
    ? 'nothing, campaigns can be sent under this name from now on.'
    : 'use another of your senders, or ask for another name.'
  return {
    accountId,
    kind: `sender_${status}`,
    about: `${id} ${decided_at.toISOString()}`,
    subject: `Your SMS sender ${sender} was ${status}`,
    text: `${fact}\n\nWhat to do: ${next}`,
    sms: Array.from(fact).slice(0, smsLengthMax).join(''),
  }
}

/**
 * Approves or rejects a sender that an account requested, and sends the account a notice. An approved sender may be rejected
 * later. A repeated decision sends no notice.
 * @throws SenderError when the account has not requested it
 */
export async function decideSender(tx: Tx, decision: SenderDecision): Promise<void> {
  const { accountId, sender, status, actor } = decision
  await lockDefault(tx, accountId)
  const decided = await writeDecision(tx, decision)
  if (!decided) throw new SenderError(`The account has not asked for a sender "${sender}".`)
  if (status === 'approved' && (decision.isDefault === true || !(await hasDefault(tx, accountId)))) {
    await makeDefault(tx, accountId, sender)
  }
  if (decided.was !== status) await notifyAccounts(tx, [senderNotice(decision, decided)])
  const action = status === 'approved' ? 'sender approve' : 'sender reject'
  const details = { sender, before: decided.was, after: status, reason: decision.reason ?? null }
  await appendOperatorLog(tx, { actor, action, subject: accountId, details })
}

/**
 * Makes one of an account's approved senders its default.
 * @throws SenderError when it is not one of them
 */
export async function chooseDefaultSender(tx: Tx, chosen: { accountId: string; sender: string; actor: string }): Promise<void> {
  const { accountId, sender, actor } = chosen
  await lockDefault(tx, accountId)
  const { rows } = await sql<{ status: string }>`
    select status from sms_senders where account_id = ${accountId} and sender = ${sender} for update`.execute(tx)
  if (rows[0]?.status !== 'approved') throw new SenderError(`"${sender}" is not one of your approved senders.`)
  await makeDefault(tx, accountId, sender)
  await appendOperatorLog(tx, { actor, action: 'sender default', subject: accountId, details: { sender } })
}

/**
 * Adds a sender to the pool, which every account may use. Makes it the default if asked to, or if the pool has no default.
 * A sender that is in the pool already is not added again.
 * @throws SenderError when a handset cannot show it
 */
export async function addPoolSender(tx: Tx, added: { sender: string; isDefault: boolean; actor: string }): Promise<void> {
  checkSender(added.sender)
  await lockDefault(tx, null)
  await sql`
    insert into sms_senders (id, account_id, sender, status, decided_at, decided_by)
    values (${newId()}, null, ${added.sender}, 'approved', now(), ${added.actor})
    on conflict (sender) where account_id is null do nothing`.execute(tx)
  if (added.isDefault || !(await hasDefault(tx, null))) await makeDefault(tx, null, added.sender)
  await appendOperatorLog(tx, {
    actor: added.actor,
    action: 'sender pool add',
    subject: added.sender,
    details: { is_default: added.isDefault },
  })
}
