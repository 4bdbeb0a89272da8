import { afterAll, beforeAll, expect, it } from 'vitest'
import { biographyLimits, getAttributeBiography } from '@cadmus/model/contract/biography'
import { entityEdits, saveChanges } from '@cadmus/model/contract/edits'
import { addEntityVersion, createEntity, deleteEntity, getEntity } from '@cadmus/model/contract/entity'
import { addManifestVersion, createManifest } from '@cadmus/model/contract/manifest'
import { buildManifest } from '@cadmus/model/contract/package'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { entityContentSchema } from '@cadmus/model/entity'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { aRelationship } from '../testing/entities.ts'
import { built } from '../testing/packages.ts'

describeOnBothStores.whenProving('The history of an attribute', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let colleague: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    colleague = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  let count = 0
  const created = async (entity: object = {}, targetManifestId = -1) => {
    const body = { entity: { name: `Life${++count}`, ...entity }, targetManifestId }
    return (await designer.call(createEntity, { body })).entity
  }
  const contentOf = async (id: number) =>
    entityContentSchema.parse(JSON.parse((await designer.call(getEntity, { params: { id } })).entity.content))
  const columnOf = async (id: number, name: string) => {
    const column = (await contentOf(id)).typeAttributes.find(each => each.name === name)
    if (!column) throw new Error(`There is no attribute ${name}.`)
    return column
  }
  const save = async (id: number, edits: readonly EntityEdit[], client = designer, more: object = {}) => {
    const body = { format: editFormat, operationId: newUid(), base: '*', edits: [...edits], ...more }
    return (await client.call(entityEdits.save, { params: { id }, body })).entry
  }
  const change = (uid: string, fields: object): EntityEdit => ({
    kind: 'changeAttributes',
    changes: [{ uid, change: fields }],
  })
  const biography = async (id: number, uid: string) => designer.call(getAttributeBiography, { params: { id, uid } })

  it('lists who changed which field from which value, with cause and former names, and no change of other attributes', async () => {
    const { id } = await created({ typeAttributes: [{ name: 'dob' }, { name: 'other' }] })
    const { uid } = await columnOf(id, 'dob')
    const other = await columnOf(id, 'other')
    const renamed = await save(id, [change(uid, { name: 'birthDate' })], colleague)
    await save(id, [change(other.uid, { description: 'of another attribute' })])
    const cause = { kind: 'undo' as const, sequence: renamed?.sequence ?? 0 }
    await save(id, [change(uid, { name: 'dob', description: 'again' })], designer, { cause })
    const { events, formerNames, names, more } = await biography(id, uid)
    expect(events.map(({ kind, changes }) => ({ kind, changes }))).toEqual([
      {
        kind: 'changed',
        changes: [
          { field: 'name', before: 'birthDate', after: 'dob' },
          { field: 'description', before: '', after: 'again' },
        ],
      },
      { kind: 'changed', changes: [{ field: 'name', before: 'dob', after: 'birthDate' }] },
      { kind: 'added', changes: [] },
    ])
    expect(events.map(event => event.cause)).toEqual([cause, null, null])
    const [own, theirs] = events.map(({ actor }) => actor.name)
    expect(own).not.toBe(theirs)
    expect(formerNames.map(({ name }) => name)).toEqual(['birthDate', 'dob'])
    expect(names?.api).toBe('dob')
    expect(more).toBe(false)
  })

  it('follows moves to other entities and back, removal and return', async () => {
    const [one, two] = [await created({ typeAttributes: [{ name: 'code' }] }), await created()]
    const item = await columnOf(one.id, 'code')
    const { uid } = item
    const removal: EntityEdit = { kind: 'removeAttributes', uids: [uid] }
    const addition = (name: string): EntityEdit => ({
      kind: 'addAttributes',
      added: [{ item: { ...item, name }, before: null }],
    })
    const move = async (from: number, to: number, name: string) => {
      const changes = [
        { kind: 'entity' as const, id: from, base: '*', edits: [removal] },
        { kind: 'entity' as const, id: to, base: '*', edits: [addition(name)] },
      ]
      await designer.call(saveChanges, { body: { format: editFormat, operationId: newUid(), changes } })
    }
    await move(one.id, two.id, 'moved')
    await save(two.id, [change(uid, { name: 'later' })])
    await move(two.id, one.id, 'later')
    await save(one.id, [removal])
    await save(one.id, [addition('later')])
    const { events, formerNames } = await biography(one.id, uid)
    expect(events.map(({ kind, entity, from }) => [kind, entity.id, from])).toEqual([
      ['returned', one.id, null],
      ['removed', one.id, null],
      ['moved', one.id, two.name],
      ['changed', two.id, null],
      ['moved', two.id, one.name],
      ['added', one.id, null],
    ])
    expect(formerNames.map(({ name }) => name)).toEqual(['moved', 'code'])
  })

  it('gives names in SQL by database, and the first versions and build with the attribute', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Life${++count}` } })
    const { id } = await created({ typeAttributes: [{ name: 'first' }] }, manifest.id)
    await designer.call(addEntityVersion, { params: { id }, query: { version: '2.0.0' } })
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '2.0.0' } })
    const name = 'ROWID'
    const item = { ...(await columnOf(id, 'first')), uid: newUid(), name }
    await save(id, [{ kind: 'addAttributes', added: [{ item, before: null }] }])
    const before = await biography(id, item.uid)
    expect(before.since).toEqual({ entity: null, manifests: [], builds: [] })
    await designer.call(addEntityVersion, { params: { id }, query: { version: '3.0.0' } })
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '3.0.0' } })
    const { packageId } = await designer.call(buildManifest, { params: { id: manifest.id }, body: {} })
    const { name: packageName } = await built(designer, packageId)
    const { since, names } = await biography(id, item.uid)
    expect(since).toMatchObject({
      entity: { version: '2.0.0' },
      manifests: [{ id: manifest.id, name: manifest.name, version: '2.0.0' }],
      builds: [{ name: packageName }],
    })
    expect(names?.api).toBe(name)
    const inSql = new Map(names?.sql.map(({ database, name: column }) => [database, column]))
    expect(inSql.get('PostgreSQL')).toBe(name)
    expect(inSql.get('Oracle')).toMatch(/^ROWID_[\da-f]{8}$/)
    const first = await biography(id, (await columnOf(id, 'first')).uid)
    expect(first.since).toMatchObject({ entity: { version: '1.0.0' }, manifests: [{ version: '1.0.0' }] })
  })

  it('covers relationships, and attributes that no longer exist', async () => {
    const target = await created()
    const { id } = await created({ entityAttributes: [aRelationship(target, 'targetId')] })
    const [relationship] = (await contentOf(id)).entityAttributes
    const uid = relationship?.uid ?? ''
    const renaming = { uid, change: { foreignKeyTypeAttribute: 'ownerId' } }
    await save(id, [{ kind: 'changeRelationships', changes: [renaming] }])
    await save(id, [{ kind: 'removeRelationships', uids: [uid] }])
    const { events, formerNames, names } = await biography(id, uid)
    expect(events.map(({ kind }) => kind)).toEqual(['removed', 'changed', 'added'])
    expect(formerNames.map(({ name }) => name)).toEqual(['targetId'])
    expect(names).toBeNull()
  })

  it('lists a bounded number of changes, the newest, and says that there may be more', async () => {
    const { id } = await created({ typeAttributes: [{ name: 'code' }] })
    const { uid } = await columnOf(id, 'code')
    const last = biographyLimits.events
    for (let index = 0; index <= last; index++) await save(id, [change(uid, { description: `text ${index}` })])
    const { events, more } = await biography(id, uid)
    expect(more).toBe(true)
    expect(events).toHaveLength(last)
    expect(events[0]?.changes).toEqual([{ field: 'description', before: `text ${last - 1}`, after: `text ${last}` }])
    expect(events.at(-1)?.changes).toMatchObject([{ field: 'description', after: 'text 1' }])
  })

  it('is 404 for another organisation, a deleted entity, and an attribute that was never there', async () => {
    const { id } = await created({ typeAttributes: [{ name: 'code' }] })
    const { uid } = await columnOf(id, 'code')
    const outsider = await server.as('admin')
    const params = { id, uid }
    expect((await outsider.refusal(getAttributeBiography, { params })).status).toBe(404)
    const unknown = { id, uid: newUid() }
    expect((await designer.refusal(getAttributeBiography, { params: unknown })).status).toBe(404)
    const pattern = { id, uid: '%' }
    expect((await designer.refusal(getAttributeBiography, { params: pattern })).status).toBe(400)
    await designer.call(deleteEntity, { params: { id } })
    expect((await designer.refusal(getAttributeBiography, { params })).status).toBe(404)
  })
})
