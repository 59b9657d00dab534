import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { PersonalRow, PersonalSource } from '../../platform/forgetting/personal-source.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { type Pesewas, pesewas } from '../pesewas.ts'
import { lockWallets } from '../wallets.ts'

/** An owner's wish: when the main wallet holds less than `floorPesewas`, `phone` is asked for a top-up of `amountPesewas`. */
export type BalanceFloor = {
  readonly floorPesewas: Pesewas
  /** Credited to the wallet. The payer pays the fee, if there is one, on top. */
  readonly amountPesewas: Pesewas
  /** `0XXXXXXXXX`. */
  readonly phone: string
  /** How often the phone is asked at most in one day in Accra. */
  readonly mostPerDay: number
  /** The e-mail of the owner. */
  readonly chosenBy: string
}

export async function findBalanceFloor(db: Db, accountId: string): Promise<BalanceFloor | undefined> {
  const row = await db.selectFrom('balance_floors').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  return (
    row && {
      floorPesewas: pesewas(row.floor),
      amountPesewas: pesewas(row.amount),
      phone: row.phone,
      mostPerDay: row.most_per_day,
      chosenBy: row.chosen_by,
    }
  )
}

const forLog = (floor: BalanceFloor | undefined) =>
  floor === undefined
    ? null
    : { floor: floor.floorPesewas, amount: floor.amountPesewas, phone: floor.phone, most_per_day: floor.mostPerDay }

/**
 * Sets an account's floor, or removes it. After a new choice the phone may be asked at once, even shortly after a failed
 * attempt.
 */
export async function chooseBalanceFloor(
  tx: Tx,
  { accountId, actor, floor }: { readonly accountId: string; readonly actor: string; readonly floor: BalanceFloor | undefined },
): Promise<void> {
  // With this lock, two choices at the same moment are stored one after the other, and no request of the old floor begins later.
  await lockWallets(tx, [{ accountId, purse: 'main' }])
  const before = await findBalanceFloor(tx, accountId)
  await tx.deleteFrom('balance_floors').where('account_id', '=', accountId).execute()
  if (floor) {
    const { floorPesewas, amountPesewas, phone, mostPerDay, chosenBy } = floor
    const row = { floor: floorPesewas, amount: amountPesewas, phone, most_per_day: mostPerDay, chosen_by: chosenBy }
    await tx
      .insertInto('balance_floors')
      .values({ account_id: accountId, tried_at: null, ...row })
      .execute()
  }
  const details = { before: forLog(before), after: forLog(floor) }
  await appendOperatorLog(tx, { actor, action: 'account set-floor', subject: accountId, details })
}

/** Removes the floor that a person chose for an account, because the person leaves its team. */
export async function dropFloorOf(tx: Tx, accountId: string, email: string): Promise<void> {
  await tx.deleteFrom('balance_floors').where('account_id', '=', accountId).where('chosen_by', '=', email).execute()
}

export const floorsOfPerson: PersonalSource = {
  table: 'balance_floors',
  title: 'Top-ups by themselves that ask the number',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select account_id as id, floor, amount, phone, chosen_by, chosen_at from balance_floors
      where phone = any(${forms}::text[]) order by account_id`.execute(db)
    return rows
  },
  async erase(tx, rows) {
    const ids = rows.map(({ id }) => id)
    await tx.deleteFrom('balance_floors').where('account_id', 'in', ids).execute()
    return ids
  },
}
