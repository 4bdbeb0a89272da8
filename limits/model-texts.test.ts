import { readdirSync, readFileSync } from 'node:fs'
import { newEntityContent } from '@cadmus/model/entity'
import { describe, expect, it } from 'vitest'
import { within } from './within.ts'

// Passes texts of 100,000 characters to every rule and parser, found in the sources so that none is missed.

/** Further arguments of functions that need them. */
const others: Readonly<Record<string, readonly unknown[]>> = {
  alias: [{ others: [] }],
  boundedName: [{ min: 2, max: 50 }],
  boundedText: [{ min: 2, max: 50 }],
  builtVersion: [{ taken: ['1.0.0'] }],
  choice: [{ others: ['a'] }],
  compareVersions: ['1.0.0'],
  countUpTo: [100],
  customEntityPath: ['Customer'],
  defaultAlias: ['COUNT'],
  defaultOperations: ['id'],
  describeLicenceChange: ['mc=1'],
  entityName: [{ taken: new Set() }],
  fitsDecimal: [38, 10],
  foreignKeyName: [{ primaryKey: 'id', taken: new Set() }],
  hasMoreFormsThan: [20_000],
  holdsMoreThan: [1_000_000],
  identifierSize: ['postgresql'],
  isDeeperThan: [100],
  isEqual: [''],
  isForUs: ['localhost', { publicUrl: new URL('http://localhost'), port: 80 }],
  isSameReference: [''],
  isTaken: [new Set(['a'])],
  licensedDatabase: [{ databaseTypes: ['mysql'] }],
  matchRank: ['a'],
  manifestName: [{ taken: new Set() }],
  mayDeleteVersion: [['1.0.0'], { allowed: true }],
  newForeignKeyName: ['id', []],
  newVersion: [{ existing: ['1.0.0'] }],
  readEntityContent: [newEntityContent({ name: 'Customer' })],
  readInteger: [64],
  removedScope: [new Set()],
  renamedPath: ['Customer'],
  replacedAttribute: [[]],
  typeAttributeName: [{ taken: new Set() }],
  writeLicence: [{ manifestLimit: 1, rest: false, graphql: false, databaseTypes: ['mysql'] }],
}

const length = 100_000
const half = length / 2
const hostile = [
  '0'.repeat(length),
  `0.${'0'.repeat(length)}x`,
  `${'0'.repeat(half)}1${'0'.repeat(half)}x`,
  '9'.repeat(length),
  `1e${'9'.repeat(length)}`,
  ' '.repeat(length),
  `a${' '.repeat(length)}b`,
  'a'.repeat(length),
  'a_'.repeat(half),
  'A1'.repeat(half),
  '.'.repeat(length),
  '1.'.repeat(half),
  '-'.repeat(length),
  '1-'.repeat(half),
  `2026-01-01T00:00:00.${'0'.repeat(length)}`,
  'Z'.repeat(length),
  '='.repeat(length),
  '/'.repeat(length),
  '|~'.repeat(half),
  ','.repeat(length),
  '\n'.repeat(length),
  '😀'.repeat(half),
  '\ud800'.repeat(length),
  '['.repeat(length),
  `${'['.repeat(half)}${']'.repeat(half)}`,
  `"${'\\u0000'.repeat(20_000)}"`,
]

const sources = new URL('../packages/model/src/', import.meta.url)
const folders = ['./', './rules/', './values/']
const readers = folders.flatMap(folder =>
  readdirSync(new URL(folder, sources))
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap(name => readersIn(folder, name)),
)

function readersIn(folder: string, name: string): { file: string; reader: string }[] {
  const source = readFileSync(new URL(`${folder}${name}`, sources), 'utf8')
  const found = source.matchAll(/^export function (\w+)\(\s*\w+: (?:string\b(?!\[)|string \| null|unknown\b)/gm)
  return Array.from(found, match => ({ file: `${folder}${name}`, reader: match[1] ?? '' }))
}

const types = [
  { dataType: 'integer' },
  { dataType: 'double' },
  { dataType: 'double', precision: 38, scale: 10 },
  { dataType: 'double', format: 'decimal' },
  { dataType: 'dateTime' },
  { dataType: 'dateTime', format: 'date' },
  { dataType: 'dateTime', format: 'time' },
  { dataType: 'string', maxLength: 10 },
  { dataType: 'string', format: 'guid' },
  { dataType: 'string', choices: ['a'] },
  { dataType: 'object' },
  { dataType: 'object', format: 'binary' },
  { dataType: 'boolean' },
].map(type => ({ choices: [], maxLength: null, precision: null, scale: null, format: null, ...type }))

/** Functions that read attribute values. */
const ofTypes = new Set(['computedBy', 'computedNamed', 'defaultValue', 'readLiteral', 'readChoice', 'readDefault'])

describe('every rule and parser handles 100,000 characters', () => {
  it('the list of functions is complete', () => {
    expect(readers.length).toBeGreaterThan(40)
    expect(readers.map(({ reader }) => reader)).toEqual(
      expect.arrayContaining(['defaultValue', 'readDecimal', 'namePattern', 'parseVersion', 'foldName', 'jsonFault']),
    )
  })

  it.each(readers)('$reader in $file handles texts of 100,000 characters', async ({ file, reader }) => {
    const read: unknown = (await import(new URL(file, sources).href))[reader]
    if (typeof read !== 'function') throw new TypeError(`${reader} is not a function.`)
    const calls = ofTypes.has(reader) ? types.map(type => [type]) : [others[reader] ?? []]
    expect(read.length, 'missing arguments in `others`').toBeLessThanOrEqual(1 + (calls[0]?.length ?? 0))
    for (const text of hostile) {
      for (const rest of calls) {
        within(2000, () => ignoringRefusals(() => read(text, ...rest)))
      }
    }
  })
})

/** Refusals are expected; stack overflows are not. */
function ignoringRefusals(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (error instanceof RangeError && /call stack/i.test(error.message)) throw error
  }
}
