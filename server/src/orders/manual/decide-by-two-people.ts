import { sql } from 'kysely'
import type { AccountPurse } from '../../money/money.tables.ts'
import { formatGhs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import { lockWallets } from '../../money/wallets.ts'
import { isSamePerson, refuseOneUser } from '../../platform/approvals/people.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { listOrdersById, type Order } from '../order.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'

/** What one person says of an order. */
export type PersonsWord = {
  readonly orderId: string
  readonly outcome: 'completed' | 'failed' | 'refunded' | 'adjusted'
  /** Of an adjustment: above 0 to the reseller, below 0 from them. */
  readonly amountPesewas?: Pesewas
  /** What this person knows, such as the supplier's ticket number. */
  readonly evidence: string
  /** The person. */
  readonly by: string
  /** The user of the operating system who typed it. */
  readonly osUser?: string
}

/** What was proposed for an order and nobody has confirmed yet. */
type Proposal = {
  readonly id: string
  readonly outcome: string
  readonly amountPesewas: Pesewas | undefined
  readonly proposedBy: string
  readonly osUser: string | null
}

/** What both have agreed on. */
export type OrderAgreement = {
  readonly proposalId: string
  /** Names both. */
  readonly actor: string
  /** What sold the order. */
  readonly product: ProductFacts
}

export type PeoplesResult =
  | { readonly state: 'proposed' | 'settled'; readonly order: Order }
  | { readonly state: 'refused'; readonly why: string }

/** Something that two people decide together about an order. `Facts` is what else it depends on. */
export type PeoplesDecision<Facts, Word extends PersonsWord> = {
  /** What the operator's log calls it. */
  readonly action: string
  /** Wallets of the order's account that it may touch; they are locked before anything else. */
  readonly purses: readonly AccountPurse[]
  /** Locks and reads the facts, before the order itself is read. */
  lockFacts(tx: Tx, orderId: string): Promise<Facts>
  /** Why this word cannot be taken, or undefined. */
  refuse(order: Order, facts: Facts, word: Word, product: ProductFacts): string | undefined
  /** Does what both have agreed on. */
  carryOut(tx: Tx, order: Order, facts: Facts, word: Word, agreement: OrderAgreement): Promise<void>
}

async function lockOpenProposal(tx: Tx, orderId: string): Promise<Proposal | undefined> {
  const { rows } = await sql<{
    id: string
    outcome: string
    amount: number | null
    proposed_by: string
    proposed_os_user: string | null
  }>`
    select id, outcome, amount, proposed_by, proposed_os_user from settlement_proposals
    where order_id = ${orderId} and confirmed_at is null for update`.execute(tx)
  const row = rows[0]
  if (!row) return undefined
  const amountPesewas = row.amount === null ? undefined : pesewas(row.amount)
  return { id: row.id, outcome: row.outcome, amountPesewas, proposedBy: row.proposed_by, osUser: row.proposed_os_user }
}

async function propose(tx: Tx, word: PersonsWord, open: Proposal | undefined): Promise<void> {
  const amount = word.amountPesewas ?? null
  const osUser = word.osUser ?? null
  const values = { outcome: word.outcome, amount, evidence: word.evidence, proposed_by: word.by, proposed_os_user: osUser }
  if (open) await tx.updateTable('settlement_proposals').set(values).where('id', '=', open.id).execute()
  else {
    await tx
      .insertInto('settlement_proposals')
      .values({ id: newId(), order_id: word.orderId, ...values, confirmed_by: null, confirmed_os_user: null, confirmed_at: null })
      .execute()
  }
}

function explainDisagreement(order: Order, open: Proposal, word: PersonsWord): string | undefined {
  if (open.outcome === word.outcome && open.amountPesewas === word.amountPesewas) return undefined
  const amount = open.amountPesewas === undefined ? '' : ` by ${formatGhs(open.amountPesewas)}`
  return `${open.proposedBy} proposed "${open.outcome}${amount}" for order ${order.reference}. Agree on one outcome first.`
}

/** Why the second person's word does not confirm the first one's. */
async function refuseSecond(tx: Tx, order: Order, open: Proposal, word: PersonsWord): Promise<string | undefined> {
  const { by, osUser } = word
  const oneUser = osUser === undefined ? undefined : await refuseOneUser(tx, open, { by, osUser })
  return oneUser ?? explainDisagreement(order, open, word)
}

/**
 * Takes one person's word about an order. The first person's is a proposal, which the same person may correct; when
 * a second person says the same, it is carried out in the same transaction.
 */
export function decideByTwoPeople<Facts, Word extends PersonsWord>(
  db: Db,
  products: readonly ProductFacts[],
  decision: PeoplesDecision<Facts, Word>,
  word: Word,
): Promise<PeoplesResult> {
  return inTransaction(db, async (tx) => {
    const readOrder = async () => (await listOrdersById(tx, [word.orderId])).get(word.orderId)
    const known = await readOrder()
    if (!known) return { state: 'refused', why: 'There is no such order.' }
    await lockWallets(
      tx,
      decision.purses.map((purse) => ({ accountId: known.accountId, purse })),
    )
    const facts = await decision.lockFacts(tx, word.orderId)
    // Read again under the locks: somebody may have ended it in between.
    const order = (await readOrder()) ?? known
    const open = await lockOpenProposal(tx, word.orderId)
    const isSecondPerson = open !== undefined && !isSamePerson(open.proposedBy, word.by)
    const product = productOf(products, order.kind)
    const why =
      decision.refuse(order, facts, word, product) ?? (isSecondPerson ? await refuseSecond(tx, order, open, word) : undefined)
    if (why !== undefined) return { state: 'refused', why }
    if (isSecondPerson) {
      await sql`
        update settlement_proposals
        set confirmed_by = ${word.by}, confirmed_os_user = ${word.osUser ?? null}, confirmed_at = now()
        where id = ${open.id}`.execute(tx)
      const agreement = { proposalId: open.id, actor: `${open.proposedBy} and ${word.by}`, product }
      await decision.carryOut(tx, order, facts, word, agreement)
    } else await propose(tx, word, open)
    await appendOperatorLog(tx, {
      actor: word.by,
      action: `${decision.action} ${isSecondPerson ? 'confirm' : 'propose'}`,
      subject: order.reference,
      details: {
        as: word.outcome,
        ...(word.amountPesewas === undefined ? {} : { amount: word.amountPesewas }),
        evidence: word.evidence,
      },
    })
    return { state: isSecondPerson ? 'settled' : 'proposed', order: (await readOrder()) ?? order }
  })
}
