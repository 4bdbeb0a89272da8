import type { DatabaseType } from '@cadmus/model/database-types'
import type { ColumnPair, TablePair } from '../alter-pairs.ts'
import { fittingValue, isCopied } from '../alter-conversions.ts'
import { columnLine } from '../compiler.ts'
import { isText } from '../column-types.ts'
import { defaultText, quotedText, type Dialect } from '../dialect.ts'
import type { Column } from '../tree.ts'
import type { Part, Survival } from './surviving.ts'

/** How a database changes a table; `table` is quoted, other names are not. */
export type Wording = Survival & {
  /** Whether the table can be altered, rather than rewritten. */
  readonly alters: (pair: TablePair, dialect: Dialect) => boolean
  readonly renameTable: (table: string, from: string, to: string, dialect: Dialect) => string
  readonly dropPart: (table: string, part: Part, dialect: Dialect) => string
  readonly dropForeignKey: (table: string, name: string) => string
  readonly renamePart: (
    table: string,
    part: Part['kind'] | 'foreignKey',
    from: string,
    to: string,
    dialect: Dialect,
  ) => string[]
  readonly addColumn: (table: string, column: Column, dialect: Dialect) => string[]
  readonly renameColumn: (table: string, from: string, to: string) => string
  /** Type, default and nullability. */
  readonly changeColumn: (table: string, pair: ColumnPair, dialect: Dialect) => string[]
}

/** Whether more than the name of a column changes in the database. */
export function isChanged({ before, after }: ColumnPair, dialect: Dialect): boolean {
  return (
    isTypeChanged({ before, after }, dialect) ||
    before.nullable !== after.nullable ||
    JSON.stringify(before.default) !== JSON.stringify(after.default)
  )
}

export function isTypeChanged({ before, after }: ColumnPair, dialect: Dialect): boolean {
  return dialect.typeName(before.type) !== dialect.typeName(after.type)
}

/** The condition on the values of a column that its type does not express; the name of the column is left out. */
export function checkOf({ type, unchecked }: Column, dialect: Dialect): string | null {
  return unchecked ? null : dialect.typeCheck('?', type)
}

/** Hashes are cut. */
const isPlainText = ({ before, after, isHash }: ColumnPair) => !isHash && isText(before.type) && isText(after.type)

const isRequiredNow = ({ before, after }: ColumnPair) => before.nullable && !after.nullable

/** A default that each record computes is certain only where records are copied. */
const isComputed = ({ nullable, default: value }: Column) => value?.kind === 'computed' && !nullable

function isIdentitySame({ columns, added }: TablePair): boolean {
  return (
    columns.every(({ before, after }) => before.identity === after.identity) && !added.some(({ identity }) => identity)
  )
}

type ValueOf = (pair: ColumnPair, dialect: Dialect) => string

const standardColumn =
  (set: string, nullable: string, using: ValueOf): Wording['changeColumn'] =>
  (table, pair, dialect) => {
    const { before, after } = pair
    const column = `ALTER TABLE ${table} ALTER COLUMN ${dialect.quote(after.name)}`
    const type = isTypeChanged(pair, dialect)
    const isDefaultChanged = type || JSON.stringify(before.default) !== JSON.stringify(after.default)
    return [
      ...(before.default && isDefaultChanged ? [`${column} DROP DEFAULT`] : []),
      ...(type ? [`${column} ${set} ${dialect.typeName(after.type)}${using(pair, dialect)}`] : []),
      ...(after.default && isDefaultChanged
        ? [`${column} SET DEFAULT ${defaultText(dialect, after.default, after.type)}`]
        : []),
      ...(isRequiredNow(pair) ? [`${column} SET NOT NULL`] : []),
      ...(!before.nullable && after.nullable ? [`${column} ${nullable}`] : []),
    ]
  }

const common: Wording = {
  renamesKeys: true,
  checksFollowNames: true,
  indexesForeignKeys: false,
  alters: isIdentitySame,
  renameTable: (table, _from, to, { quote }) => `ALTER TABLE ${table} RENAME TO ${quote(to)}`,
  dropPart: (table, { kind, item }, { quote }) =>
    kind === 'index' ? `DROP INDEX ${quote(item.name)}` : `ALTER TABLE ${table} DROP CONSTRAINT ${quote(item.name)}`,
  dropForeignKey: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  renamePart: (table, kind, from, to, { quote }) => [
    kind === 'index'
      ? `ALTER INDEX ${quote(from)} RENAME TO ${quote(to)}`
      : `ALTER TABLE ${table} RENAME CONSTRAINT ${quote(from)} TO ${quote(to)}`,
  ],
  addColumn: (table, column, dialect) => [`ALTER TABLE ${table} ADD COLUMN ${columnLine(column, dialect)}`],
  renameColumn: (table, from, to) => `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}`,
  changeColumn: standardColumn('TYPE', 'DROP NOT NULL', () => ''),
}

const postgresql: Wording = {
  ...common,
  alters: () => true,
  changeColumn: standardColumn('TYPE', 'DROP NOT NULL', (pair, dialect) => {
    // Columns have their new names by then.
    const named = { ...pair, before: { ...pair.before, name: pair.after.name } }
    return isPlainText(pair) ? '' : ` USING ${fittingValue(named, dialect)}`
  }),
}

const hsql: Wording = {
  ...common,
  alters: (pair, dialect) =>
    isIdentitySame(pair) &&
    !pair.added.some(isComputed) &&
    pair.columns.every(
      one =>
        checkOf(one.before, dialect) === checkOf(one.after, dialect) &&
        (!isTypeChanged(one, dialect) || isPlainText(one)),
    ),
  renamePart: (_table, kind, from, to, { quote }) => [
    `ALTER ${kind === 'index' ? 'INDEX' : 'CONSTRAINT'} ${quote(from)} RENAME TO ${quote(to)}`,
  ],
  // It takes one condition with a column, of which NOT NULL is one.
  addColumn(table, column, dialect) {
    const check = column.unchecked ? null : dialect.typeCheck(dialect.quote(column.name), column.type)
    if (column.nullable || check === null) return common.addColumn(table, column, dialect)
    return [
      ...common.addColumn(table, { ...column, unchecked: true }, dialect),
      `ALTER TABLE ${table} ADD CHECK (${check})`,
    ]
  },
  renameColumn: (table, from, to) => `ALTER TABLE ${table} ALTER COLUMN ${from} RENAME TO ${to}`,
  changeColumn: standardColumn('SET DATA TYPE', 'SET NULL', () => ''),
}

/** Each table is altered at once (`alteredAtOnce`). */
const mysql: Wording = {
  ...common,
  renamesKeys: false,
  checksFollowNames: false,
  indexesForeignKeys: true,
  alters: (pair, dialect) =>
    isIdentitySame(pair) &&
    !pair.added.some(isComputed) &&
    // MySQL chooses names of checks of columns, and refuses to rename and to drop these.
    pair.dropped.every(column => checkOf(column, dialect) === null) &&
    pair.columns.every(one => {
      const checks = [checkOf(one.before, dialect), checkOf(one.after, dialect)]
      const isPlain = checks.every(check => check === null)
      if (!isPlain && one.before.name !== one.after.name) return false
      if (!isTypeChanged(one, dialect)) return checks[0] === checks[1]
      return isPlain && (isCopied(one) || isPlainText(one))
    }),
  dropForeignKey: (table, name) => `ALTER TABLE ${table} DROP FOREIGN KEY ${name}`,
}

/** Constraints of columns have names that the database chooses: whatever concerns columns rewrites the table. */
const cautious: Wording = {
  ...common,
  alters: (pair, dialect) =>
    pair.before.name === pair.after.name &&
    isIdentitySame(pair) &&
    pair.dropped.length === 0 &&
    !pair.added.some(isComputed) &&
    pair.columns.every(
      one =>
        one.before.name === one.after.name &&
        !isChanged(one, dialect) &&
        checkOf(one.before, dialect) === checkOf(one.after, dialect),
    ) &&
    pair.before.primaryKey?.columns.join('\n') === pair.after.primaryKey?.columns.join('\n'),
  renamesKeys: true,
}

const oracle: Wording = {
  ...cautious,
  renamePart: (table, kind, from, to, { quote }) => [
    ...(kind === 'index' ? [] : [`ALTER TABLE ${table} RENAME CONSTRAINT ${quote(from)} TO ${quote(to)}`]),
    ...(kind === 'foreignKey' || kind === 'check' ? [] : [`ALTER INDEX ${quote(from)} RENAME TO ${quote(to)}`]),
  ],
  addColumn: (table, column, dialect) => [`ALTER TABLE ${table} ADD (${columnLine(column, dialect)})`],
}

const mssql: Wording = {
  ...cautious,
  dropPart: (table, part, dialect) =>
    part.kind === 'index'
      ? `DROP INDEX ${dialect.quote(part.item.name)} ON ${table}`
      : common.dropPart(table, part, dialect),
  renamePart: (table, kind, from, to, { quote }) => [
    kind === 'index'
      ? `EXEC sp_rename N${quotedText(`${table}.${quote(from)}`)}, N${quotedText(to)}, N'INDEX'`
      : `EXEC sp_rename N${quotedText(quote(from))}, N${quotedText(to)}, N'OBJECT'`,
  ],
  renameTable: (table, _from, to) => `EXEC sp_rename N${quotedText(table)}, N${quotedText(to)}`,
  addColumn: (table, column, dialect) => [`ALTER TABLE ${table} ADD ${columnLine(column, dialect)}`],
}

export const wordings: Readonly<Record<DatabaseType, Wording>> = { postgresql, mysql, hsql, oracle, mssql }
