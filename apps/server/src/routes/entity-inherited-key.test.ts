import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addRelationship,
  createEntity,
  createEntityByWizard,
  deleteEntity,
  getEntity,
} from '@cadmus/model/contract/entity'
import { createManifest } from '@cadmus/model/contract/manifest'
import { previewExport } from '@cadmus/model/contract/manifest-transfer'
import { automaticKey } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, type EntityBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('An entity that inherits a key gets no id of its own', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let count = 0
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const fresh = (name: string) => `${name}${++count}`
  const create = async (name: string, entity: Partial<EntityBody['entity']> = {}, targetManifestId = -1) =>
    (await designer.call(createEntity, { body: { entity: { name: fresh(name), ...entity }, targetManifestId } })).entity
  const key = (name: string, dataType: 'integer' | 'string' = 'string') =>
    ({ name, dataType, purpose: 'identifiedBy' }) as const
  const ownNames = ({ typeAttributes }: { typeAttributes: readonly { name: string }[] }) =>
    typeAttributes.map(({ name }) => name)
  const keys = (entity: { resolvedAttributes?: { name: string; isPrimaryKey: boolean }[] | undefined }) =>
    (entity.resolvedAttributes ?? []).filter(({ isPrimaryKey }) => isPrimaryKey).map(({ name }) => name)

  it('a subtype created directly, by the wizard or over several generations gets no id if it inherits a key', async () => {
    const first = await create('First', { typeAttributes: [key('code')] })
    expect(ownNames(first)).toEqual(['code'])
    const second = await create('Second', { extendsEntity: { id: first.id }, typeAttributes: [{ name: 'title' }] })
    expect([ownNames(second), second.primaryKey, keys(second)]).toEqual([['title'], 'code', ['code']])
    const body = { entity: { name: fresh('Third'), extendsEntity: { id: second.id } } }
    const { entity: third } = await designer.call(createEntityByWizard, { body })
    expect([ownNames(third), third.primaryKey, keys(third)]).toEqual([[], 'code', ['code']])
    const query = { typeAttributeFilter: 'UNRESOLVED' } as const
    const { entity: bare } = await designer.call(getEntity, { params: { id: third.id }, query })
    expect([bare.primaryKey, bare.resolvedAttributes]).toEqual(['code', undefined])
  })

  it('a subtype of a predefined or custom entity gets no id if it inherits a key', async () => {
    const id = await addPredefined(server, {
      name: fresh('Core'),
      typeAttributes: [{ ...automaticKey(), name: 'coreId' }],
    })
    const subtype = await create('Heir', { extendsEntity: { id } })
    expect([ownNames(subtype), subtype.primaryKey]).toEqual([[], 'coreId'])
  })

  it('a subtype without an inherited key gets an id; a second key is rejected', async () => {
    const id = await addPredefined(server, {
      name: fresh('Keyless'),
      typeAttributes: [newTypeAttribute({ name: 'note', position: 0 })],
    })
    const subtype = await create('Heir', { extendsEntity: { id } })
    expect([ownNames(subtype), subtype.primaryKey]).toEqual([['id'], 'id'])
    const parent = await create('Parent')
    const entity = { name: fresh('Given'), extendsEntity: { id: parent.id }, typeAttributes: [key('own')] }
    const { status, answer } = await designer.refusal(createEntity, { body: { entity } })
    const message = `${entity.name} has the key "own" and inherits the key "id" from ${parent.name}. An entity can have only one key: make "own" an ordinary attribute first.`
    expect([status, answer.message, answer.errors]).toEqual([400, message, [{ path: 'entity.extendsEntity', message }]])
    // An own attribute that hides the inherited key leaves the entity without one.
    const hiding = await create('Hiding', { extendsEntity: { id: parent.id }, typeAttributes: [{ name: 'ID' }] })
    expect([hiding.primaryKey, keys(hiding)]).toEqual(['ID', ['ID']])
  })

  it('the table of a subtype uses the inherited key, also for references, and keeps it when the base entity is deleted', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: fresh('Inheriting') } })
    const parent = await create('Base', { typeAttributes: [key('code', 'integer')] }, manifest.id)
    const subtype = await create(
      'Derived',
      { extendsEntity: { id: parent.id }, typeAttributes: [{ name: 'title' }] },
      manifest.id,
    )
    const related = await create('Related', {}, manifest.id)
    await designer.call(addRelationship, {
      params: { id: related.id },
      body: aRelationship(subtype, 'derivedCode', 'code'),
      ifMatch: '*',
    })
    const body = { databaseType: 'postgresql' as const }
    const { script, notes } = await designer.call(previewExport, { params: { id: manifest.id }, body })
    const table = script.slice(script.indexOf(`CREATE TABLE "${subtype.name}"`))
    expect(table.slice(0, table.indexOf(';'))).toMatch(/PRIMARY KEY \("code"\)/)
    expect(table.slice(0, table.indexOf(';'))).not.toMatch(/"id"/)
    expect(script).toMatch(new RegExp(`FOREIGN KEY \\("derivedCode"\\) REFERENCES "${subtype.name}" \\("code"\\)`))
    expect(notes).toBe(0)
    await designer.call(deleteEntity, { params: { id: parent.id }, query: { onReferences: 'keep' } })
    const { entity: left } = await designer.call(getEntity, { params: { id: subtype.id } })
    expect([ownNames(left), left.primaryKey]).toEqual([['code', 'title'], 'code'])
  })
})
