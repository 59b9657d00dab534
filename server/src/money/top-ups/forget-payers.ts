import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { type Forgetting, firstIdOfAge, idAfter, ofMonths, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import { holds, type PersonalSource, scanTable } from '../../platform/forgetting/personal-source.ts'
import { numberMonths } from '../../platform/platform.settings.ts'
import { readSetting } from '../../platform/settings/settings.ts'

/** True when a top-up has ended and its gateway is not asked again. An answer may name the payer anew. */
const isOver = sql`ended_at is not null and next_ask_at is null`

/**
 * Forgets who paid these top-ups, if they are over: the phone, the texts and the picture of the receipt. The number of a transfer
 * stays, because a second credit for the same transfer is refused by it.
 * @returns the ids of those that were over
 */
export async function forgetPayers(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update top_ups
    set payer_phone = masked_number(payer_phone), payment_url = null, note = null, said = null, evidence = null
    where id = any(${ids}::uuid[]) and ${isOver}
    returning id`.execute(tx)
  const over = rows.map(({ id }) => id)
  await sql`delete from top_up_pictures where top_up_id = any(${over}::uuid[])`.execute(tx)
  return over
}

/** Lists the noted top-ups that are over by now. */
async function listNoted(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from top_ups_to_forget join top_ups on id = top_up_id where ${isOver} limit ${rowsPerStep}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Forgets who paid, `number_months` after a top-up began, or when it is over if that is later. */
export const forgettingOfPayers: Forgetting = {
  name: 'payers of top-ups',
  async step(tx, after) {
    const before = await firstIdOfAge(tx, ofMonths(await readSetting(tx, numberMonths)))
    const { rows } = await sql<{ id: string }>`
      select id from top_ups where id > ${idAfter(after)} and id < ${before}::uuid
      order by id limit ${rowsPerStep}`.execute(tx)
    const ids = rows.map(({ id }) => id)
    const noted = await listNoted(tx)
    const forgotten = await forgetPayers(tx, [...ids, ...noted])
    // By what was forgotten, because a callback may make any of them due again at this moment.
    const left = ids.filter((id) => !forgotten.includes(id))
    await sql`insert into top_ups_to_forget select unnest(${left}::uuid[]) on conflict do nothing`.execute(tx)
    await sql`delete from top_ups_to_forget where top_up_id = any(${forgotten}::uuid[])`.execute(tx)
    return {
      count: forgotten.length,
      through: ids.at(-1),
      isMore: ids.length === rowsPerStep || noted.length === rowsPerStep,
    }
  },
}

export const topUpsOfPerson: PersonalSource = {
  table: 'top_ups',
  title: 'Top-ups that the number paid',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'top_ups',
      columns: sql`id, way, reference, amount, state, payer_phone, note, said, evidence, created_at`,
      where: sql`payer_phone = any(${person.forms}::text[])
        or ${holds(sql`concat_ws(' ', note, said, evidence, transfer_reference)`, person)}`,
    }),
  erase: (tx, rows) =>
    forgetPayers(
      tx,
      rows.map(({ id }) => id),
    ),
  keptBecause: 'the payment is still under way',
}
