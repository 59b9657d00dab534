import { sql } from 'kysely'
import { type Forgetting, firstIdOfAge, idAfter, ofDays, rowsPerStep } from '../platform/forgetting/forget-old-data.ts'
import { holds, type PersonalSource, scanTable } from '../platform/forgetting/personal-source.ts'
import { readSetting } from '../platform/settings/settings.ts'
import { noticeDays } from './notices.settings.ts'

/** Erases the texts and addresses of notices to resellers, `notice_days` days after they were written. */
export const forgettingOfNotices: Forgetting = {
  name: 'notices to resellers',
  async step(tx, after) {
    const before = await firstIdOfAge(tx, ofDays(await readSetting(tx, noticeDays)))
    const { rows } = await sql<{ id: string }>`
      update reseller_notices set subject = 'forgotten', body = 'forgotten', sent_to = null
      where id in (
        select id from reseller_notices where id > ${idAfter(after)} and id < ${before}::uuid
        order by id limit ${rowsPerStep})
      returning id`.execute(tx)
    return {
      count: rows.length,
      through: rows
        .map(({ id }) => id)
        .toSorted()
        .at(-1),
      isMore: rows.length === rowsPerStep,
    }
  },
}

export const noticesOfPerson: PersonalSource = {
  table: 'reseller_notices',
  title: 'Notices to resellers',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'reseller_notices',
      columns: sql`id, kind, channel, subject, body, sent_to, created_at, ended_at is null as is_open`,
      where: sql`${holds(sql`subject`, person)} or ${holds(sql`body`, person)} or ${holds(sql`coalesce(sent_to, '')`, person)}`,
    }),
  async erase(tx, rows) {
    const { rows: erased } = await sql<{ id: string }>`
      update reseller_notices set subject = 'forgotten', body = 'forgotten', sent_to = null
      where id = any(${rows.map(({ id }) => id)}::uuid[]) and ended_at is not null returning id`.execute(tx)
    return erased.map(({ id }) => id)
  },
  keptBecause: 'it is not sent yet',
}
