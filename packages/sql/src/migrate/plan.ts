import type { DatabaseType } from '@cadmus/model/database-types'
import type { AppliedStep } from '@cadmus/model/data-steps'
import { pairsOf, type SchemaPairs, type TablePair } from '../alter-pairs.ts'
import { compileSchema, createIndexes, foreignKeyText } from '../compiler.ts'
import { withDataSteps } from '../data-steps.ts'
import { databases } from '../databases.ts'
import type { Dialect } from '../dialect.ts'
import type { Column, ForeignKey, Schema, Table } from '../tree.ts'
import { type Action, type Phase, phases } from './action.ts'
import { alteredInPlace } from './in-place.ts'
import { orderedRenames, type Rename } from './renames.ts'
import { rewriting } from './rewrite.ts'
import { type MigrationStep, stepsOf } from './steps.ts'
import {
  foreignKeyChanges,
  type Part,
  partChanges,
  type PartChanges,
  partsOf,
  type Targets,
  targetsOf,
} from './surviving.ts'
import { wordings } from './wording.ts'

/** What makes the tables of one schema those of another, and keeps their records. */
export type MigrationPlan = {
  readonly steps: readonly MigrationStep[]
  /** Changes that need more than a migration, with what to do; there are no actions then. */
  readonly refused: readonly string[]
  /** In their order. */
  readonly actions: readonly Action[]
  /** Statements that the session needs. */
  readonly session: readonly string[]
}

/** `before` and `after` are adapted schemas of the database. Objects are matched by uid, then by name. */
export function migrationPlan(
  before: Schema,
  after: Schema,
  database: DatabaseType,
  dataSteps: readonly AppliedStep[] = [],
): MigrationPlan {
  const dialect = databases[database].export
  const { pairs, faults } = withDataSteps(pairsOf(before, after), dataSteps, dialect)
  const plan = planOf({ before, after, pairs }, database, dialect)
  return faults.length === 0 ? plan : { ...plan, refused: faults, actions: [] }
}

/** The schemas and their matched tables, in a dialect of the database. */
export function planOf(
  { before, after, pairs }: { before: Schema; after: Schema; pairs: SchemaPairs },
  database: DatabaseType,
  dialect: Dialect,
): MigrationPlan {
  const planner = new Planner(pairs, before, after, dialect, database)
  const { steps, refused } = stepsOf(pairs, pair => planner.isRewritten(pair), dialect, database)
  const actions = refused.length > 0 ? [] : planner.actions()
  const session = [...new Set([...databases[database].run.queries.session, ...dialect.preamble(after.tables)])]
  return { steps, refused, actions, session }
}

type Named = { readonly table: Table; readonly kind: Part['kind'] | 'foreignKey' | 'sequence' }

class Planner {
  readonly #pairs: SchemaPairs
  readonly #before: Schema
  readonly #after: Schema
  readonly #dialect: Dialect
  readonly #database: DatabaseType
  readonly #rewritten: ReadonlySet<TablePair>
  readonly #targets: Targets

  constructor(pairs: SchemaPairs, before: Schema, after: Schema, dialect: Dialect, database: DatabaseType) {
    this.#pairs = pairs
    this.#targets = targetsOf(pairs)
    this.#before = before
    this.#after = after
    this.#dialect = dialect
    this.#database = database
    const { alters } = wordings[database]
    const isAltered = (pair: TablePair) => alters(pair, dialect) && (!pair.before.computed || database === 'postgresql')
    this.#rewritten = new Set(pairs.pairs.filter(pair => !pair.isSame && !isAltered(pair)))
  }

  isRewritten(pair: TablePair): boolean {
    return this.#rewritten.has(pair)
  }

  actions(): Action[] {
    const { pairs, added, dropped } = this.#pairs
    const { names } = this.#dialect
    const altered = pairs.filter(pair => !this.isRewritten(pair))
    const parts = new Map(altered.map(pair => [pair, this.#partsOf(pair)]))
    const tables = orderedRenames(
      altered.map(of => ({ of, from: of.before.name, to: of.after.name })),
      new Set(this.#before.tables.map(({ name }) => names.fold(name))),
      names.fold,
      0,
    )
    const current = new Map(tables.first.map(({ of, to }) => [of, to]))
    const rename = (phase: Phase) => (one: Rename<TablePair>) => this.#renamed(phase, one)
    const rewritten = [...this.#rewritten]
    const all = [
      ...this.#foreignKeys(),
      ...this.#keyRenames(parts),
      ...tables.first.map(rename('renames')),
      ...altered.flatMap(pair =>
        alteredInPlace(pair, {
          dialect: this.#dialect,
          database: this.#database,
          parts: parts.get(pair) ?? { remaining: [], dropped: [], added: [] },
          current: current.get(pair) ?? pair.before.name,
        }),
      ),
      ...rewritten.flatMap((pair, at) => rewriting(pair, tables.last.length + at, this.#dialect, this.#database)),
      ...this.#drops(dropped),
      ...tables.last.map(rename('tables')),
      ...this.#creations(
        rewritten.map(({ after }) => after),
        added,
      ),
    ]
    return phases.flatMap(phase => all.filter(action => action.phase === phase))
  }

  #partsOf(pair: TablePair): PartChanges<Part> {
    if (pair.isSame) return { remaining: [], dropped: [], added: [] }
    return partChanges(pair, this.#dialect, wordings[this.#database])
  }

  #renamed(phase: Phase, { of, from, to }: Rename<TablePair>): Action {
    const sql = wordings[this.#database].renameTable(this.#dialect.quote(from), from, to, this.#dialect)
    return { phase, sql, entity: of.after.source.name, witness: { kind: 'noTable', table: from } }
  }

  #foreignKeys(): Action[] {
    const { pairs, added, dropped } = this.#pairs
    const wording = wordings[this.#database]
    const changes = pairs.map(pair => ({
      pair,
      ...foreignKeyChanges(pair, this.#targets, one => this.isRewritten(one), this.#dialect, wording),
    }))
    const off = [
      ...changes.map(one => ({ table: one.pair.before, keys: one.dropped })),
      ...dropped.map(table => ({ table, keys: table.foreignKeys })),
    ]
    const on = [
      ...changes.map(one => ({ table: one.pair.after, keys: one.added })),
      ...added.map(table => ({ table, keys: table.foreignKeys })),
    ]
    return [
      ...off.flatMap(({ table, keys }) => keys.flatMap(key => this.#foreignKeyOff(table, key))),
      ...on.flatMap(({ table, keys }) => keys.map(key => this.#foreignKeyOn(table, key))),
    ]
  }

  #foreignKeyOff(table: Table, { name, columns }: ForeignKey): Action[] {
    const { quote } = this.#dialect
    const wording = wordings[this.#database]
    const entity = table.source.name
    const action = (sql: string, witness: Action['witness']): Action => ({
      phase: 'foreignKeysOff',
      sql,
      entity,
      witness,
    })
    // The database has made an index of its own where there was none.
    const isIndexed = partsOf(table).some(
      ({ kind, item }) =>
        kind !== 'check' && 'columns' in item && columns.every((column, at) => item.columns[at] === column),
    )
    const off = action(wording.dropForeignKey(quote(table.name), quote(name)), {
      kind: 'noForeignKey',
      table: table.name,
      name,
    })
    if (!wording.indexesForeignKeys || isIndexed) return [off]
    return [
      off,
      action(`ALTER TABLE ${quote(table.name)} DROP INDEX ${quote(name)}`, {
        kind: 'noIndex',
        table: table.name,
        name,
      }),
    ]
  }

  #foreignKeyOn(table: Table, key: ForeignKey): Action {
    const sql = `ALTER TABLE ${this.#dialect.quote(table.name)} ADD ${foreignKeyText(key, this.#dialect)}`
    const witness = { kind: 'foreignKey', table: table.name, name: key.name } as const
    return { phase: 'foreignKeys', sql, entity: table.source.name, witness }
  }

  /** Names of keys follow those of tables and columns. */
  #keyRenames(parts: ReadonlyMap<TablePair, PartChanges<Part>>): Action[] {
    const wording = wordings[this.#database]
    if (!wording.renamesKeys) return []
    const renames = [...parts].flatMap(([pair, { remaining }]): Rename<Named & { after: Table }>[] => {
      const about = { table: pair.before, after: pair.after }
      const foreign = foreignKeyChanges(pair, this.#targets, one => this.isRewritten(one), this.#dialect, wording)
      return [
        ...remaining.map(({ before, after }) => ({
          of: { ...about, kind: before.kind },
          from: before.item.name,
          to: after.item.name,
        })),
        ...foreign.remaining.map(({ before, after }) => ({
          of: { ...about, kind: 'foreignKey' as const },
          from: before.name,
          to: after.name,
        })),
        ...this.#sequences(pair).map(({ from, to }) => ({ of: { ...about, kind: 'sequence' as const }, from, to })),
      ]
    })
    const { fold } = this.#dialect.names
    const used = new Set(
      this.#before.tables.flatMap(table => [
        ...partsOf(table).map(({ item }) => fold(item.name)),
        ...table.foreignKeys.map(({ name }) => fold(name)),
        ...table.columns.flatMap(column => (column.identity ? fold(this.#sequenceOf(table, column)) : [])),
      ]),
    )
    const { first, last } = orderedRenames(renames, used, fold, 500_000)
    return [
      ...first.flatMap(one => this.#keyRenamed('keysOff', one.of.table, one)),
      ...last.flatMap(one => this.#keyRenamed('keys', one.of.after, one)),
    ]
  }

  #keyRenamed(phase: Phase, table: Table, { of, from, to }: Rename<Named>): Action[] {
    const { quote } = this.#dialect
    const entity = of.table.source.name
    const statements =
      of.kind === 'sequence'
        ? [`ALTER SEQUENCE IF EXISTS ${quote(from)} RENAME TO ${quote(to)}`]
        : wordings[this.#database].renamePart(quote(table.name), of.kind, from, to, this.#dialect)
    return statements.map(sql => ({ phase, sql, entity, witness: null }))
  }

  #sequences({ columns, before, after }: TablePair): { from: string; to: string }[] {
    if (this.#dialect.impliedName === null) return []
    return columns
      .filter(one => one.before.identity && one.after.identity)
      .map(one => ({ from: this.#sequenceOf(before, one.before), to: this.#sequenceOf(after, one.after) }))
  }

  #sequenceOf(table: Table, { name, sequence }: Column): string {
    return sequence ?? this.#dialect.impliedName?.(table.name, name, 'seq') ?? ''
  }

  /** Last, unless a new table needs a name. */
  #drops(dropped: readonly Table[]): Action[] {
    const { quote, names } = this.#dialect
    const needed = new Set(
      this.#after.tables.flatMap(table => [table.name, ...partsOf(table).map(({ item }) => item.name)]).map(names.fold),
    )
    return dropped.map(table => {
      const own = [table.name, ...partsOf(table).map(({ item }) => item.name)]
      return {
        phase: own.some(name => needed.has(names.fold(name))) ? 'renames' : 'drops',
        sql: `DROP TABLE ${quote(table.name)}`,
        entity: table.source.name,
        witness: { kind: 'noTable', table: table.name },
      }
    })
  }

  /** Indexes and comments also of rewritten tables. */
  #creations(rewritten: readonly Table[], added: readonly Table[]): Action[] {
    const dialect = this.#dialect
    return [
      ...added.flatMap(table =>
        compileSchema({ name: '', tables: [{ ...table, foreignKeys: [] }] }, dialect).tables.map((sql): Action => ({
          phase: 'tables',
          sql,
          entity: table.source.name,
          witness: { kind: 'table', table: table.name },
        })),
      ),
      ...[...added, ...rewritten].flatMap(table => {
        const [indexes, comments] = [createIndexes(table, dialect), dialect.comments(table)]
        const [index] = table.indexes
        return [
          ...indexes.map((sql): Action => ({
            phase: 'keys',
            sql,
            entity: table.source.name,
            witness: index ? { kind: 'index', table: table.name, name: index.name } : null,
          })),
          ...comments.map((sql): Action => ({ phase: 'comments', sql, entity: table.source.name, witness: null })),
        ]
      }),
    ]
  }
}
