import type { DatabaseType } from '@cadmus/model/database-types'
import type { SqlExport } from '@cadmus/model/sql-export'
import { choiceRows } from './choice-options.ts'
import { type Dialect, quotedText, tableName } from './dialect.ts'
import type { Schema, Table } from './tree.ts'

/** How the statements of a script are written if what they create may exist already. */
export type ExistingObjects = {
  /** Statements that remove the tables and types of the schema. */
  drop(schema: Schema, dialect: Dialect): string[]
  type(sql: string, name: string, dialect: Dialect): string
  table(sql: string, table: Table, dialect: Dialect): string
  /** The rows of a table of choices. */
  rows(table: Table, dialect: Dialect): string[]
  /** Of one index or foreign key, or of all of a table if the dialect writes them together. */
  index(sql: string, table: Table, name: string, dialect: Dialect): string[]
  foreignKey(sql: string, table: Table, name: string, dialect: Dialect): string[]
  comments(table: Table, dialect: Dialect): string[]
}

/** They fail. */
export const plain: ExistingObjects = {
  drop: () => [],
  type: sql => sql,
  table: sql => sql,
  rows: (table, dialect) => choiceRows(table, dialect),
  index: sql => [sql],
  foreignKey: sql => [sql],
  comments: (table, dialect) => dialect.comments(table),
}

export function existingObjects(exists: SqlExport['exists'], database: DatabaseType): ExistingObjects {
  if (exists === 'drop') return { ...plain, drop: drops[database] }
  if (exists !== 'skip') return plain
  return { ...plain, rows: (table, dialect) => choiceRows(table, dialect, database), ...skips[database] }
}

/** The names of the tables, the last one first. */
function names({ tables }: Schema, dialect: Dialect): string[] {
  return tables.map(({ name }) => tableName(dialect, name)).toReversed()
}

const typesOf = ({ types = [] }: Schema, dialect: Dialect) =>
  types.flatMap(({ name }) => (name === null ? [] : [tableName(dialect, name)]))

/** A name or statement as a text. */
function text(value: string, dialect: Dialect): string {
  return dialect.literal({ kind: 'text', value })
}

const drops: Readonly<Record<DatabaseType, ExistingObjects['drop']>> = {
  // Together, so that they may refer to each other, but nothing else to them.
  postgresql: (schema, dialect) => [
    `DROP TABLE IF EXISTS ${names(schema, dialect).join(', ')}`,
    ...typesOf(schema, dialect).map(name => `DROP TYPE IF EXISTS ${name}`),
  ],
  mysql: (schema, dialect) => [
    'SET @cadmus_checks = @@SESSION.foreign_key_checks',
    'SET SESSION foreign_key_checks = 0',
    `DROP TABLE IF EXISTS ${names(schema, dialect).join(', ')}`,
    'SET SESSION foreign_key_checks = @cadmus_checks',
  ],
  hsql: (schema, dialect) => names(schema, dialect).map(name => `DROP TABLE IF EXISTS ${name} CASCADE`),
  oracle: (schema, dialect) =>
    names(schema, dialect).map(name => oracleBlock(`DROP TABLE ${name} CASCADE CONSTRAINTS`, ['-942'])),
  mssql: (schema, dialect) => [
    ...schema.tables.flatMap(({ name, foreignKeys }) =>
      foreignKeys.map(
        key =>
          `IF OBJECT_ID(${text(tableName(dialect, key.name), dialect)}, N'F') IS NOT NULL\n` +
          `ALTER TABLE ${tableName(dialect, name)} DROP CONSTRAINT ${dialect.quote(key.name)}`,
      ),
    ),
    ...names(schema, dialect).map(name => `DROP TABLE IF EXISTS ${name}`),
  ],
}

const ifNotExists: Pick<ExistingObjects, 'table' | 'index'> = {
  table: sql => sql.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS '),
  index: sql => [sql.replace(/^CREATE (UNIQUE )?INDEX /, (start: string) => `${start}IF NOT EXISTS `)],
}

const skips: Readonly<Record<DatabaseType, Partial<ExistingObjects>>> = {
  postgresql: {
    ...ifNotExists,
    type: (sql, name, dialect) =>
      postgresqlBlock(`to_regtype(${text(tableName(dialect, name), dialect)}) IS NULL`, sql),
    foreignKey: (sql, { name: table }, name, dialect) => [
      postgresqlBlock(
        `NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = ${text(tableName(dialect, table), dialect)}::regclass` +
          ` AND conname = ${text(name, dialect)})`,
        sql,
      ),
    ],
  },
  mysql: {
    table: ifNotExists.table,
    index: (sql, table, name, dialect) =>
      mysqlGuard(sql, 'statistics', ['table', 'index'], [table.name, name], dialect),
    foreignKey: (sql, table, name, dialect) =>
      mysqlGuard(sql, 'table_constraints', ['table', 'constraint'], [table.name, name], dialect),
  },
  hsql: {
    ...ifNotExists,
    foreignKey: (sql, table, _name, dialect) => {
      const start = `ALTER TABLE ${tableName(dialect, table.name)} ADD CONSTRAINT `
      return [`${start}IF NOT EXISTS ${sql.slice(start.length)}`]
    },
  },
  oracle: {
    table: sql => oracleBlock(sql, ['-955']),
    // A name, or the columns of another index.
    index: sql => [oracleBlock(sql, ['-955', '-1408'])],
    foreignKey: sql => [oracleBlock(sql, ['-2264', '-2275'])],
  },
  mssql: {
    table: (sql, { name }, dialect) => `IF OBJECT_ID(${text(tableName(dialect, name), dialect)}, N'U') IS NULL\n${sql}`,
    index: (sql, table, name, dialect) => [
      `IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE object_id = OBJECT_ID(${text(tableName(dialect, table.name), dialect)})` +
        ` AND name = ${text(name, dialect)})\n${sql}`,
    ],
    foreignKey: (sql, _table, name, dialect) => [
      `IF OBJECT_ID(${text(tableName(dialect, name), dialect)}, N'F') IS NULL\n${sql}`,
    ],
    comments: (table, dialect) => {
      const id = `OBJECT_ID(${text(tableName(dialect, table.name), dialect)})`
      const guarded = (one: Table, minor: string) =>
        dialect
          .comments(one)
          .map(
            sql =>
              `IF NOT EXISTS (SELECT 1 FROM sys.extended_properties WHERE class = 1 AND name = N'MS_Description'` +
              ` AND major_id = ${id} AND minor_id = ${minor})\n${sql}`,
          )
      return [
        ...guarded({ ...table, columns: [] }, '0'),
        ...table.columns.flatMap(column =>
          guarded(
            { ...table, comment: '', columns: [column] },
            `COLUMNPROPERTY(${id}, ${text(column.name, dialect)}, 'ColumnId')`,
          ),
        ),
      ]
    },
  },
}

/** A block of PostgreSQL; the reader takes its statements as if the condition held. */
function postgresqlBlock(condition: string, sql: string): string {
  let tag = '$cadmus$'
  while (`${condition}${sql}`.includes(tag)) tag = `${tag.slice(0, -1)}_$`
  return `DO ${tag} BEGIN\nIF ${condition} THEN\n${sql};\nEND IF;\nEND ${tag}`
}

/** Neither MySQL nor MariaDB alone have a condition outside of routines: a statement is prepared, which may do nothing. */
function mysqlGuard(
  sql: string,
  view: string,
  kinds: readonly string[],
  objects: readonly string[],
  dialect: Dialect,
): string[] {
  const column = view === 'statistics' ? 'table_schema' : 'constraint_schema'
  const scope = dialect.schema === null ? 'DATABASE()' : text(dialect.schema, dialect)
  const conditions = kinds.map((kind, at) => nameCondition(`${kind}_name`, objects[at] ?? ''))
  const exists = `EXISTS (SELECT 1 FROM information_schema.${view} WHERE ${column} = ${scope} AND ${conditions.join(' AND ')})`
  return [
    `SET @cadmus = IF(${exists}, 'DO 0',\n${preparedText(sql)})`,
    'PREPARE cadmus FROM @cadmus',
    'EXECUTE cadmus',
    'DEALLOCATE PREPARE cadmus',
  ]
}

/** The catalogue has other letters than the session, which an expression with a backslash would have. */
function nameCondition(column: string, name: string): string {
  if (!name.includes('\\')) return `${column} = ${quotedText(name)}`
  const bytes = Array.from(new TextEncoder().encode(name), byte => byte.toString(16).padStart(2, '0'))
  return `HEX(${column}) = '${bytes.join('').toUpperCase()}'`
}

/** The meaning of a backslash in a text depends on sql_mode, so that another mark stands for it. */
function preparedText(sql: string): string {
  if (!sql.includes('\\')) return quotedText(sql)
  let mark = '|92|'
  while (sql.includes(mark)) mark = `|${mark}|`
  return `REPLACE(${quotedText(sql.replaceAll('\\', mark))}, '${mark}', CHAR(92 USING utf8mb4) COLLATE utf8mb4_bin)`
}

/** Characters of a literal; none of PL/SQL has more than 32,767 bytes. */
const longestLiteral = 8000

/** A mark that ends no literal within the statement: a usual one, otherwise the first box drawing character or one after it. */
function quoteFor(sql: string): string {
  const usual = ['~', '!', '^', '|', '#', '%', '$'].find(one => !sql.includes(`${one}'`))
  if (usual !== undefined) return usual
  let code = 0x2500
  while (sql.includes(`${String.fromCodePoint(code)}'`)) code += 1
  return String.fromCodePoint(code)
}

/** A block of Oracle that ignores errors with these codes. */
function oracleBlock(sql: string, codes: readonly string[]): string {
  const quote = quoteFor(sql)
  const pieces = sql.match(new RegExp(`.{1,${longestLiteral}}`, 'gsu')) ?? []
  const literals = pieces.map(piece => `q'${quote}${piece}${quote}'`)
  const whole = literals.length === 1 ? literals[0] : literals.map(one => `TO_CLOB(${one})`).join(' ||\n')
  const others = codes.length === 1 ? `<> ${codes[0]}` : `NOT IN (${codes.join(', ')})`
  return `BEGIN\nEXECUTE IMMEDIATE ${whole};\nEXCEPTION WHEN OTHERS THEN IF SQLCODE ${others} THEN RAISE; END IF;\nEND;\n/`
}

/**
 * A generated script whose statements are no longer in blocks and texts: what it creates if nothing exists. Lines keep their numbers. It
 * takes time proportional to the script.
 */
export function withoutGuards(script: string, database: DatabaseType): string {
  if (database === 'mysql') return withoutPreparation(script)
  if (database === 'mssql') return withoutDroppedKeys(script)
  return database === 'oracle' ? withoutBlocks(script) : script
}

/** The keys are not there yet; a reader would drop them once they are. */
function withoutDroppedKeys(script: string): string {
  const lines = script.split('\n')
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? ''
    if (!line.startsWith("IF OBJECT_ID(N'") || !line.endsWith("', N'F') IS NOT NULL")) continue
    if (!next.startsWith('ALTER TABLE ') || !next.includes(' DROP CONSTRAINT ')) continue
    lines[at] = ''
    lines[at + 1] = ''
  }
  return lines.join('\n')
}

function withoutBlocks(script: string): string {
  const start = /^BEGIN\nEXECUTE IMMEDIATE (?:TO_CLOB\()?q'(\S)/gm
  const out: string[] = []
  let at = 0
  for (let match = start.exec(script); match; match = start.exec(script)) {
    const quote = match[1] ?? ''
    const end = script.indexOf(`;\nEXCEPTION WHEN OTHERS THEN IF SQLCODE `, start.lastIndex)
    const close = end < 0 ? -1 : script.indexOf('\nEND;\n/', end)
    if (close < 0) break
    const joined = script.slice(start.lastIndex, end).split(`${quote}') ||\nTO_CLOB(q'${quote}`)
    const sql = joined.join('').replace(new RegExp(`\\${quote}'\\)?$`), '')
    const isDrop = sql.startsWith('DROP TABLE ')
    out.push(script.slice(at, match.index), '\n', isDrop ? '' : sql, ';', '\n'.repeat(3 + joined.length - 1))
    at = close + '\nEND;\n/'.length
    start.lastIndex = at
  }
  return [...out, script.slice(at)].join('')
}

function withoutPreparation(script: string): string {
  const start = /^SET @cadmus = IF\(EXISTS \(SELECT 1 FROM information_schema\.[^\n]*, 'DO 0',\n(REPLACE\()?'/gm
  const stop = ');\n\nPREPARE cadmus FROM @cadmus;\n\nEXECUTE cadmus;\n\nDEALLOCATE PREPARE cadmus;'
  const out: string[] = []
  let at = 0
  for (let match = start.exec(script); match; match = start.exec(script)) {
    const end = script.indexOf(stop, start.lastIndex)
    if (end < 0) break
    const written = script.slice(start.lastIndex, end)
    const [, text = '', mark = ''] = match[1]
      ? (/^(.*)', '(\|+92\|+)', CHAR\(92 USING utf8mb4\) COLLATE utf8mb4_bin\)$/s.exec(written) ?? [])
      : [written, written.slice(0, -1)]
    const sql = text.replaceAll("''", "'")
    out.push(script.slice(at, match.index), '\n', mark === '' ? sql : sql.replaceAll(mark, '\\'), ';', '\n'.repeat(6))
    at = end + stop.length
    start.lastIndex = at
  }
  return [...out, script.slice(at)].join('')
}
