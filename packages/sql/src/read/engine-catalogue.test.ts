import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { describe, expect, it } from 'vitest'
import type { ScriptDatabase } from '../databases.ts'
import { type EngineCatalogue, mariadbCatalogue, postgresCatalogue } from '../testing/catalogue.ts'
import type { Database } from '../testing/engines.ts'
import { mariadbScripts, postgresScripts } from '../testing/varied-scripts.ts'
import { readScript } from './script.ts'
import type { SqlColumn, SqlModel } from './sql-model.ts'

async function expectSame(database: Database, script: string, dialect: ScriptDatabase): Promise<void> {
  try {
    await database.execute(script)
    const rows = (statement: string) => database.query(statement)
    const catalogue = dialect === 'mysql' ? await mariadbCatalogue(rows) : await postgresCatalogue(rows)
    const model = readScript(script, dialect)
    expect(shapeOf(model)).toEqual(shapeIn(catalogue))
    expect(model.counts.declared).toEqual(catalogue.counts)
    await expectDefaults(database, model, catalogue, dialect === 'mysql' ? 'char' : 'text')
  } finally {
    await database.drop()
  }
}

function shapeOf({ tables }: SqlModel) {
  const single = tables.flatMap(table => {
    const keys = table.columns.filter(({ isKey }) => isKey)
    return keys.length === 1 ? [`${table.name}(${keys[0]?.name})`] : []
  })
  return {
    columns: tables.flatMap(table => table.columns.map(column => columnText(table.name, column))).toSorted(),
    keys: single.toSorted(),
    references: tables
      .flatMap(table =>
        table.columns.flatMap(({ name, reference }) =>
          reference
            ? [
                referenceText(table.name, tables[reference.table]?.name ?? '', [
                  [name, reference.column],
                  ...reference.further.map(pair => [pair.name, pair.target] as const),
                ]),
              ]
            : [],
        ),
      )
      .toSorted(),
  }
}

function columnText(table: string, column: SqlColumn): string {
  const { name, dataType, format, maxLength, precision, scale, nullable, description } = column
  const size =
    precision === null
      ? maxLength === null
        ? ''
        : `(${maxLength})`
      : `(${[precision, ...(scale === null ? [] : [scale])].join(',')})`
  // The catalogue does not tell whether each value is full.
  const type = format === null || format === 'fixed' ? dataType : format
  return `${table}.${name} ${type}${size}${nullable ? '' : ' required'} ${description}`.trimEnd()
}

/** The columns in the order of their names, each with its target. */
function referenceText(table: string, target: string, pairs: readonly (readonly [string, string])[]): string {
  const sorted = pairs.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${table}(${sorted.map(([name]) => name).join()}) -> ${target}(${sorted.map(([, name]) => name).join()})`
}

function inOrder(reference: string): string {
  const [, table = '', columns = '', target = '', others = ''] = /^(.*)\((.*)\) -> (.*)\((.*)\)$/.exec(reference) ?? []
  const targets = others.split(',')
  return referenceText(
    table,
    target,
    columns.split(',').map((name, at) => [name, targets[at] ?? '']),
  )
}

/** Keys of several columns are counted only. */
function shapeIn({ columns, keys, references }: EngineCatalogue) {
  const isSingle = (text: string) => !text.includes(',')
  return {
    columns: columns
      .map(({ table, name, type, nullable, comment, default: value }) =>
        `${table}.${name} ${type === 'string(36)' && value === 'uuid()' ? 'guid' : type}${nullable ? '' : ' required'} ${comment}`.trimEnd(),
      )
      .toSorted(),
    keys: keys.filter(isSingle).toSorted(),
    references: references.map(inOrder).toSorted(),
  }
}

const computed = {
  now: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/,
  today: /^\d{4}-\d{2}-\d{2}$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
}

/** Default values are those that the engine gives; computed ones are alike. */
async function expectDefaults(
  database: Database,
  { tables }: SqlModel,
  { columns }: EngineCatalogue,
  text: string,
): Promise<void> {
  for (const { name: table, columns: read } of tables)
    for (const { name, format, defaultValue, defaultKind } of read) {
      const expression = columns.find(column => column.table === table && column.name === name)?.default ?? null
      if (defaultKind !== 'literal') {
        const type = defaultKind === 'today' ? 'date' : text
        const [row] = await database.query(`SELECT CAST(CAST(${expression} AS ${type}) AS ${text}) AS value`)
        expect(String(row?.['value'])).toMatch(computed[defaultKind])
        continue
      }
      // A type can have a default value, too.
      if (defaultValue === null || expression === null) continue
      const [row] = await database.query(`SELECT CAST(${expression} AS ${text}) AS value`)
      const value = format === 'binary' ? Buffer.from(defaultValue, 'base64').toString() : defaultValue
      expect(`${table}.${name} ${plain(row?.['value'])}`).toBe(`${table}.${name} ${plain(value)}`)
    }
}

function plain(value: unknown): string {
  const text = value === '{}' ? '[]' : String(value).replace('\u0001', '1').replace(/\.0+$/, '')
  if (text === 'true' || text === 'false') return text === 'true' ? '1' : '0'
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text.replace(' ', 'T')
}

describe.skipIf(!postgresAvailability().present)('A script of PostgreSQL is read as its catalogue has it', () => {
  it.each(Object.entries(postgresScripts))('%s', async (_, script) => {
    const server = await startPostgres()
    try {
      await expectSame(await server.createDatabase(), script, 'postgresql')
    } finally {
      await server.stop()
    }
  })
})

describe.skipIf(!mariadbAvailability().present)('A script of MariaDB is read as its catalogue has it', () => {
  it.each(Object.entries(mariadbScripts))('%s', async (_, script) => {
    const server = await startMariadb()
    try {
      await expectSame(await server.createDatabase(), script, 'mysql')
    } finally {
      await server.stop()
    }
  })
})
