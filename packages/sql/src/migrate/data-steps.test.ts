import { databaseTypes } from '@cadmus/model/database-types'
import { readCondition } from '@cadmus/model/conditions/text'
import { type DataStep, stepsBetween } from '@cadmus/model/data-steps'
import {
  aCheck,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aResolvedModel,
  aTypeAttribute,
} from '@cadmus/model/testing/builders'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { h2Availability } from '@cadmus/testing/availability'
import { startH2 } from '@cadmus/testing/h2'
import { expect, it } from 'vitest'
import { databaseStatements } from '../script.ts'
import { mssqlForH2, oracleForH2 } from '../testing/h2-scripts.ts'
import { migrationPlan } from './plan.ts'
import { migrationScript } from './script.ts'

const key = aKey({ uid: 'key' })
const text = (uid: string, fields: Partial<TypeAttribute> = {}) =>
  aTypeAttribute({ uid, name: uid, nullable: true, ...fields })
const valueOf = (written: string) => {
  const read = readCondition(written)
  if ('fault' in read) throw new Error(read.fault)
  return read.condition
}
const of = (name: string) => ({ uid: name, attribute: { uid: name, name } })

/** The plan between two versions of one entity; attributes in texts of steps are known by name. */
function planned(
  before: readonly TypeAttribute[],
  after: readonly TypeAttribute[],
  dataSteps: DataStep[],
  { database = 'postgresql', isDown = false }: { database?: (typeof databaseTypes)[number]; isDown?: boolean } = {},
) {
  const model = (attributes: readonly TypeAttribute[]) =>
    aResolvedModel([anEntity({ id: 1, uid: 'person', name: 'Person', typeAttributes: aList(key, ...attributes) })])
  const sides = [
    { attributes: before, steps: [] },
    { attributes: after, steps: dataSteps },
  ].map(({ attributes, steps }) => ({
    ...databaseStatements(model(attributes), database, { applyAutoIncrement: false }),
    stepped: { manifests: [{ dataSteps: steps, enumerations: [] }], entities: [] },
  }))
  const [from, to] = isDown ? sides.toReversed() : sides
  if (!from || !to) throw new Error('There are no sides.')
  return { from, to, plan: migrationPlan(from.schema, to.schema, database, stepsBetween(from.stepped, to.stepped)) }
}

const named: DataStep[] = [
  { kind: 'derive', ...of('first'), from: valueOf("part(name, ' ', 1)"), back: null },
  { kind: 'derive', ...of('last'), from: valueOf("part(name, ' ', 2)"), back: null },
  { kind: 'derive', ...of('name'), from: null, back: valueOf("concat(coalesce(first, ''), ' ', coalesce(last, ''))") },
  { kind: 'fill', ...of('rank'), value: valueOf('7') },
  {
    kind: 'map',
    ...of('paid'),
    values: [
      { from: 'true', to: '1' },
      { from: 'false', to: '0' },
    ],
  },
]
const before = [text('name', { maxLength: 80 }), text('paid', { dataType: 'boolean' })]
const after = [
  text('first', { maxLength: 80 }),
  text('last', { maxLength: 80 }),
  text('rank', { dataType: 'integer', nullable: false }),
  text('paid', { dataType: 'integer' }),
]

it('every database computes the steps up, without a loss, and asks for what may not fit', () => {
  for (const database of databaseTypes) {
    const { plan } = planned(before, after, named, { database })
    expect([database, plan.refused]).toEqual([database, []])
    const steps = plan.steps.map(({ grade, text: step }) => `${grade}: ${step}`)
    expect([database, steps]).toEqual([
      database,
      expect.arrayContaining([
        "rewrites: 'first' of 'Person' becomes part(name, ' ', 1).",
        "rewrites: 'name' of 'Person' is dropped: data steps carry its values.",
        "rewrites: 'rank' of 'Person' gets 7 where it has no value.",
        "rewrites: 'paid' of 'Person' is mapped: 'true' becomes '1', 'false' becomes '0'.",
      ]),
    ])
    expect(plan.steps.filter(({ grade }) => grade === 'losesData')).toEqual([])
    expect(migrationScript(plan, database, [])).not.toBe('')
  }
})

it('down computes what the steps say, and loses the rest', () => {
  const { plan } = planned(before, after, named, { isDown: true })
  expect(plan.steps.map(({ grade, text: step }) => `${grade}: ${step}`)).toEqual(
    expect.arrayContaining([
      "rewrites: 'name' of 'Person' becomes concat(coalesce(first, ''), ' ', coalesce(last, '')).",
      "rewrites: 'first' of 'Person' is dropped: data steps carry its values.",
      "losesData: 'rank' of 'Person' is dropped with its values.",
      "rewrites: 'paid' of 'Person' is mapped back: '1' becomes 'true', '0' becomes 'false'.",
    ]),
  )
})

it('of values that several became, the way back counts those that are not certain', () => {
  const values = [
    { from: 'red', to: 'warm' },
    { from: 'orange', to: 'warm' },
    { from: 'blue', to: 'cold' },
  ]
  const colour = (...choices: string[]) => [text('colour', { choices })]
  const sides = [colour('red', 'orange', 'blue'), colour('warm', 'cold')] as const
  const { plan } = planned(...sides, [{ kind: 'map', ...of('colour'), values }], { isDown: true })
  expect(plan.steps.filter(({ grade }) => grade === 'losesData')).toMatchObject([
    {
      attribute: 'colour',
      question: `SELECT COUNT(*) FROM (SELECT 1 AS n FROM ${fromWithData()} WHERE "colour" = 'warm') q`,
    },
  ])
})

function fromWithData(): string {
  const value = `CASE WHEN "colour" = 'warm' THEN 'red' WHEN "colour" = 'cold' THEN 'blue' ELSE "colour" END`
  return `(SELECT "Person".*, ${value} AS "cadmus_data_0" FROM "Person") "cadmus_records"`
}

it('says which values are mapped back, and which stay because they may have been themselves', () => {
  const values = [
    { from: 'yes', to: 'true' },
    { from: 'no', to: 'false' },
  ]
  const textsOf = (...steps: DataStep[]) =>
    planned([text('vip')], [text('vip')], steps, { isDown: true }).plan.steps.map(one => one.text)
  const step = { kind: 'map', ...of('vip') } as const
  expect(textsOf({ ...step, values })).toEqual([
    "'vip' of 'Person' is not mapped back: its values stay.",
    "'vip' of 'Person' had several values that became each of 'true', 'false': which one is lost.",
  ])
  const swapped = [...values, { from: 'true', to: 'yes' }]
  expect(textsOf({ ...step, values: swapped })).toContain(
    "'vip' of 'Person' is mapped back: 'true' becomes 'yes', 'yes' becomes 'true'.",
  )
})

it('values that the type before does not have are mapped back without loss', () => {
  const values = [
    { from: 'true', to: 'J' },
    { from: 'false', to: 'N' },
  ]
  const step: DataStep = { kind: 'map', ...of('vip'), values }
  const { plan } = planned([text('vip', { dataType: 'boolean' })], [text('vip')], [step], { isDown: true })
  expect(plan.steps.map(({ text: one }) => one)).toContain(
    "'vip' of 'Person' is mapped back: 'J' becomes 'true', 'N' becomes 'false'.",
  )
  expect(plan.steps.filter(({ grade }) => grade === 'losesData')).toEqual([])
})

it('without a way back, a changed type loses its values, which is counted', () => {
  const sides = [[text('value', { dataType: 'boolean' })], [text('value', { dataType: 'integer' })]] as const
  const step: DataStep = { kind: 'derive', ...of('value'), from: valueOf('1'), back: null }
  expect(planned(...sides, [step]).plan.refused).toEqual([])
  const { plan } = planned(...sides, [step], { isDown: true })
  expect(plan).toMatchObject({ refused: [] })
  expect(plan.steps.filter(({ grade }) => grade === 'losesData')).toMatchObject([
    {
      text: "'value' of 'Person' is dropped with its values.",
      question: expect.stringContaining('"value" IS NOT NULL'),
    },
  ])
})

it.each([
  [
    'missing',
    "Data step of 'first': It needs 'missing', which the tables before do not have. Go through the version between first.",
  ],
  ['paid + 1', "Data step of 'first': 'paid + 1': + needs a number."],
])('a step with %s is refused with its reason', (value, fault) => {
  const step: DataStep = { kind: 'derive', ...of('first'), from: valueOf(value), back: null }
  const { plan } = planned(before, [...before, text('first')], [step])
  expect(plan).toMatchObject({ refused: [fault], actions: [] })
})

const h2 = h2Availability()
it.skipIf(!h2.present).each([
  ['oracle', 'Oracle'],
  ['mssql', 'MSSQLServer'],
] as const)(`H2 computes the values as %s would ${h2.advice}`, async (database, mode) => {
  const { from, plan } = planned(before, after, named, { database })
  const copying = plan.actions.slice(0, plan.actions.findIndex(({ sql }) => sql.startsWith('INSERT')) + 1)
  const adapt = database === 'oracle' ? oracleForH2 : mssqlForH2
  const engine = startH2(mode)
  const created = await engine.createDatabase()
  try {
    const quote = (name: string) => (database === 'oracle' ? `"${name}"` : `[${name}]`)
    const rows = [`1, 'Ada Lovelace King', 1`, `2, 'Plato', 0`, '3, NULL, NULL']
    const inserts = rows.map(row => `INSERT INTO ${quote('Person')} VALUES (${row})`)
    const script = [...from.statements, ...inserts, ...copying.map(({ sql }) => sql)].map(sql => `${sql};\n`).join('')
    await created.execute(
      adapt(script)
        .replace(/DATALENGTH\(/g, '2 * CHAR_LENGTH(')
        .replace(/TO_NUMBER\(/g, '('),
    )
    const columns = ['id', 'first', 'last', 'rank'].map(quote).join(', ')
    const records = await created.query(`SELECT ${columns} FROM ${quote('cadmus_aside_0')} ORDER BY 1`)
    expect(records.map(record => Object.values(record).map(String))).toEqual([
      ['1', 'Ada', 'Lovelace', '7'],
      ['2', 'Plato', 'null', '7'],
      ['3', 'null', 'null', '7'],
    ])
  } finally {
    await created.drop()
    await engine.stop()
  }
})

it('checks are tested on the values that the steps give', () => {
  const step: DataStep = { kind: 'derive', ...of('rank'), from: valueOf('length(name)'), back: null }
  const entity = (attributes: readonly TypeAttribute[], checks: ReturnType<typeof aCheck>[] = []) =>
    databaseStatements(
      aResolvedModel([
        anEntity({ id: 1, uid: 'person', name: 'Person', typeAttributes: aList(key, ...attributes), checks }),
      ]),
      'postgresql',
      { applyAutoIncrement: false },
    ).schema
  const [old, now] = [entity(before), entity([...before, text('rank', { dataType: 'integer' })], [aCheck('rank > 3')])]
  const steps = stepsBetween(
    { manifests: [], entities: [] },
    { manifests: [{ dataSteps: [step], enumerations: [] }], entities: [] },
  )
  const { steps: all } = migrationPlan(old, now, 'postgresql', steps)
  expect(all.find(({ grade }) => grade === 'mayFail')?.question).toBe(
    'SELECT COUNT(*) FROM (SELECT 1 AS n FROM (SELECT "Person".*, (CHAR_LENGTH("name")) AS "cadmus_data_0" FROM "Person") "cadmus_records" WHERE NOT ("cadmus_data_0" > 3)) q',
  )
})

it('a step for a foreign key is no loss where its target stays', () => {
  const town = anEntity({ id: 2, uid: 'town', name: 'Town', typeAttributes: aList(aKey({ uid: 'town key' })) })
  const schemaOf = (nullable: boolean) => {
    const home = aRelationship(town, { uid: 'home', position: 1, nullable, foreignKeyTypeAttribute: 'home' })
    const person = anEntity({
      id: 1,
      uid: 'person',
      name: 'Person',
      typeAttributes: aList(key),
      entityAttributes: [home],
    })
    return databaseStatements(aResolvedModel([person, town]), 'postgresql', { applyAutoIncrement: false }).schema
  }
  const step = { kind: 'fill' as const, attribute: of('home').attribute, value: valueOf('7') }
  const { refused, steps } = migrationPlan(schemaOf(true), schemaOf(false), 'postgresql', [step])
  expect(refused).toEqual([])
  expect(steps.filter(({ grade }) => grade === 'losesData')).toEqual([])
  expect(steps.map(({ text: what }) => what)).toContain("'home' of 'Person' gets 7 where it has no value.")
})
