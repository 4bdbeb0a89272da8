import { compareMigration, type ScriptSide } from '@cadmus/model/contract/comparison'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import { createManifest } from '@cadmus/model/contract/manifest'
import { databaseTypes } from '@cadmus/model/database-types'
import { aResolvedModel, anEntity } from '@cadmus/model/testing/builders'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { databaseScript } from '@cadmus/sql/script'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'

let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
})
afterAll(() => server.stop())

const attributes = [
  { name: 'id', dataType: 'integer', purpose: 'identifiedBy', nullable: false },
  { name: 'fullName', maxLength: 80 },
  { name: 'age', dataType: 'integer' },
] as const

let count = 0
async function opened() {
  const body = { manifestName: `Scripted${++count}` }
  const { id } = (await designer.call(createManifest, { body })).manifest
  const entity = { name: 'Customer', typeAttributes: [...attributes] }
  const created = await designer.call(createEntity, { body: { entity, targetManifestId: id } })
  return { id, entityId: created.entity.id }
}

type Database = (typeof databaseTypes)[number]

const now = { kind: 'now' } as const
async function migration(id: number, text: string, database: Database, renames: ScriptSide['renames'] = []) {
  const before = { kind: 'script' as const, text, renames }
  return designer.call(compareMigration, { params: { id }, body: { before, after: now, database } })
}

/** As an export of the same entity writes it. */
function scriptOf(database: Database): string {
  const typeAttributes = attributes.map((fields, position) => newTypeAttribute({ ...fields, position }))
  const model = aResolvedModel([anEntity({ name: 'Customer', typeAttributes })])
  return databaseScript(model, database, { applyAutoIncrement: false }).sql
}

describe('A script as the state before', () => {
  it('of the present state leaves nothing to migrate, on every database', async () => {
    const { id } = await opened()
    for (const database of databaseTypes) {
      const { steps, refused, problems, unpaired } = await migration(id, scriptOf(database), database)
      expect([database, { steps, refused, problems, unpaired }]).toEqual([
        database,
        { steps: [], refused: [], problems: [], unpaired: [] },
      ])
    }
  })

  it('has names that are chosen as renamed, with a suggestion by type and place', async () => {
    const { id, entityId } = await opened()
    const sql = `CREATE TABLE "Client" ("id" BIGINT NOT NULL PRIMARY KEY, "name" VARCHAR(80) NOT NULL, "age" BIGINT NOT NULL);`
    const first = await migration(id, sql, 'postgresql')
    const { entity } = await designer.call(getEntity, { params: { id: entityId } })
    expect(first.unpaired).toEqual([
      { table: 'Client', column: null, candidates: [{ uid: entity.uid, name: 'Customer' }], suggested: entity.uid },
    ])
    const table = { table: 'Client', column: null, uid: entity.uid }
    const second = await migration(id, sql, 'postgresql', [table])
    const name = entity.typeAttributes.find(one => one.name === 'fullName')?.uid ?? ''
    expect(second.unpaired).toEqual([
      { table: 'Client', column: 'name', candidates: [{ uid: name, name: 'fullName' }], suggested: name },
    ])
    const third = await migration(id, sql, 'postgresql', [table, { table: 'client', column: 'name', uid: name }])
    expect(third).toMatchObject({ unpaired: [], refused: [] })
    expect(third.script?.text).toContain('ALTER TABLE "Client" RENAME TO "Customer"')
    expect(third.script?.text).toContain('RENAME COLUMN "name" TO "fullName"')
    expect(third.steps.filter(({ grade }) => grade === 'losesData')).toEqual([])
  })

  it('that creates no tables is refused with the reason', async () => {
    const { id } = await opened()
    const body = { before: { kind: 'script' as const, text: 'hello' }, after: now, database: 'postgresql' as const }
    const refusal = await designer.refusal(compareMigration, { params: { id }, body })
    expect(refusal).toMatchObject({ status: 400 })
    const large = { ...body, before: { ...body.before, text: 'x'.repeat(3_000_000) } }
    expect(await designer.refusal(compareMigration, { params: { id }, body: large })).toMatchObject({ status: 400 })
  })
})
