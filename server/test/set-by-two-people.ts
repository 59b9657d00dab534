import { allApprovalKinds } from '../src/all-approval-kinds.ts'
import { guardedSettings } from '../src/all-settings.ts'
import { confirmApproval } from '../src/platform/approvals/decide-approval.ts'
import { deskUser, type Person } from '../src/platform/approvals/two-people.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import type { Setting } from '../src/platform/settings/settings.ts'

const person = (email: string): Person => ({ by: email, osUser: deskUser(email) })

/** Changes a setting, and has a second person confirm it where that loosens what guards money. */
export async function setByTwoPeople<T>(db: Db, setting: Setting<T>, value: T): Promise<void> {
  const request = { setting, person: person('one.owner@example.test'), reason: 'test' }
  await inTransaction(db, async (tx) => {
    const changed = await guardedSettings.change(tx, request, value, {})
    if (changed.state === 'done') return
    await confirmApproval(tx, allApprovalKinds, { approvalId: changed.approvalId, person: person('other.owner@example.test') })
  })
}
