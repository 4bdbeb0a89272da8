import type { Schema } from '../tree.ts'

// For tests only: the tables of an engine and the tables of a schema in the same form.

export type TableShapes = {
  columns: string[]
  primaryKeys: string[]
  uniques: string[]
  foreignKeys: string[]
}

export type Rows = (statement: string) => Promise<Record<string, unknown>[]>

/** `table.column`, followed by a question mark if nullable; keys as `table(columns)`. */
export function expected({ tables }: Schema): TableShapes {
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

export async function introspectPostgres(rows: Rows): Promise<TableShapes> {
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

export async function introspectMariadb(rows: Rows): Promise<TableShapes> {
  const columns = await rows(
    'select table_name as `table`, column_name as name, is_nullable as nullable from information_schema.columns where table_schema = database()',
  )
  // Queried separately: MariaDB evaluates a join of these views once per key, which takes seconds.
  const [kinds, actions, parts] = [
    await rows(
      'select constraint_type as kind, table_name as `table`, constraint_name as name from information_schema.table_constraints where constraint_schema = database()',
    ),
    await rows(
      'select delete_rule as action, table_name as `table`, constraint_name as name from information_schema.referential_constraints where constraint_schema = database()',
    ),
    await rows(
      'select table_name as `table`, constraint_name as name, column_name as `column`, referenced_table_name as target, referenced_column_name as reference from information_schema.key_column_usage where constraint_schema = database() order by ordinal_position',
    ),
  ]
  const nameOf = (row: Record<string, unknown>) => JSON.stringify([row['table'], row['name']])
  const actionOf = new Map(actions.map(row => [nameOf(row), row['action']]))
  const partsOf = Map.groupBy(parts, nameOf)
  const keys = kinds.map(row => {
    const own = partsOf.get(nameOf(row)) ?? []
    const joined = (field: string) => own.map(part => part[field]).join(',')
    return {
      ...row,
      columns: joined('column'),
      target: own[0]?.['target'],
      references: joined('reference'),
      action: actionOf.get(nameOf(row)),
    }
  })
  return shapesOf(columns, keys)
}

export async function introspectHsqldb(rows: Rows): Promise<TableShapes> {
  const columns = await rows(
    `select table_name as "table", column_name as "name", is_nullable as "nullable" from information_schema.columns where table_schema = 'PUBLIC'`,
  )
  const keys = await rows(`
    select t.constraint_type as "kind", k.table_name as "table", group_concat(k.column_name order by k.ordinal_position separator ',') as "columns",
      min(u.table_name) as "target", group_concat(u.column_name order by k.ordinal_position separator ',') as "references",
      min(r.delete_rule) as "action"
    from information_schema.key_column_usage k
    join information_schema.table_constraints t on t.constraint_schema = k.constraint_schema and t.constraint_name = k.constraint_name
    left join information_schema.referential_constraints r
      on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name
    left join information_schema.key_column_usage u
      on u.constraint_schema = r.unique_constraint_schema and u.constraint_name = r.unique_constraint_name
      and u.ordinal_position = k.position_in_unique_constraint
    where k.constraint_schema = 'PUBLIC' group by t.constraint_type, k.table_name, k.constraint_name`)
  return shapesOf(columns, keys)
}

function shapesOf(columns: Record<string, unknown>[], keys: Record<string, unknown>[]): TableShapes {
  const actions: Record<string, string> = {
    'NO ACTION': 'noAction',
    RESTRICT: 'restrict',
    CASCADE: 'cascade',
    'SET NULL': 'setNull',
  }
  const ofKind = (kind: string) => keys.filter(row => row['kind'] === kind)
  return sorted({
    columns: columns.map(columnRow),
    primaryKeys: ofKind('PRIMARY KEY').map(keyRow),
    uniques: ofKind('UNIQUE').map(keyRow),
    foreignKeys: ofKind('FOREIGN KEY').map(
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

function sorted(shapes: TableShapes): TableShapes {
  return {
    columns: shapes.columns.toSorted(),
    primaryKeys: shapes.primaryKeys.toSorted(),
    uniques: shapes.uniques.toSorted(),
    foreignKeys: shapes.foreignKeys.toSorted(),
  }
}
