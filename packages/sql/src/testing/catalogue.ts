import type { Counts } from '../read/counts.ts'
import { noCounts } from '../read/counts.ts'
import type { Rows } from './introspect.ts'

// For tests only: what an engine's catalogue has after a script, in the terms of the reader.

export type CatalogueColumn = {
  table: string
  name: string
  /** In the terms of models. */
  type: string
  nullable: boolean
  comment: string
  /** An expression of the engine; null for none and for generated values. */
  default: string | null
}
export type EngineCatalogue = { columns: CatalogueColumn[]; keys: string[]; references: string[]; counts: Counts }

type Row = Record<string, unknown>

/** Types by their name in the catalogue; others become strings. */
const types: Readonly<Record<string, string>> = {
  smallint: 'int16',
  tinyint: 'int16',
  year: 'int16',
  integer: 'int32',
  int: 'int32',
  mediumint: 'int32',
  bigint: 'integer',
  'unsigned bigint': 'integer(20)',
  'double precision': 'double',
  double: 'double',
  real: 'single',
  float: 'single',
  boolean: 'boolean',
  date: 'date',
  'time without time zone': 'time',
  'time with time zone': 'time',
  time: 'time',
  'timestamp without time zone': 'local',
  'timestamp with time zone': 'instant',
  timestamp: 'instant',
  datetime: 'local',
  uuid: 'guid',
  bytea: 'binary',
  blob: 'binary',
  longblob: 'binary',
  mediumblob: 'binary',
  varbinary: 'binary',
  binary: 'binary',
  money: 'double(19,4)',
  tinyblob: 'binary',
  json: 'object',
  jsonb: 'object',
  ARRAY: 'object',
}

function typeText({ type, length, precision, scale }: Row): string {
  const name = String(type)
  if (name === 'numeric' || name === 'decimal') {
    if (precision === null) return 'decimal'
    return Number(scale) === 0 && Number(precision) <= 38 ? `integer(${precision})` : `double(${precision},${scale})`
  }
  if (types[name] !== undefined) return types[name]
  if (['character', 'char'].includes(name) && length !== null) return `string(${length})`
  const isLimited = ['character varying', 'varchar', 'tinytext'].includes(name) && length !== null
  return isLimited ? `string(${length})` : 'string'
}

export async function postgresCatalogue(rows: Rows): Promise<EngineCatalogue> {
  const owned = `from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname !~ '^(pg_|information_schema)' and c.relkind in ('r', 'p')`
  const tables = await rows(
    `select c.relname as name, c.relispartition as "isPartition", obj_description(c.oid, 'pg_class') as comment ${owned}`,
  )
  const columns = await rows(
    `select i.table_name as "table", i.column_name as name, i.data_type as type, i.character_maximum_length as length, i.numeric_precision as precision,
      i.numeric_scale as scale, i.is_nullable as nullable, i.column_default as "default", i.is_identity as identity, i.is_generated as generated,
      (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum) as own,
      col_description(c.oid, a.attnum) as comment
    ${owned} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join information_schema.columns i on i.table_schema = n.nspname and i.table_name = c.relname and i.column_name = a.attname
    where not c.relispartition order by c.relname, a.attnum`,
  )
  const constraints = await rows(
    `select k.contype as kind, c.relname as "table", r.relname as target, (select string_agg(a.attname, ',' order by p.place)
      from unnest(k.conkey) with ordinality p(number, place) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.number) as columns,
      (select string_agg(a.attname, ',' order by p.place) from unnest(k.confkey) with ordinality p(number, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.number) as references
    ${owned} join pg_constraint k on k.conrelid = c.oid left join pg_class r on r.oid = k.confrelid where not c.relispartition`,
  )
  const indexes = await rows(
    `select x.indisunique as "isUnique" ${owned} join pg_index x on x.indrelid = c.oid
      where not c.relispartition and not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype <> 'f')`,
  )
  const enumerations = await rows(
    `select t.typname as name, obj_description(t.oid, 'pg_type') as comment from pg_type t
      join pg_namespace n on n.oid = t.typnamespace and n.nspname !~ '^(pg_|information_schema)'
      where t.typtype = 'e' or exists (select from pg_constraint k where k.contypid = t.oid and pg_get_constraintdef(k.oid) like '%= ANY (%')`,
  )
  const ofKind = (kind: string) => constraints.filter(row => row['kind'] === kind)
  const unique = indexes.filter(({ isUnique }) => isUnique).length
  const columnList = columns.map(columnOf)
  return {
    columns: columnList,
    keys: ofKind('p').map(({ table, columns: names }) => `${table}(${names})`),
    references: ofKind('f').map(referenceText),
    counts: {
      ...noCounts(),
      table: tables.length,
      column: columns.length,
      key: ofKind('p').length,
      foreignKey: ofKind('f').length,
      unique: ofKind('u').length + unique,
      index: indexes.length - unique,
      check: ofKind('c').length,
      default: columnList.filter(column => column.default !== null).length,
      comment: commentCount([...tables, ...columns, ...enumerations]),
      enumeration: enumerations.length,
      other: ofKind('x').length,
    },
  }
}

function columnOf(row: Row): CatalogueColumn {
  const isGenerated = row['identity'] === 'YES' || row['generated'] === 'ALWAYS'
  return {
    table: String(row['table']),
    name: String(row['name']),
    type: typeText(row),
    nullable: row['nullable'] === 'YES',
    comment: String(row['comment'] ?? ''),
    default: isGenerated || row['own'] === null || noDefault.test(String(row['own'])) ? null : String(row['own']),
  }
}

/** The default values of serial columns, and those that are none. */
const noDefault = /^(?:nextval\(|NULL(?:::|$))/

function referenceText({ table, columns, target, references }: Row): string {
  return `${table}(${columns}) -> ${target}(${references})`
}

function commentCount(all: readonly Row[]): number {
  return all.filter(({ comment }) => comment !== null && comment !== '').length
}

export async function mariadbCatalogue(rows: Rows): Promise<EngineCatalogue> {
  const tables = await rows(
    `select table_name as name, table_comment as comment from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'`,
  )
  const columns = await rows(
    `select c.table_name as \`table\`, c.column_name as name, if(c.column_type in ('tinyint(1)', 'bit(1)'), 'boolean', if(c.column_type like 'enum%', 'text',
        if(c.column_type like 'bigint%unsigned%' and c.extra not like '%auto_increment%', 'unsigned bigint', if(c.column_type like '%unsigned%', elt(field(c.data_type, 'smallint', 'int', 'mediumint', 'tinyint'), 'int', 'bigint', 'bigint', 'smallint'), if(j.check_clause is null, null, 'json'))))) as widened,
      c.data_type as type, c.character_maximum_length as length, c.numeric_precision as \`precision\`, c.numeric_scale as scale,
      c.is_nullable as nullable, c.column_default as own, c.extra as extra, if(c.extra like '%GENERATED', 'ALWAYS', '') as generated, c.column_comment as comment
    from information_schema.columns c join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    left join information_schema.check_constraints j on j.constraint_schema = c.table_schema and j.table_name = c.table_name and j.constraint_name = c.column_name and j.check_clause like 'json_valid%'
    where c.table_schema = database() order by c.table_name, c.ordinal_position`,
  )
  const parts = await rows(
    `select table_name as \`table\`, constraint_name as name, group_concat(column_name order by ordinal_position) as columns, min(referenced_table_name) as target,
      group_concat(referenced_column_name order by ordinal_position) as \`references\`
    from information_schema.key_column_usage where constraint_schema = database() group by table_name, constraint_name`,
  )
  const checks = await rows(
    `select check_clause as clause from information_schema.check_constraints where constraint_schema = database() and check_clause not like 'json_valid%'`,
  )
  const indexes = await rows(
    `select distinct table_name as \`table\`, index_name as name, non_unique as \`nonUnique\` from information_schema.statistics where table_schema = database()`,
  )
  const foreign = parts.filter(({ target }) => target !== null)
  // A foreign key without an index gets one of its name.
  const implied = new Set(foreign.map(({ table, name }) => `${table}.${name}`))
  const plain = indexes.filter(
    ({ table, name, nonUnique }) => Number(nonUnique) === 1 && !implied.has(`${table}.${name}`),
  )
  const unique = indexes.filter(({ name, nonUnique }) => Number(nonUnique) === 0 && name !== 'PRIMARY')
  const keys = parts.filter(({ name }) => name === 'PRIMARY')
  const columnList = columns.map(row => columnOf({ ...row, type: row['widened'] ?? row['type'], own: row['own'] }))
  return {
    columns: columnList,
    keys: keys.map(({ table, columns: names }) => `${table}(${names})`),
    references: foreign.map(referenceText),
    counts: {
      ...noCounts(),
      table: tables.length,
      column: columns.length,
      key: keys.length,
      foreignKey: foreign.length,
      unique: unique.length,
      index: plain.length,
      check: checks.length,
      default: columnList.filter(column => column.default !== null).length,
      comment: commentCount([...tables, ...columns]),
    },
  }
}
