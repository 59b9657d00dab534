import Type from 'typebox'
import { ApprovalRefusedError, defineApprovalKind } from '../../platform/approvals/approval-kind.ts'
import { findPersonRoles, resetSecondFactor } from '../staff/reset-second-factor.ts'
import { lostFactorReset, lostFactorWaitHours } from './lost-factor.settings.ts'

const ResetRequest = Type.Object({
  lostFactorId: Type.String(),
  accountId: Type.String(),
  email: Type.String(),
})

/**
 * Removes the lost second factor of a member. Two of the staff decide. Where only one may decide, the removal waits for
 * `lost_factor_wait_hours` after a mail to all owners of the desk. Until then the person can stop it.
 */
export const lostFactorKind = defineApprovalKind({
  name: lostFactorReset,
  schema: ResetRequest,
  isLoosening: true,
  waitHours: lostFactorWaitHours,
  describe: ({ email }) => `take the lost second factor of ${email} away`,
  accountOf: async (_db, { accountId }) => accountId,
  async lockAndPreview(tx, { lostFactorId, accountId, email }) {
    const lost = await tx
      .selectFrom('lost_factors')
      .select(['id', 'person_id'])
      .where('id', '=', lostFactorId)
      .forUpdate()
      .executeTakeFirst()
    if (!lost) throw new ApprovalRefusedError(`${email} stopped it, or it was refused: the second factor stays.`)
    const person = await findPersonRoles(tx, email)
    if (person?.personId !== lost.person_id || person.member?.accountId !== accountId || person.staffRole !== null) {
      throw new ApprovalRefusedError(`${email} is not a member of this account alone any more.`)
    }
    return { before: 'a second factor that is lost', after: 'none: the next sign-in switches a new one on' }
  },
  async carryOut(tx, { email }, { approvalId, reason, actor }) {
    await resetSecondFactor(tx, { email, reason, actor, approvalId })
    return {}
  },
})
