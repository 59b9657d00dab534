import { sql } from 'kysely'
import { holds, type PersonalSource, scanTable } from '../../platform/forgetting/personal-source.ts'

/** Where resellers keep a person as a customer. Erased with all that the reseller noted, because it is about one person. */
export const customersOfPerson: PersonalSource = {
  table: 'customers',
  title: 'Customers of resellers',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'customers',
      columns: sql`id, (select email from accounts where accounts.id = account_id) as account, name, note,
        array(select number from customer_numbers where customer_id = customers.id order by place) as numbers`,
      where: sql`id in (select customer_id from customer_numbers where number = any(${person.forms}::text[]))
        or ${holds(sql`name`, person)} or ${holds(sql`note`, person)}`,
    }),
  async erase(tx, rows) {
    const ids = rows.map(({ id }) => id)
    await sql`delete from customers where id = any(${ids}::uuid[])`.execute(tx)
    return ids
  },
}
