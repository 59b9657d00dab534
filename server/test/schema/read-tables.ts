import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/database.ts'

export type Column = { name: string; type: string; may_be_null: boolean; default: string | null; comment: string | null }
export type Constraint = { name: string; definition: string }
export type Index = { name: string; definition: string; comment: string | null }
export type Table = {
  name: string
  comment: string | null
  columns: Column[]
  constraints: Constraint[]
  indexes: Index[]
  /** What the application's login may do, such as `select, insert`. */
  grants: string
}

/** Reads the tables of a migrated database in the order in which they were made, without those of the migrator. */
export async function readTables(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname as name, obj_description(oid, 'pg_class') as comment, (
      select json_agg(json_build_object(
        'name', attname, 'type', format_type(atttypid, atttypmod), 'may_be_null', not attnotnull,
        'default', case when attidentity <> '' then 'identity' else pg_get_expr(adbin, adrelid) end,
        'comment', col_description(attrelid, attnum)) order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped
    ) as columns, (
      select coalesce(json_agg(json_build_object('name', conname, 'definition', pg_get_constraintdef(oid))
        order by array_position('{p,u,f,c}', contype::text), oid), '[]')
      from pg_constraint where conrelid = pg_class.oid and contype in ('p', 'u', 'f', 'c')
    ) as constraints, (
      select coalesce(json_agg(json_build_object('name', indexes.relname, 'definition', pg_get_indexdef(indexes.oid),
        'comment', obj_description(indexes.oid, 'pg_class')) order by indexes.oid), '[]')
      from pg_index join pg_class as indexes on indexes.oid = indexrelid
      where indrelid = pg_class.oid and not exists (select from pg_constraint where conindid = indexes.oid and contype in ('p', 'u'))
    ) as indexes, (
      select coalesce(string_agg(verb, ', ' order by place), 'nothing')
      from unnest(array['select', 'insert', 'update', 'delete']) with ordinality as verbs (verb, place)
      where case when verb = 'delete' then has_table_privilege('makola_app', pg_class.oid, verb)
        else has_any_column_privilege('makola_app', pg_class.oid, verb) end
    ) as grants
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'schema\\_migrations%'
    order by oid`.execute(db)
  return rows
}
