import { sql } from 'kysely'
import { beforeAll } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { type PeopleSetUp, setUpPeople } from '../../test/set-up-people.ts'
import { outgoingReference } from '../orders/outgoing-reference.ts'
import type { Db } from '../platform/database/database.ts'
import { newId } from '../platform/database/new-id.ts'

export type SentAttempt = {
  supplier?: string
  minutesAgo: number
  outcome: string | null
  answer?: number
  delivery?: number
  cost?: number
}

/**
 * Writes attempts with the rows that the order loop writes. `answer` and `delivery` are milliseconds after the attempt's
 * beginning.
 */
async function writeAttempts(db: Db, attempts: readonly SentAttempt[]): Promise<{ orderId: string; reference: string }[]> {
  const written: { orderId: string; reference: string }[] = []
  for (const { supplier = 'hubtel', minutesAgo, outcome, answer, delivery, cost = 400 } of attempts) {
    const at = new Date(Date.now() - minutesAgo * 60_000)
    const orderId = newId()
    const reference = outgoingReference(orderId, supplier, 1)
    const later = (milliseconds: number | undefined) =>
      milliseconds === undefined ? null : new Date(at.getTime() + milliseconds)
    await sql`
      insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, created_at, outcome, answered_at, expected_cost)
      values (${orderId}, 1, ${supplier}, ${reference}, ${at}, ${at}, ${outcome}, ${later(delivery ?? answer)}, ${cost})`.execute(
      db,
    )
    if (answer !== undefined) {
      await sql`
        insert into attempt_answers (order_id, attempt_no, source, answer, evidence, created_at)
        values (${orderId}, 1, 'send', 'accepted', 'taken', ${later(answer)})`.execute(db)
    }
    written.push({ orderId, reference })
  }
  return written
}

export type SuppliersDeskSetUp = {
  readonly shop: PeopleSetUp
  readonly owner: TestBrowser
  readonly finance: TestBrowser
  /** Sends a request as the owner, unless another person is given. */
  readonly ask: (
    method: string,
    path: string,
    body?: unknown,
    browser?: TestBrowser,
    // Not typed, because every test reads an answer of another shape.
    // oxlint-disable-next-line typescript/no-explicit-any
  ) => Promise<{ status: number; data: any; message: string | undefined }>
  readonly writeAttempts: (attempts: readonly SentAttempt[]) => Promise<{ orderId: string; reference: string }[]>
}

/**
 * Sets up a shop for tests about suppliers, with two of the staff, who have no second factor.
 * @param prepare starts what the app needs, such as a simulator, and returns its address
 */
export function setUpSuppliersDesk(prepare: Parameters<typeof setUpPeople>[0] = async () => ({})): SuppliersDeskSetUp {
  const shop = setUpPeople(async () => ({ ...(await prepare()), isStaffTwoFactorNeeded: false }))
  let owner: TestBrowser
  let finance: TestBrowser
  beforeAll(async () => {
    owner = await createSignedInStaff(shop, 'owner@desk.test', 'owner', { hasSecondFactor: false })
    finance = await createSignedInStaff(shop, 'finance@desk.test', 'finance', { hasSecondFactor: false })
  })
  return {
    shop,
    get owner() {
      return owner
    },
    get finance() {
      return finance
    },
    async ask(method, path, body, browser = owner) {
      const { status, body: answered } = await browser.ask(method, `/desk/api${path}`, body)
      return { status, data: answered?.data, message: answered?.error?.message }
    },
    writeAttempts: (attempts) => writeAttempts(shop.db, attempts),
  }
}
