import type { OperationFault, WireRecord } from '@cadmus/model/api/operation'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { anEntity, aKey, aList, aResolvedModel } from '@cadmus/model/testing/builders'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../api-of.ts'
import { databases, type RunDatabase } from '../databases.ts'
import { instanceSchemaOf } from '../instance-schema.ts'
import { runnerEngines, type RunnerServer } from '../testing/engine-runners.ts'
import { packageOf } from '../testing/packages.ts'
import type { Runner } from '../testing/runners.ts'
import { compileApi } from './compile.ts'
import { PlanFault } from './plan.ts'
import { violatedKeysOf } from './violated-keys.ts'

const fields = ['orderNo', 'lineNo', 'code'].map(name =>
  newTypeAttribute({ name, position: 0, maxLength: 20, nullable: true, unique: name === 'code' }),
)
const members = fields.slice(0, 2).map(({ uid, name }) => ({ uid, name, descending: false }))
const line = {
  ...anEntity({ name: 'Line', typeAttributes: aList(aKey(), ...fields) }),
  groups: [{ uid: 'g', kind: 'unique' as const, name: '', members }],
}
const pair = anEntity({
  name: 'Pair',
  typeAttributes: aList(
    aKey({ name: 'first' }),
    newTypeAttribute({ name: 'second', position: 1, maxLength: 20, purpose: 'identifiedBy' }),
  ),
})

function packageFor(tenancy: boolean) {
  const model = packageOf(aResolvedModel([line, pair]), 1)
  model.configuration.configurationBuild.serviceConfiguration.applyMultiTenancy = tenancy
  return model
}

describe.each(Object.entries(runnerEngines))('On %s', (_, { dialect, availability, start }) => {
  let server: RunnerServer | undefined
  const runners: Runner[] = []
  beforeAll(async () => {
    if (availability.present) server = await start()
  })
  afterAll(async () => {
    for (const runner of runners) await runner.close()
    await server?.stop()
  })

  it.skipIf(!availability.present).each([false, true])(
    `a duplicate names the fields of the violated key; records without a value are none (tenancy: %s) ${availability.advice}`,
    async tenancy => {
      const model = packageFor(tenancy)
      const schema = instanceSchemaOf(model, dialect)
      const compiled = compileApi(apiOf(model), schema, dialect)
      const runner = await server?.open(compiled.session)
      if (!runner) throw new Error('There is no server.')
      runners.push(runner)
      await runner.make(schema.statements)
      const insert = (record: WireRecord, entity = 'Line') => insertInto(runner, compiled, record, tenancy, entity)
      expect(await insert({ orderNo: 'A', lineNo: '1', code: 'x' })).toBeUndefined()
      expect(await insert({ orderNo: 'A', lineNo: '2', code: "for key 'y'" })).toBeUndefined()
      expect(await insert({ orderNo: 'A', lineNo: '1' })).toEqual({
        kind: 'conflict',
        message: 'There is a record with this orderNo and lineNo already.',
        fields: ['orderNo', 'lineNo'],
      })
      expect(await insert({ code: "for key 'y'" })).toMatchObject({
        message: 'There is a record with this code already.',
        fields: ['code'],
      })
      for (let count = 0; count < 2; count += 1) expect(await insert({ orderNo: 'B' })).toBeUndefined()
      expect(await insert({ first: 1, second: 'x' }, 'Pair')).toBeUndefined()
      expect(await insert({ first: 1, second: 'x' }, 'Pair')).toMatchObject({ fields: ['first', 'second'] })
    },
  )

  it.skipIf(!availability.present)(
    `groups of any name become indexes, and constraints that name their fields ${availability.advice}`,
    async () => {
      const model = hardNamed('unique')
      const schema = instanceSchemaOf(model, dialect)
      const compiled = compileApi(apiOf(model), schema, dialect)
      const open = async (statements: readonly string[]) => {
        const runner = await server?.open(compiled.session)
        if (!runner) throw new Error('There is no server.')
        runners.push(runner)
        await runner.make(statements)
        return runner
      }
      await open(instanceSchemaOf(hardNamed('index'), dialect).statements)
      const runner = await open(schema.statements)
      for (const { name, members } of hardGroups('unique')) {
        const fields = members.map(member => member.name)
        const record = Object.fromEntries(fields.map(field => [field, 'same']))
        expect(await insertInto(runner, compiled, record, false)).toBeUndefined()
        const fault = await insertInto(runner, compiled, record, false)
        expect({ name, ...fault }).toMatchObject({ name, kind: 'conflict', fields })
      }
    },
  )
})

/** Names that databases reserve or other things have, with characters that messages put around names. */
const hardNames = [
  'PRIMARY',
  'gen_clust_index',
  'sqlite_line',
  'SQLITE_AUTOINDEX_Line_1',
  'pg_class',
  'SYS_PK_10092',
  'SYS_IDX_1',
  'Line',
  'pk_Line',
  "it's",
  'a.b',
  'uq"; DROP TABLE "Line"; --',
  'SHOP.uq(a)',
  '#sql-1',
  'a backslash \\',
  '表'.repeat(120),
]
const hardFields = [...hardNames, 'last'].map((_, position) =>
  newTypeAttribute({ name: `field${position}`, position, maxLength: 20, nullable: true }),
)

function hardGroups(kind: 'unique' | 'index') {
  return hardNames.map((name, at) => ({
    uid: name,
    kind,
    name,
    members: hardFields.slice(at, at + 2).map(field => ({ uid: field.uid, name: field.name, descending: false })),
  }))
}

function hardNamed(kind: 'unique' | 'index') {
  const entity = anEntity({ name: 'Line', typeAttributes: aList(aKey(), ...hardFields) })
  return packageOf(aResolvedModel([{ ...entity, groups: hardGroups(kind) }]), 1)
}

async function insertInto(
  runner: Runner,
  compiled: ReturnType<typeof compileApi>,
  record: WireRecord,
  tenancy: boolean,
  entity = 'Line',
): Promise<OperationFault | undefined> {
  const operation = { kind: 'insert', entity, record } as const
  const { writes, steps } = compiled.plan(operation, { name: 'ann', tenant: tenancy ? 'a' : null })
  if (writes) await runner.begin()
  try {
    let step = steps.next([])
    while (!step.done) step = steps.next(await runner.run(step.value))
    if (writes) await runner.commit()
    return undefined
  } catch (error) {
    if (writes) await runner.rollback()
    return error instanceof PlanFault ? error.fault : compiled.faultOf(error, operation.entity)
  }
}

it.each<[RunDatabase, string, string?]>([
  [
    'mssql',
    "Violation of UNIQUE KEY constraint 'uq it's (a)'. Cannot insert duplicate key in object 'dbo.Line'.",
    "uq it's (a)",
  ],
  ['oracle', 'ORA-00001: unique constraint (SHOP.uq(a)) violated', 'uq(a)'],
  ['mysql', "Duplicate entry 'x' for key 'Line.uq it's'", "Line.uq it's"],
  [
    'mssql',
    "Violation of UNIQUE KEY constraint 'uq_Line_code'. Cannot insert duplicate key in object 'dbo.Line'. The duplicate key value is (constraint 'x').",
  ],
  [
    'mssql',
    "Cannot insert duplicate key row in object 'dbo.Line' with unique index 'uq_Line_code'. The duplicate key value is (x).",
  ],
  ['oracle', 'ORA-00001: unique constraint (SHOP.uq_Line_code) violated'],
  [
    'oracle',
    "ORA-00001: unique constraint (SHOP.uq_Line_code) violated on table SHOP.Line columns (code)\nORA-03301: row with column values (code:'(A.b) violated')",
  ],
  ['mysql', "Duplicate entry 'for key 'y'' for key 'uq_Line_code'"],
])('the message of %s names the violated key: %s', (dialect, message, name = 'uq_Line_code') => {
  expect(databases[dialect].run.queries.violatedKeyOf(new Error(message))).toBe(name)
})

it('a key is known by its name, alone or after that of its table, or by its columns, unless the text describes two', () => {
  const schema = instanceSchemaOf(packageFor(false), 'mysql').schema
  const names = (description: string, code = 'uq_Line_code') => {
    const renamed = (name: string) => (name === 'uq_Line_code' ? code : name)
    const tables = schema.tables.map(table => ({
      ...table,
      uniques: table.uniques.map(key => ({ ...key, name: renamed(key.name) })),
    }))
    return violatedKeysOf({ ...schema, tables })(description)
  }
  expect(names('uq_Line_code')).toEqual(['code'])
  expect(names('Line.uq_Line_code')).toEqual(['code'])
  expect(names('Line.orderNo, Line.lineNo')).toEqual(['orderNo', 'lineNo'])
  expect(names('Line.code')).toEqual(['code'])
  expect(names('Line.id', 'id')).toBeUndefined()
  expect(names('Line.PRIMARY')).toEqual(['id'])
  expect(names('PRIMARY')).toBeUndefined()
  expect(names('other')).toBeUndefined()
})
