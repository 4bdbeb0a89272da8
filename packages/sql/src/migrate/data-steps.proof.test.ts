import { type Expression, call } from '@cadmus/model/conditions/condition'
import { type DataStep, stepsBetween } from '@cadmus/model/data-steps'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { type Random, seededRandom } from '@cadmus/model/testing/seeded-random'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { isFault, readLiteral } from '@cadmus/model/values/literal'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { describe, expect, it } from 'vitest'
import { alterationOf } from '../alter.ts'
import { databases, type RunDatabase } from '../databases.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { wireOf } from '../queries/values.ts'
import { databaseStatements } from '../script.ts'
import { packageOf } from '../testing/packages.ts'
import { runnerEngines } from '../testing/engine-runners.ts'
import type { Runner } from '../testing/runners.ts'
import type { Schema } from '../tree.ts'
import { migrationPlan } from './plan.ts'
import { migrationPieces } from './script.ts'

const count = proofCount('data_steps', 8, 500)

/** Three versions of one entity, with the values of records as an API writes them, by uid. */
type Value = string | null
type Row = Map<string, Value>
type Version = { columns: TypeAttribute[]; steps: DataStep[] }
type Random3 = { versions: Version[]; converters: ((row: Row) => void)[]; rows: Row[] }

const words = ['red', 'light blue', 'a-b-c', "it's", 'Ünï code', 'x', '-', ' lead', 'no separator']
const types = {
  text: { dataType: 'string', maxLength: 60 },
  long: { dataType: 'string' },
  integer: { dataType: 'integer', format: 'int32' },
  decimal: { dataType: 'double', format: 'decimal', precision: 12, scale: 2 },
  boolean: { dataType: 'boolean' },
  date: { dataType: 'dateTime', format: 'date' },
} as const satisfies Record<string, Partial<TypeAttribute>>
type TypeName = keyof typeof types

const valuesOf: Record<TypeName, readonly string[]> = {
  text: words,
  long: words,
  integer: ['0', '7', '-12', '2000000'],
  decimal: ['0', '1.5', '-12.25', '99999'],
  boolean: ['true', 'false'],
  date: ['2024-02-29', '1999-12-31'],
}

class Generator {
  readonly #random: Random
  readonly typeOf = new Map<string, TypeName>()
  #number = 0

  constructor(random: Random) {
    this.#random = random
  }

  column(type: TypeName, nullable: boolean, name = this.#fresh('c')): TypeAttribute {
    const uid = this.#fresh('uid ')
    this.typeOf.set(uid, type)
    return aTypeAttribute({ uid, name, ...types[type], nullable })
  }

  #fresh(start: string): string {
    this.#number += 1
    return `${start}${this.#number}`
  }

  all(): Random3 {
    const random = this.#random
    const names = Object.keys(types) as TypeName[]
    const first: Version = {
      columns: Array.from({ length: random.between(3, 6) }, () => this.column(random.pick(names), random.chance(0.6))),
      steps: [],
    }
    const rows = Array.from({ length: 5 }, () => {
      const valueOf = ({ uid, nullable }: TypeAttribute): Value =>
        nullable && random.chance(0.3) ? null : random.pick(valuesOf[this.typeOf.get(uid) ?? 'text'])
      return new Map(first.columns.map(column => [column.uid, valueOf(column)]))
    })
    const [second, one] = this.next(first)
    const [third, two] = this.next(second)
    return { versions: [first, second, third], converters: [one, two], rows }
  }

  next(version: Version): [Version, (row: Row) => void] {
    const random = this.#random
    const columns = version.columns.map(column => ({ ...column }))
    const steps = [...version.steps]
    const converters: ((row: Row) => void)[] = []
    const retyped = new Set<string>()
    const take = (step: DataStep, convert: (row: Row) => void) => {
      steps.push(step)
      converters.push(convert)
    }
    for (let change = random.between(1, 4); change > 0; change -= 1) {
      const step = { uid: this.#fresh('step ') }
      const column = random.pick(columns)
      const type = this.typeOf.get(column.uid) ?? 'text'
      const attribute = { uid: column.uid, name: column.name }
      switch (random.pick(['fill', 'new', 'map', 'retype', 'drop', 'rename'] as const)) {
        case 'fill': {
          const value = random.pick(valuesOf[type])
          column.nullable = false
          take({ kind: 'fill', ...step, attribute, value: literalOf(type, value) }, row =>
            row.set(column.uid, row.get(column.uid) ?? value),
          )
          break
        }
        case 'new': {
          // Sometimes under the name of one that is dropped.
          const sources = version.columns.filter(({ uid }) => !retyped.has(uid) && columns.some(one => one.uid === uid))
          const [expression, made, convert] = this.#expression(sources)
          const added = this.column(made, true)
          if (random.chance(0.4) && columns.length > 2) {
            const gone = columns.find(({ uid }) => version.columns.some(one => one.uid === uid))
            if (gone) {
              added.name = gone.name
              columns.splice(columns.indexOf(gone), 1)
            }
          }
          columns.push(added)
          const of = { uid: added.uid, name: added.name }
          take({ kind: 'derive', ...step, attribute: of, from: expression, back: null }, row =>
            row.set(added.uid, convert(row)),
          )
          break
        }
        case 'map': {
          const [from, to] = [random.pick(valuesOf[type]), random.pick(valuesOf[type])]
          const toNull = column.nullable && random.chance(0.3)
          const values = [{ from, to: toNull ? null : to }]
          take({ kind: 'map', ...step, attribute, values }, row => {
            if (row.get(column.uid) === from) row.set(column.uid, toNull ? null : to)
          })
          break
        }
        case 'retype':
          if (type !== 'boolean') break
          retyped.add(column.uid)
          Object.assign(column, { ...types.integer, dataType: 'integer' })
          this.typeOf.set(column.uid, 'integer')
          take(
            {
              kind: 'map',
              ...step,
              attribute,
              values: [
                { from: 'true', to: '1' },
                { from: 'false', to: '-1' },
              ],
            },
            row => {
              const value = row.get(column.uid)
              if (value === 'true' || value === 'false') row.set(column.uid, value === 'true' ? '1' : '-1')
            },
          )
          break
        case 'drop':
          if (columns.length > 2) columns.splice(columns.indexOf(column), 1)
          break
        case 'rename':
          column.name = this.#fresh('renamed')
          break
      }
    }
    return [{ columns, steps }, row => converters.forEach(convert => convert(row))]
  }

  /** An expression with its type, and what it gives for a record. */
  #expression(sources: readonly TypeAttribute[]): [Expression, TypeName, (row: Row) => Value] {
    const random = this.#random
    const ofType = (...types: TypeName[]) => sources.filter(({ uid }) => types.includes(this.typeOf.get(uid) ?? 'text'))
    const [texts, numbers] = [ofType('text', 'long'), ofType('integer')]
    const named = ({ uid, name }: TypeAttribute): Expression => ({ kind: 'attribute', uid, name })
    const kinds = [
      'literal',
      ...(sources.length > 0 ? (['copy'] as const) : []),
      ...(texts.length > 0 ? (['part', 'join', 'case'] as const) : []),
      ...(numbers.length > 0 ? (['sum'] as const) : []),
    ] as const
    switch (random.pick(kinds)) {
      case 'copy': {
        const source = random.pick(sources)
        return [named(source), this.typeOf.get(source.uid) ?? 'text', row => row.get(source.uid) ?? null]
      }
      case 'part': {
        const source = random.pick(texts)
        const [separator, number] = [random.pick([' ', '-', "'", 'b-', 'ü']), random.between(1, 4)]
        const part = call('part', named(source), literalOf('text', separator), literalOf('integer', String(number)))
        return [part, 'text', row => row.get(source.uid)?.split(separator)[number - 1] ?? null]
      }
      case 'join': {
        const [one, other] = [random.pick(texts), random.pick(texts)]
        const or = (column: TypeAttribute) => call('coalesce', named(column), literalOf('text', '?'))
        const joined = call('concat', or(one), literalOf('text', ', '), or(other))
        return [joined, 'long', row => `${row.get(one.uid) ?? '?'}, ${row.get(other.uid) ?? '?'}`]
      }
      case 'case': {
        const source = random.pick(texts)
        const convert = (text: Value) =>
          text?.replace(/[a-z]/g, letter => letter.toUpperCase()).replace(/^ +| +$/g, '') ?? null
        return [call('upper', call('trim', named(source))), 'text', row => convert(row.get(source.uid) ?? null)]
      }
      case 'sum': {
        const source = random.pick(numbers)
        const sum = call('+', call('*', named(source), literalOf('integer', '2')), literalOf('integer', '1'))
        return [
          sum,
          'decimal',
          row => {
            const value = row.get(source.uid)
            return value === undefined || value === null ? null : String(2 * Number(value) + 1)
          },
        ]
      }
      default: {
        const type = random.pick(['text', 'integer', 'date', 'boolean'] as const)
        const value = random.pick(valuesOf[type])
        return [literalOf(type, value), type, () => value]
      }
    }
  }
}

function literalOf(type: TypeName, value: string): Expression {
  if (type === 'boolean') return { kind: 'boolean', value: value === 'true' }
  return { kind: type === 'integer' || type === 'decimal' ? 'number' : 'text', value }
}

function modelOf({ columns }: Version): ResolvedModel {
  const key = aKey({ uid: 'key' })
  return aResolvedModel([anEntity({ id: 1, uid: 'thing', name: 'Thing', typeAttributes: aList(key, ...columns) })])
}

function steppedOf({ steps }: Version) {
  return { manifests: [{ dataSteps: steps, enumerations: [] }], entities: [] }
}

function schemaOf(version: Version, database: RunDatabase): Schema {
  const model = modelOf(version)
  if (database === 'sqlite') return instanceSchemaOf(packageOf(model, 1), database).schema
  return databaseStatements(model, database, { applyAutoIncrement: false }).schema
}

describe.each(['PostgreSQL', 'MariaDB', 'HSQLDB', 'SQLite'] as const)('Data steps of %s', name => {
  const engine = runnerEngines[name]
  const { present = false, advice = '' } = engine?.availability ?? {}
  it.skipIf(!present)(
    `convert records of ${count} models as a converter of values does, with and without the version between ${advice}`,
    { timeout: 1_000_000 },
    async () => {
      const began = performance.now()
      const server = await engine?.start()
      if (!engine || !server) return
      const counts = { models: 0, converted: 0, records: 0 }
      for (let seed = proofSeed(); counts.models < count; seed += 1) {
        counts.models += 1
        const random = new Generator(seededRandom(seed)).all()
        try {
          for (const path of [
            [0, 1, 2],
            [0, 2],
          ]) {
            const converted = await prove(random, path, engine.dialect, server)
            counts.converted += converted ? 1 : 0
            counts.records += converted ? random.rows.length : 0
          }
        } catch (error) {
          throw new Error(`Seed ${seed}`, { cause: error })
        }
      }
      await server.stop()
      expect(counts.converted).toBeGreaterThan(counts.models)
      recordProof({
        name: `Data steps convert records as a converter of values does on ${name}`,
        counts,
        durationMs: performance.now() - began,
      })
    },
  )
})

/** Whether all values had a place in the columns. */
async function prove(
  { versions, converters, rows }: Random3,
  path: readonly number[],
  database: RunDatabase,
  server: { open(session: readonly string[]): Promise<Runner> },
): Promise<boolean> {
  const { dialect } = databases[database].run
  const runner = await server.open(databases[database].run.queries.session)
  const [start, ...others] = path.map(at => versions[at] as Version)
  try {
    let version = start as Version
    const { statements } =
      database === 'sqlite'
        ? instanceSchemaOf(packageOf(modelOf(version), 1), database)
        : databaseStatements(modelOf(version), database, { applyAutoIncrement: false })
    await runner.make(statements)
    const quoted = (names: readonly string[]) => names.map(dialect.quote).join(', ')
    for (const [at, row] of rows.entries()) {
      const names = version.columns.map(column => column.name)
      const literals = version.columns.map(column => {
        const value = row.get(column.uid) ?? null
        const literal = value === null ? null : readLiteral(value, column)
        if (literal !== null && isFault(literal)) throw new Error(literal.fault)
        return literal === null ? 'NULL' : dialect.literal(literal)
      })
      await runner.make([
        `INSERT INTO ${dialect.quote('Thing')} (${quoted(['id', ...names])}) VALUES (${[at, ...literals].join(', ')})`,
      ])
    }
    for (const next of others) {
      if (!(await migrated(runner, version, next, database, others.length > 1))) return false
      version = next
    }
    const expected = rows.map(row => {
      const values = new Map(row)
      for (const convert of converters) convert(values)
      return version.columns.map(({ uid }) => values.get(uid) ?? null)
    })
    expect(await recordsOf(runner, version, database)).toEqual(expected)
    return true
  } finally {
    await runner.close()
  }
}

/** A version can be skipped unless a step computes with a value whose type only that version has. */
async function migrated(
  runner: Runner,
  from: Version,
  to: Version,
  database: RunDatabase,
  isStepwise: boolean,
): Promise<boolean> {
  const isBetween = (fault: string) => !isStepwise && fault.endsWith('Go through the version between first.')
  const steps = stepsBetween(steppedOf(from), steppedOf(to))
  const [before, after] = [schemaOf(from, database), schemaOf(to, database)]
  const ask = async (text: string) => runner.run({ text, parameters: [], answers: 'rows' })
  if (database === 'sqlite' || database === 'oracle' || database === 'mssql') {
    const { faults, refusals, statements, changes } = alterationOf(before, after, 'sqlite', steps)
    expect(faults.filter(fault => !isBetween(fault))).toEqual([])
    if (faults.length > 0) return false
    for (const { query } of [...refusals, ...changes.filter(({ kind }) => kind === 'misfits')])
      if (query !== null && (await ask(query)).length > 0) return false
    await runner.make(statements)
    return true
  }
  const plan = migrationPlan(before, after, database, steps)
  expect(plan.refused.filter(fault => !isBetween(fault))).toEqual([])
  if (plan.refused.length > 0) return false
  for (const { grade, question } of plan.steps)
    if (grade === 'mayFail' && question !== null && Number((await ask(question))[0]?.[0]) > 0) return false
  const pieces = migrationPieces(plan, database)
  if (pieces.length > 0) await runner.make(pieces.map(({ sql }) => sql))
  return true
}

async function recordsOf(runner: Runner, { columns }: Version, database: RunDatabase): Promise<Value[][]> {
  const { dialect, queries } = databases[database].run
  const { tables } = schemaOf({ columns, steps: [] }, database)
  const stored = columns.map(column => tables[0]?.columns.find(one => one.source.uid === column.uid))
  const read = stored.map(column => (column ? queries.read(dialect.quote(column.name), column.type) : 'NULL'))
  const text = `SELECT ${read.join(', ')} FROM ${dialect.quote('Thing')} ORDER BY ${dialect.quote('id')}`
  const rows = await runner.run({ text, parameters: [], answers: 'rows' })
  return rows.map(row =>
    row.map((value, at) => {
      const type = stored[at]?.type ?? { kind: 'text' as const }
      const wire = wireOf(type.kind === 'varchar' ? { kind: 'text' } : type, value)
      return wire === null ? null : String(wire)
    }),
  )
}
