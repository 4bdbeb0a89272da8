import type { DatabaseType } from '@cadmus/model/database-types'
import { type TablePair, temporaryName } from '../alter-pairs.ts'
import { compileSchema } from '../compiler.ts'
import { copyRecords } from '../copy-records.ts'
import type { Dialect } from '../dialect.ts'
import type { Table } from '../tree.ts'
import type { Action, Phase } from './action.ts'
import { partsOf } from './surviving.ts'
import { wordings } from './wording.ts'

/** Creates the table under a temporary name, copies its records, drops the old one and renames the new one. */
export function rewriting(pair: TablePair, number: number, dialect: Dialect, database: DatabaseType): Action[] {
  const { before, after } = pair
  const { quote } = dialect
  const aside = temporaryName(number)
  const wording = wordings[database]
  const entity = after.source.name
  const action = (phase: Phase, sql: string, witness: Action['witness'] = null): Action => ({
    phase,
    sql,
    entity,
    witness,
  })
  // Names of constraints must be free, except those that belong to their table.
  const isShared = ({ kind }: ReturnType<typeof partsOf>[number]) =>
    kind !== 'index' && (database !== 'mysql' || kind === 'check')
  const create = compileSchema(
    { name: '', tables: [{ ...after, name: aside, foreignKeys: [], indexes: [] }] },
    dialect,
  ).tables
  return [
    ...partsOf(before)
      .filter(isShared)
      .map(part => action('keysOff', wording.dropPart(quote(before.name), part, dialect), witnessOfPart(before, part))),
    ...create.map(sql => action('rewrites', sql, { kind: 'table', table: aside })),
    ...copyRecords(pair, aside, dialect, database).map(sql => ({ ...action('rewrites', sql), ...isCopy(sql) })),
    action('rewrites', `DROP TABLE ${quote(before.name)}`, { kind: 'noTable', table: before.name }),
    action('tables', wording.renameTable(quote(aside), aside, after.name, dialect), { kind: 'noTable', table: aside }),
  ]
}

const isCopy = (sql: string): { isData?: true } => (sql.startsWith('INSERT') ? { isData: true } : {})

export function witnessOfPart({ name }: Table, part: ReturnType<typeof partsOf>[number]): Action['witness'] {
  return { kind: 'noForeignKey', table: name, name: part.item.name }
}
