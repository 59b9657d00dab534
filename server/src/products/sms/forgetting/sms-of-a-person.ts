import { type RawBuilder, sql } from 'kysely'
import type { RecipientHash } from '../../../orders/forgetting/forget-orders.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { holds, type PersonalRow, type PersonalSource, scanTable } from '../../../platform/forgetting/personal-source.ts'
import { forgetMessages } from './forget-messages.ts'

const idsOf = (rows: readonly PersonalRow[]) => rows.map(({ id }) => id)

const messagesTo = (hash: RecipientHash): PersonalSource => ({
  table: 'sms_messages',
  title: 'SMS to the number',
  async find({ db }, { forms, maskedForms, hash: numberHash }) {
    const campaigns = await scanTable(db, {
      table: 'sms_campaigns',
      columns: sql`id`,
      where: sql`recipients && ${[...forms, ...maskedForms]}::text[]`,
    })
    const { rows } = await sql<PersonalRow>`
      select campaign_id || ' ' || n as id, campaign_id, n, recipient, network, sms_messages.status, sms_messages.created_at,
        settled_at is null as is_open, recipient_hash is not null as is_forgotten, sender, message, names[n] as name
      from sms_messages join sms_campaigns on sms_campaigns.id = campaign_id
      where campaign_id = any(${idsOf(campaigns)}::uuid[]) and (recipient = any(${forms}::text[]) or recipient_hash = ${numberHash})
      order by campaign_id, n`.execute(db)
    return rows
  },
  async erase(tx, rows, _person, erasure) {
    const ended = rows.filter((row) => row.is_open === false)
    const messages = ended.map((row) => ({
      campaign_id: String(row.campaign_id),
      n: Number(row.n),
      recipient: String(row.recipient),
    }))
    await forgetMessages(tx, hash, messages, erasure)
    return idsOf(ended)
  },
  keptBecause: 'the campaign is not finished: the number is needed until its end',
})

const withoutNumbers = (numbers: RawBuilder<unknown>, forms: readonly string[]) => sql`array(
  select case when number = any(${forms}::text[]) then masked_number(number) else number end
  from unnest(${numbers}) with ordinality as each (number, place) order by place)`

const campaignsWith: PersonalSource = {
  table: 'sms_campaigns',
  title: 'Campaigns whose list or text has the number',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'sms_campaigns',
      columns: sql`id, status, sender, message, created_at, settled_at is null and status <> 'blocked' as is_open`,
      where: sql`recipients && ${person.forms}::text[] or left_out && ${person.forms}::text[] or ${holds(sql`message`, person)}
        or ${holds(sql`array_to_string(names, ' ')`, person)}`,
    }),
  async erase(tx, rows, { forms, part }) {
    const { rows: erased } = await sql<{ id: string }>`
      update sms_campaigns
      set recipients = ${withoutNumbers(sql`recipients`, forms)}, left_out = ${withoutNumbers(sql`left_out`, forms)},
        names = case when names is not null then array(
          select case when number <> all(${forms}::text[]) and strpos(lower(name), lower(${part})) = 0 then name end
          from unnest(recipients, names) with ordinality as each (number, name, place) order by place) end,
        message = case when strpos(lower(message), lower(${part})) > 0 then '' else message end
      where id = any(${idsOf(rows)}::uuid[]) and (settled_at is not null or status = 'blocked')
      returning id`.execute(tx)
    return idsOf(erased)
  },
  keptBecause: 'the campaign is not finished: the number is needed until its end',
}

const contactsOf: PersonalSource = {
  table: 'sms_contacts',
  title: 'Contacts in resellers’ lists',
  async find({ db }, { forms }) {
    const { rows } = await sql<PersonalRow>`
      select list_id || ' ' || recipient as id, list_id, sms_lists.name as list, email as account, recipient, sms_contacts.name
      from sms_lists join accounts on accounts.id = account_id
      join sms_contacts on list_id = sms_lists.id and recipient = any(${forms}::text[])`.execute(db)
    return rows
  },
  async erase(tx, rows, { forms }) {
    await sql`
      delete from sms_contacts using ${rowsOf(rows, { list_id: ['uuid', (row) => String(row.list_id)] }).as('found')}
      where sms_contacts.list_id = found.list_id and recipient = any(${forms}::text[])`.execute(tx)
    return idsOf(rows)
  },
}

const draftsWith: PersonalSource = {
  table: 'sms_drafts',
  title: 'Drafts of SMS',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'sms_drafts',
      columns: sql`id, message, recipients, name_fallback, updated_at`,
      where: sql`${holds(sql`message || ' ' || recipients || ' ' || coalesce(name_fallback, '')`, person)}`,
    }),
  async erase(tx, rows) {
    await sql`delete from sms_drafts where id = any(${idsOf(rows)}::uuid[])`.execute(tx)
    return idsOf(rows)
  },
}

/** The kinds of SMS data that may contain a person's number. */
export const smsOfPerson = (hash: RecipientHash): readonly PersonalSource[] => [
  messagesTo(hash),
  campaignsWith,
  contactsOf,
  draftsWith,
]
