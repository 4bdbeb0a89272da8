import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Column, ColumnType, Schema } from '@cadmus/sql/tree'
import type { Availability } from '@cadmus/testing/availability'

// For tests only: programs of others that read databases or scripts and write TypeScript, installed apart from the product.

const FOLDER = fileURLToPath(new URL('../../../../bench/peers/readers/', import.meta.url))
const MODULES = join(FOLDER, 'node_modules')
const run = promisify(execFile)

export function outsideReaders(): Availability {
  const present = existsSync(join(MODULES, 'kysely-codegen'))
  const install = 'npm install --no-package-lock --prefix bench/peers/readers'
  return { present, advice: present ? '' : `outside-readers is not installed: ${install}` }
}

/** The columns as `table.column: type`, in order. */
export type TypedColumns = string[]

/** drizzle-kit's schema of a PostgreSQL database, written to `folder`: columns, and its numbers of foreign keys and unique constraints. */
export async function readByDrizzle(url: string, folder: string) {
  await runTool('drizzle-kit', ['introspect', '--dialect=postgresql', `--url=${url}`, `--out=${folder}`], folder)
  const text = readFileSync(join(folder, 'schema.ts'), 'utf8')
  const tables = text.split('pgTable(').slice(1)
  return {
    columns: tables.flatMap(table => {
      const [name = '', ...lines] = table.split('\n')
      const columns = lines
        .slice(
          0,
          lines.findIndex(line => line.startsWith('}')),
        )
        .flatMap(line => {
          const [, key, kind, named, rest] = /^\t(\w+): (\w+)\((?:"([^"]+)")?(.*)$/.exec(line) ?? []
          const isRequired = /\.(?:notNull|primaryKey)\(\)/.test(rest ?? '')
          return key === undefined ? [] : [`${named ?? key}: ${kind}${isRequired ? '' : ' | null'}`]
        })
      return columns.map(column => `${JSON.parse(name.slice(0, name.indexOf(',')))}.${column}`)
    }),
    foreignKeys: text.match(/foreignKey\(\{|\.references\(/g)?.length ?? 0,
    uniques: text.match(/\bunique\(/g)?.length ?? 0,
  }
}

/** kysely-codegen's interfaces of a database, written to `folder`; without `Generated`, which it derives from defaults. */
export async function readByKysely(url: string, folder: string): Promise<TypedColumns> {
  const file = join(folder, 'kysely.ts')
  const dialect = url.startsWith('mysql') ? 'mysql' : 'postgres'
  await runTool('kysely-codegen', [`--dialect=${dialect}`, `--url=${url}`, `--out-file=${file}`], folder)
  const text = readFileSync(file, 'utf8')
  const database = blockOf(text, 'DB')
  return [...database.matchAll(/^ {2}(\w+): (\w+);$/gm)].flatMap(([, table, name = '']) =>
    [...blockOf(text, name).matchAll(/^ {2}(\w+): (.+);$/gm)].map(
      ([, column, type = '']) => `${table}.${column}: ${type.replace(/^Generated<(.*)>$/, '$1')}`,
    ),
  )
}

function blockOf(text: string, name: string): string {
  return new RegExp(`export interface ${name} \\{\\n([^]*?)\\n\\}`).exec(text)?.[1] ?? ''
}

/** kanel's interfaces of a PostgreSQL database, written to `folder`; keys with the types that their own types extend. */
export async function readByKanel(url: string, folder: string): Promise<TypedColumns> {
  const config = join(folder, 'kanel.cjs')
  const output = join(folder, 'kanel')
  writeFileSync(
    config,
    `module.exports = ${JSON.stringify({ connection: url, outputPath: output, schemaNames: ['public'] })}`,
  )
  await runTool('kanel', ['-c', basename(config)], folder)
  const files = readdirSync(join(output, 'public')).map(file => readFileSync(join(output, 'public', file), 'utf8'))
  const keys = new Map(
    files.flatMap(text =>
      [...text.matchAll(/^export type (\w+) = (\w+) & /gm)].map(([, key = '', type = '']) => [key, type]),
    ),
  )
  return files.flatMap(text => {
    const [, table] = /Represents the table public\.(\w+)/.exec(text) ?? []
    const [, body = ''] = /export default interface \w+ \{\n([^]*?)\n\}/.exec(text) ?? []
    return [...body.matchAll(/^ {2}(\w+): (.+);$/gm)].map(
      ([, column, type = '']) => `${table}.${column}: ${type.replace(/^\w+/, name => keys.get(name) ?? name)}`,
    )
  })
}

/** The errors that squawk reports for a script; of its advice nothing. */
export async function errorsBySquawk(script: string, folder: string): Promise<string[]> {
  const file = join(folder, 'script.sql')
  writeFileSync(file, script)
  const { stdout } = await run(join(MODULES, '.bin/squawk'), ['--reporter=gcc', file]).catch(
    (error: { stdout: string }) => error,
  )
  const lines = stdout.split('\n').filter(line => line.includes('script.sql:'))
  return lines.filter(line => !/: (?:warning|note): /.test(line))
}

/** The errors of the TypeScript compiler in all files that the readers wrote below `folder`. */
export async function compileErrors(folder: string): Promise<string[]> {
  symlinkSync(MODULES, join(folder, 'node_modules'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ESNext',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    skipLibCheck: true,
    types: ['node'],
  }
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['*/**/*.ts'], exclude: ['node_modules'] }))
  const { stdout } = await run(join(MODULES, '.bin/tsc'), ['-p', config]).catch((error: { stdout: string }) => error)
  return stdout.split('\n').filter(line => line !== '')
}

async function runTool(name: string, args: readonly string[], folder: string): Promise<void> {
  const PATH = `${join(MODULES, '.bin')}:${process.env['PATH'] ?? ''}`
  await run(join(MODULES, '.bin', name), [...args], { cwd: folder, env: { ...process.env, PATH }, timeout: 60_000 })
}

type Kind = Exclude<ColumnType['kind'], 'integer'> | `int${16 | 32 | 64}`
const readers = ['drizzle', 'kysely', 'kyselyOnMariadb', 'kanel'] as const
const typesOf: Readonly<Record<Kind, readonly [string, string, string, string]>> = {
  text: ['text', 'string', 'string', 'string'],
  varchar: ['varchar', 'string', 'string', 'string'],
  guid: ['uuid', 'string', 'string', 'string'],
  boolean: ['boolean', 'boolean', 'number', 'boolean'],
  int16: ['smallint', 'number', 'number', 'number'],
  int32: ['integer', 'number', 'number', 'number'],
  int64: ['bigint', 'Int8', 'number', 'string'],
  decimal: ['numeric', 'Numeric', 'Decimal', 'string'],
  double: ['doublePrecision', 'number', 'number', 'number'],
  date: ['date', 'Timestamp', 'Date', 'Date'],
  timestamp: ['timestamp', 'Timestamp', 'Date', 'Date'],
  instant: ['timestamp', 'Timestamp', 'Date', 'Date'],
  time: ['time', 'string', 'string', 'Date'],
  json: ['jsonb', 'Json', 'string', 'unknown'],
  binary: ['bytea', 'Buffer', 'Buffer', 'Buffer'],
}

/** The columns of a schema as a reader has them. */
export function columnsFor(reader: (typeof readers)[number], { tables }: Schema): TypedColumns {
  const at = readers.indexOf(reader)
  const typeOf = ({ type }: Column) => typesOf[type.kind === 'integer' ? (`int${type.bits}` as const) : type.kind][at]
  return tables.flatMap(table =>
    table.columns.map(column => `${table.name}.${column.name}: ${typeOf(column)}${column.nullable ? ' | null' : ''}`),
  )
}
