import type { Schema } from '../tree.ts'

// For tests only: what an engine says that it has, and what a schema says that it should, in one shape.

export type Found = {
  columns: string[]
  primaryKeys: string[]
  uniques: string[]
  foreignKeys: string[]
}

type Rows = (statement: string) => Promise<Record<string, unknown>[]>

/** `table.column`, with a question mark where it takes no value; keys as `table(columns)`. */
export function expected({ tables }: Schema): Found {
  return sorted({
    columns: tables.flatMap(table => table.columns.map(({ name, nullable }) => columnText(table.name, name, nullable))),
    primaryKeys: tables.flatMap(({ name, primaryKey }) =>
      primaryKey ? [`${name}(${primaryKey.columns.join(',')})`] : [],
    ),
    uniques: tables.flatMap(({ name, uniques }) => uniques.map(({ columns }) => `${name}(${columns.join(',')})`)),
    foreignKeys: tables.flatMap(({ name, foreignKeys }) =>
      foreignKeys.map(
        ({ columns, references, onDelete }) =>
          `${name}(${columns.join(',')}) -> ${references.table}(${references.columns.join(',')}) ${onDelete}`,
      ),
    ),
  })
}

export async function foundInPostgres(rows: Rows): Promise<Found> {
  const columns = await rows(
    `select table_name as "table", column_name as name, is_nullable as nullable from information_schema.columns where table_schema = 'public'`,
  )
  const constraints = await rows(`
    select c.contype as kind, t.relname as "table", r.relname as target, c.confdeltype as action,
      (select string_agg(a.attname, ',' order by k.place) from unnest(c.conkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns,
      (select string_agg(a.attname, ',' order by k.place) from unnest(c.confkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number) as references
    from pg_constraint c join pg_class t on t.oid = c.conrelid left join pg_class r on r.oid = c.confrelid
    where c.connamespace = 'public'::regnamespace`)
  const actions: Record<string, string> = { a: 'noAction', r: 'restrict', c: 'cascade', n: 'setNull' }
  const keys = (kind: string) => constraints.filter(row => row['kind'] === kind)
  return sorted({
    columns: columns.map(columnRow),
    primaryKeys: keys('p').map(keyRow),
    uniques: keys('u').map(keyRow),
    foreignKeys: keys('f').map(
      row => `${keyRow(row)} -> ${row['target']}(${row['references']}) ${actions[String(row['action'])]}`,
    ),
  })
}

function columnRow(row: Record<string, unknown>): string {
  return columnText(String(row['table']), String(row['name']), row['nullable'] === 'YES')
}

function columnText(table: string, column: string, nullable: boolean): string {
  return `${table}.${column}${nullable ? '?' : ''}`
}

function keyRow(row: Record<string, unknown>): string {
  return `${row['table']}(${row['columns']})`
}

function sorted(found: Found): Found {
  return {
    columns: found.columns.toSorted(),
    primaryKeys: found.primaryKeys.toSorted(),
    uniques: found.uniques.toSorted(),
    foreignKeys: found.foreignKeys.toSorted(),
  }
}
