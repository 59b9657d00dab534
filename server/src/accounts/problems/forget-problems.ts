import { sql } from 'kysely'
import { type Forgetting, ofDays, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import { holds, type PersonalSource, scanTable } from '../../platform/forgetting/personal-source.ts'
import { readSetting } from '../../platform/settings/settings.ts'
import { problemDays } from './help.settings.ts'

const forgotten = sql`
  text = 'forgotten', answer = case when answer is not null then 'forgotten' end, forgotten_at = clock_timestamp()`

/** Erases the texts of problems, and of their answers, `problem_days` after their end. */
export const forgettingOfProblems: Forgetting = {
  name: 'problems of resellers',
  async step(tx) {
    const kept = ofDays(await readSetting(tx, problemDays))
    const { rows } = await sql`
      update problems set ${forgotten}
      where id in (
        select id from problems
        where ended_at < clock_timestamp() - ${kept} and forgotten_at is null order by ended_at limit ${rowsPerStep})
      returning id`.execute(tx)
    return { count: rows.length, isMore: rows.length === rowsPerStep }
  },
}

export const problemsOfPerson: PersonalSource = {
  table: 'problems',
  title: 'Problems that resellers reported',
  find: ({ db }, person) =>
    scanTable(db, {
      table: 'problems',
      columns: sql`id, text, answer, order_reference, top_up_reference, reported_by, reported_at, state`,
      where: sql`${holds(sql`text`, person)} or ${holds(sql`coalesce(answer, '')`, person)} or ${holds(sql`reported_by`, person)}`,
    }),
  async erase(tx, rows) {
    const { rows: erased } = await sql<{ id: string }>`
      update problems set ${forgotten}
      where id = any(${rows.map(({ id }) => id)}::uuid[]) and ended_at is not null returning id`.execute(tx)
    return erased.map(({ id }) => id)
  },
  keptBecause: 'it waits for an answer',
}
