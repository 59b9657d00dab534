import type { Db, Tx } from '../../platform/database/database.ts'
import { onConstraint } from '../../platform/database/database-errors.ts'
import { newId } from '../../platform/database/new-id.ts'
import { RefusalError, type Refusals, refuse } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'

const businessRefusals = {
  businessIsApproved: refuse(409, 'business_is_approved', 'This account is approved as a business already.'),
  businessRequestWaits: refuse(409, 'business_request_waits', 'Your request waits for our answer already.'),
} as const satisfies Refusals

export type BusinessDetails = {
  readonly name: string
  readonly registrationNumber: string
  /** Why the account wants to send SMS. */
  readonly purpose: string
}

export type BusinessRequest = BusinessDetails & {
  readonly requestId: string
  readonly accountId: string
  readonly email: string
  readonly state: 'waiting' | 'approved' | 'declined'
  readonly reason: string | null
  readonly askedAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
}

function selectRequests(db: Db | Tx) {
  return db
    .selectFrom('business_requests as request')
    .innerJoin('accounts', 'accounts.id', 'request.account_id')
    .select([
      'request.id as requestId',
      'request.account_id as accountId',
      'accounts.email',
      'request.name',
      'request.registration_number as registrationNumber',
      'request.purpose',
      'request.state',
      'request.reason',
      'request.asked_at as askedAt',
      'request.decided_at as decidedAt',
      'request.decided_by as decidedBy',
    ])
}

export function listBusinessRequests(db: Db): Promise<BusinessRequest[]> {
  return selectRequests(db).where('request.state', '=', 'waiting').orderBy('request.id').execute()
}

export function readBusinessRequest(db: Db, requestId: string): Promise<BusinessRequest | undefined> {
  return selectRequests(db).where('request.id', '=', requestId).executeTakeFirst()
}

/** A page of the waiting requests, oldest first, or of the decided ones, newest first. */
export function listBusinessRequestPage(
  db: Db,
  { isWaiting, after, limit }: { readonly isWaiting: boolean; readonly after: string | undefined; readonly limit: number },
): Promise<BusinessRequest[]> {
  let requests = selectRequests(db).where('request.state', isWaiting ? '=' : '<>', 'waiting')
  if (after !== undefined) requests = requests.where('request.id', isWaiting ? '>' : '<', after)
  return requests
    .orderBy('request.id', isWaiting ? 'asc' : 'desc')
    .limit(limit)
    .execute()
}

/** Finds the account's newest request. */
export function findBusinessRequest(db: Db | Tx, accountId: string): Promise<BusinessRequest | undefined> {
  return selectRequests(db).where('request.account_id', '=', accountId).orderBy('request.id', 'desc').limit(1).executeTakeFirst()
}

/**
 * Asks the operator to approve an account as a business.
 *
 * @throws RefusalError 409 when the account is approved already, or its request waits
 */
export async function requestBusinessApproval(
  tx: Tx,
  { accountId, actor, ...details }: BusinessDetails & { accountId: string; actor: string },
): Promise<void> {
  // Waits for an approval that is being made at this moment. Otherwise the request would wait beside it for ever.
  const account = await tx.selectFrom('accounts').select('is_business').where('id', '=', accountId).forShare().executeTakeFirst()
  if (account?.is_business) throw new RefusalError(businessRefusals.businessIsApproved)
  const id = newId()
  await tx
    .insertInto('business_requests')
    .values({
      id,
      account_id: accountId,
      name: details.name.trim(),
      registration_number: details.registrationNumber.trim(),
      purpose: details.purpose.trim(),
      asked_by: actor,
    })
    .execute()
    .catch(onConstraint('business_requests_one_waits_per_account', () => new RefusalError(businessRefusals.businessRequestWaits)))
  await appendOperatorLog(tx, { actor, action: 'account request-business', subject: accountId, details: { request_id: id } })
}
