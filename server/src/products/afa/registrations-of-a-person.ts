import { sql } from 'kysely'
import { conditionsOfRecipient } from '../../orders/queries/order-filters.ts'
import type { PersonalRow, PersonalSource } from '../../platform/forgetting/personal-source.ts'
import { unsealIdentity } from './seal-identity.ts'

export const registrationsOfPerson: PersonalSource = {
  table: 'afa_registrations',
  title: 'Identity data of AFA registrations',
  async find({ db, secretsKeys }, { forms, hash }) {
    const conditions = conditionsOfRecipient({ recipients: forms, recipientHash: hash })
    const { rows } = await sql<{ id: string; identity: string; status: string }>`
      select orders.id, identity, status from orders join afa_registrations on order_id = orders.id
      where (${sql.join(conditions, sql` or `)}) and identity is not null order by orders.id`.execute(db)
    return rows.map(({ id, identity, status }) => ({ id, status, ...unsealIdentity(secretsKeys, id, identity) }))
  },
  async erase(tx, rows) {
    const { rows: erased } = await sql<PersonalRow>`
      update afa_registrations set identity = null, purged_at = clock_timestamp()
      where order_id = any(${rows.map(({ id }) => id)}::uuid[]) and identity is not null
        and not exists (select from open_orders where open_orders.order_id = afa_registrations.order_id)
      returning order_id as id`.execute(tx)
    return erased.map(({ id }) => id)
  },
  keptBecause: 'the registration is not finished: the staff needs the data to register the person',
}
