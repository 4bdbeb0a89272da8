import { withSettledChecks } from '@cadmus/model/checks'
import { call } from '@cadmus/model/conditions/condition'
import type { EntityNode } from '@cadmus/model/entity'
import type { GroupKind } from '@cadmus/model/group'
import {
  aCheck,
  aResolvedModel,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aTypeAttribute,
} from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alterable, alterationOf } from './alter.ts'
import { instanceSchemaOf } from './instance-schema.ts'
import { refusalText } from './alter-refusals.ts'
import { packageOf } from './testing/packages.ts'
import { runnerEngines, type RunnerServer } from './testing/engine-runners.ts'

type Case = readonly [
  title: string,
  models: { before: readonly EntityNode[]; after: readonly EntityNode[] },
  rows: readonly string[],
  /** The refusal; null if the records can be converted. */
  refusal: string | null,
]

const key = aKey()
const attribute = (changes: Partial<TypeAttribute>) =>
  aTypeAttribute({ name: 'value', uid: 'uid of value', ...changes })
const thing = (...attributes: TypeAttribute[]) => [
  anEntity({ name: 'Thing', uid: 'uid of Thing', typeAttributes: aList(...attributes) }),
]
const values = (from: Partial<TypeAttribute>, to: Partial<TypeAttribute>) => ({
  before: thing(key, attribute({ nullable: true, ...from })),
  after: thing(key, attribute({ nullable: true, ...to })),
})
const checkedValues = (condition: string) => {
  const { before, after } = values(decimals, decimals)
  const checks = [{ ...aCheck(condition), uid: 'check' }]
  return { before, after: after.map(entity => withSettledChecks({ ...entity, checks })) }
}
const decimals = { dataType: 'double', precision: 30, scale: 2 } as const
const valueRows = (...all: string[]) =>
  all.map((value, index) => `INSERT INTO "Thing" ("id", "value") VALUES (${index + 1}, ${value})`)
const numbers = { dataType: 'integer' } as const
const generated = { ...key, name: 'code', uid: 'uid of code', dataType: 'integer' } as const
const codes = {
  before: thing({ ...key, name: 'code', uid: 'uid of code', dataType: 'string' }),
  after: thing(generated),
}
const codeRows = (...all: string[]) => all.map(code => `INSERT INTO "Thing" ("code") VALUES ('${code}')`)

const customer = anEntity({ name: 'Customer', typeAttributes: aList({ ...key, dataType: 'integer' }) })
const relationship = aRelationship(customer, { foreignKeyTypeAttribute: 'customerCode', nullable: true })
const order = (contents: Partial<EntityNode>) => anEntity({ name: 'Order', uid: 'uid of Order', ...contents })
const customerCode = aTypeAttribute({ name: 'customerCode', uid: relationship.uid, nullable: true })
const related = {
  before: [customer, order({ typeAttributes: aList(key, customerCode) })],
  after: [customer, order({ typeAttributes: aList(key), entityAttributes: [{ ...relationship, position: 1 }] })],
}
const relatedRows = (code: string) => [
  'INSERT INTO "Customer" ("id") VALUES (7)',
  `INSERT INTO "Order" ("id", "customerCode") VALUES (1, '${code}')`,
]

const pair = ['first', 'second'].map(name => aTypeAttribute({ name, uid: `uid of ${name}`, nullable: true }))
const grouped = (kind: GroupKind | null) => {
  const members = pair.map(({ uid, name }) => ({ uid, name, descending: false }))
  const groups = kind ? [{ uid: 'group', kind, name: '', members }] : []
  return thing(key, ...pair).map(entity => ({ ...entity, groups }))
}
const together = { before: grouped('index'), after: grouped('unique') }
const pairRows = (...all: string[]) =>
  all.map((row, index) => `INSERT INTO "Thing" ("id", "first", "second") VALUES (${index + 1}, ${row})`)

const cases: readonly Case[] = [
  [
    'equal values that become unique together',
    together,
    pairRows("'a', 'b'", "'a', 'b'", "'a', 'c'"),
    "'first', 'second' of 'Thing' are unique together, which fails if there are records with the same values.",
  ],
  [
    'different and missing values that become unique together',
    together,
    pairRows("'a', 'b'", "'a', 'c'", "'a', NULL", "'a', NULL", 'NULL, NULL', 'NULL, NULL'),
    null,
  ],
  [
    'values that are no longer unique together',
    { before: grouped('unique'), after: grouped(null) },
    pairRows("'a', 'b'"),
    null,
  ],
  [
    'a boolean that is none of its new choices',
    values({ dataType: 'boolean' }, { choices: ['yes', 'no'] }),
    valueRows('NULL', '(1 = 1)'),
    "'value' of 'Thing' is one of its choices, which fails if there are records with none of them.",
  ],
  [
    'a boolean that is one of its new choices',
    values({ dataType: 'boolean' }, { choices: ['true', 'no'] }),
    valueRows('NULL', '(1 = 1)'),
    null,
  ],
  [
    'a text whose number is none of its new choices',
    values({}, { ...numbers, choices: ['1', '2'] }),
    valueRows("'1'", "'n/a'", "'3'"),
    "'value' of 'Thing' is one of its choices, which fails if there are records with none of them.",
  ],
  [
    'equal numbers that become unique texts',
    values({ dataType: 'double' }, { unique: true }),
    valueRows('1.5', '1.5'),
    "'value' of 'Thing' is unique, which fails if there are records with the same value.",
  ],
  [
    'equal texts that become missing numbers',
    values({}, { ...numbers, unique: true }),
    valueRows("'n/a'", "'n/a'"),
    null,
  ],
  [
    'a text whose number identifies no record of its new target',
    related,
    relatedRows('8'),
    "'customerCode' of 'Order' refers to 'Customer', which fails if there are records whose value is none there.",
  ],
  ['a text whose number identifies a record of its new target', related, relatedRows('7'), null],
  ['a text that is no number and gets a new target', related, relatedRows('none'), null],
  [
    'a text that is no number and becomes a generated key',
    codes,
    codeRows('abc', '1'),
    "'code' of 'Thing' is required and has no default, which fails if there are records whose value does not fit its new type.",
  ],
  ['texts of numbers that become generated keys', codes, codeRows('2', '1'), null],
  [
    'an integer of more digits than its new precision',
    values({ ...numbers, precision: 18 }, { ...numbers, precision: 5 }),
    valueRows('NULL', '-99999', '100000'),
    "'value' of 'Thing' is a whole number of at most 5 digits, which fails if there are records with larger ones.",
  ],
  [
    'integers of the digits of their new precision',
    values({ ...numbers, format: 'int32' }, { ...numbers, precision: 9 }),
    valueRows('999999999', '-999999999'),
    null,
  ],
  [
    'an exact decimal that violates a new check',
    checkedValues('value > 0.1 and value * 2 < 99999999999999999999'),
    valueRows("'0.10'", "'49999999999999999999.5'", 'NULL'),
    "Records of 'Thing' meet the check 'ck_Thing_value', which fails if there are records violating it.",
  ],
  [
    'exact decimals that meet a new check',
    checkedValues('value > 0.1 and value * 2 < 99999999999999999999'),
    valueRows("'0.11'", "'49999999999999999999.49'", 'NULL'),
    null,
  ],
  [
    'an integer of more bits than its new format',
    values({ ...numbers, precision: 5 }, { ...numbers, format: 'int16' }),
    valueRows('32768'),
    "'value' of 'Thing' is a whole number of at most 16 bits, which fails if there are records with larger ones.",
  ],
]

describe.each(alterable)('Converted values that break a rule of the new version on %s', dialectName => {
  const engine = runnerEngines[{ sqlite: 'SQLite', postgresql: 'PostgreSQL' }[dialectName]]
  let server: RunnerServer
  beforeAll(async () => {
    if (engine?.availability.present) server = await engine.start()
  })
  afterAll(() => server?.stop())
  const schemaOf = (entities: readonly EntityNode[]) =>
    instanceSchemaOf(packageOf(aResolvedModel(entities), 1), dialectName)

  it.skipIf(!engine?.availability.present).each(cases)(
    'are refused, and others are converted: %s',
    async (_title, models, rows, refusal) => {
      const runner = await server.open([])
      const run = (text: string) => runner.run({ text, parameters: [], answers: 'rows' })
      const before = schemaOf(models.before)
      try {
        await runner.make(before.statements)
        await runner.make(rows)
        const { refusals, statements } = alterationOf(before.schema, schemaOf(models.after).schema, dialectName)
        const texts = []
        for (const { text, query } of refusals) if ((await run(query)).length > 0) texts.push(text)
        expect(texts).toEqual(refusal === null ? [] : [refusal])
        if (refusal !== null) return
        const isSqlite = dialectName === 'sqlite'
        await runner.make([...(isSqlite ? ['PRAGMA foreign_keys = OFF'] : []), ...statements])
        // PostgreSQL checks foreign keys by itself.
        expect(isSqlite ? await run('PRAGMA foreign_key_check') : []).toEqual([])
      } finally {
        await runner.close()
      }
    },
  )
})

it('a reason names the number of records, up to a thousand', () => {
  const schemaOf = (entities: readonly EntityNode[]) =>
    instanceSchemaOf(packageOf(aResolvedModel(entities), 1), 'sqlite').schema
  const required = values({}, { nullable: false })
  const unique = values({}, { unique: true })
  const condition = call('=', { kind: 'attribute', uid: 'uid of value', name: 'value' }, { kind: 'text', value: 'a' })
  const checks = [{ uid: 'check', name: '', message: '', condition }]
  const checked = { before: values({}, {}).before, after: values({}, {}).after.map(one => ({ ...one, checks })) }
  const reason = (models: typeof required, count: number) =>
    alterationOf(schemaOf(models.before), schemaOf(models.after), 'sqlite').refusals.map(one => refusalText(one, count))
  const claim = "'value' of 'Thing' is required and has no default, and there"
  expect([1, 41, 1000, 1001].flatMap(count => reason(required, count))).toEqual([
    `${claim} is 1 record without it.`,
    `${claim} are 41 records without it.`,
    `${claim} are 1,000 records without it.`,
    `${claim} are more than 1,000 records without it.`,
  ])
  expect(reason(together, 2)).toEqual([
    "'first', 'second' of 'Thing' are unique together, and there are 2 combinations of values of several records.",
  ])
  expect([1, 2].flatMap(count => reason(checked, count))).toEqual([
    "Records of 'Thing' meet the check 'ck_Thing_value', and there is 1 record violating it.",
    "Records of 'Thing' meet the check 'ck_Thing_value', and there are 2 records violating it.",
  ])
  expect(reason(unique, 2)).toContain("'value' of 'Thing' is unique, and there are 2 values of several records.")
})
