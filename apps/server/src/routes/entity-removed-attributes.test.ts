import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '@cadmus/model/configuration'
import { adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import {
  addRelationship,
  createEntity,
  deleteEntity,
  deleteRelationship,
  getEntity,
  updateEntity,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { createManifest, getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { listEntityReferences } from '@cadmus/model/contract/references'
import type { OnReferences } from '@cadmus/model/detach'
import type { EntityContent } from '@cadmus/model/entity'
import { newUid } from '@cadmus/model/uid'
import { setEntityContent } from '../store/entity.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { danglingColumns } from '../testing/dangling-references.ts'
import { aRelationship, type EntityBody, organisationId, relationshipBody, saveBody } from '../testing/entities.ts'

type Fields = Partial<EntityBody['entity']>

describeOnBothStores.whenProving('Removing referenced attributes', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let organisation: number
  let manifest: { id: number }
  beforeAll(async () => {
    // The organisation of the test has the service options.
    server = await startConsole({ store, env: { CADMUS_SERVICE_ORGANISATION: 'ACME' } })
    designer = await server.as('designer')
    organisation = await organisationId(server)
    manifest = (await designer.call(createManifest, { body: { manifestName: 'Taking' } })).manifest
  })
  afterAll(() => server.stop())

  let count = 0
  const create = async (name: string, input: Fields = {}) => {
    const body = { entity: { name: `${name}${++count}`, ...input }, targetManifestId: manifest.id }
    return (await designer.call(createEntity, { body })).entity
  }
  const target = (input: Fields = {}) =>
    create('Target', {
      typeAttributes: [
        { name: 'code', maxLength: 20 },
        { name: 'size', dataType: 'integer' },
      ],
      ...input,
    })
  /** Adds a relationship of an entity to itself, which only imports can create. */
  const referringToItself = async (entity: EntityAnswer, foreignKey: string) => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id: entity.id } })
    const name = `Helper${++count}`
    const helper = await create(name)
    await relate(helper, entity, foreignKey)
    const content: EntityContent = JSON.parse(answer.entity.content)
    const made: EntityContent = JSON.parse((await read(helper.id)).content)
    await designer.call(deleteEntity, { params: { id: helper.id } })
    const [relationship] = made.entityAttributes
    const position = content.typeAttributes.length
    const entityAttributes = relationship ? [{ ...relationship, uid: newUid(), position }] : []
    const db = server.context.store.of(organisation)
    const from = { content_hash: etag, latest_version: answer.entity.latestVersion, path: entity.path }
    const change = { id: entity.id, from, content: { ...content, entityAttributes }, path: entity.path }
    await setEntityContent(db, organisation, change, { userName: 'Test' })
  }
  const read = async (id: number) => (await designer.call(getEntity, { params: { id } })).entity
  const relate = async (from: { id: number }, to: { id: number }, foreignKey: string, attribute = 'code') => {
    const relationship = aRelationship(to, foreignKey, attribute)
    const dataType = attribute === 'code' ? ('string' as const) : ('integer' as const)
    const body = { ...relationship, foreignKeyAttribute: { ...relationship.foreignKeyAttribute, dataType } }
    await designer.call(addRelationship, { params: { id: from.id }, body, ifMatch: '*' })
  }
  const without = (entity: EntityAnswer, name: string): EntityBody => {
    const { typeAttributes = [] } = saveBody(entity).entity
    return saveBody(entity, { typeAttributes: typeAttributes.filter(item => item.name !== name) })
  }
  const take = async (entity: EntityAnswer, name: string, onReferences?: OnReferences) => {
    const query = onReferences ? { onReferences } : {}
    const body = without(await read(entity.id), name)
    return designer.call(updateEntity, { params: { id: entity.id }, query, body, ifMatch: '*' })
  }
  const refused = async (entity: EntityAnswer, body: EntityBody) => {
    const call = { params: { id: entity.id }, body, ifMatch: '*' }
    const { status, answer } = await designer.refusal(updateEntity, call)
    expect([status, answer.code]).toEqual([409, 'references'])
    return answer.references ?? []
  }
  const columns = async ({ id }: { id: number }) => (await read(id)).typeAttributes.map(({ name }) => name)
  const uidOf = (entity: EntityAnswer, name: string) => entity.typeAttributes.find(item => item.name === name)?.uid
  async function build(change?: (build: ReturnType<typeof readConfiguration>['configurationBuild']) => void) {
    const params = { id: manifest.id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const body = readConfiguration(answer.manifestProperties)
    if (!change) return body.configurationBuild
    change(body.configurationBuild)
    await designer.call(saveManifestConfiguration, { params, body, ifMatch: etag })
    return body.configurationBuild
  }
  const newest = async (limit: number) =>
    server.context.store
      .of(organisation)
      .selectFrom('audit_entry')
      .select(['change_id', 'target_id', 'description'])
      .where('organisation_id', '=', organisation)
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute()

  it('the removal of a referenced attribute is rejected with all references until a choice is made', async () => {
    const hub = await target()
    const referrer = await create('Referrer')
    await relate(referrer, hub, 'goneCode')
    await build(properties => {
      properties.aggregateQueries = [
        { name: 'codes', entity: hub.name, columns: [{ field: 'code', type: 'COUNT', alias: 'n' }] },
      ]
    })
    const code = { uid: uidOf(hub, 'code'), name: 'code' }
    const to = { id: hub.id, name: hub.name, attribute: code }
    const references = await refused(hub, without(hub, 'code'))
    expect(references).toEqual([
      expect.objectContaining({
        kind: 'relationship',
        document: 'entity',
        id: referrer.id,
        item: 'goneCode',
        target: to,
      }),
      expect.objectContaining({
        kind: 'aggregateQuery',
        document: 'manifest',
        id: manifest.id,
        item: 'codes',
        target: to,
      }),
    ])
    expect(references[0]?.itemUid).toBe((await read(referrer.id)).entityAttributes[0]?.uid)
    expect(await columns(hub)).toEqual(['id', 'code', 'size'])
    const query = { attributes: [code.uid, newUid()].join(',') }
    const listed = await designer.call(listEntityReferences, { params: { id: hub.id }, query })
    expect(listed).toEqual({ references, totalElements: 2 })
    const size = { attributes: uidOf(hub, 'size') }
    expect((await designer.call(listEntityReferences, { params: { id: hub.id }, query: size })).references).toEqual([])
    await take(hub, 'size')
    const stranger = server.bootstrap('GLOBEX')
    expect((await stranger.refusal(listEntityReferences, { params: { id: hub.id }, query })).status).toBe(404)
    await take(hub, 'code', 'keep')
    expect((await build()).aggregateQueries).toEqual([])
  })

  it('onReferences=keep turns the relationship into an attribute of the same identity, in one change', async () => {
    const hub = await target()
    const referrer = await create('Referrer')
    await relate(referrer, hub, 'goneCode')
    const [relationship] = (await read(referrer.id)).entityAttributes
    await take(hub, 'code', 'keep')
    const after = await read(referrer.id)
    expect(after.entityAttributes).toEqual([])
    expect(after.typeAttributes.at(-1)).toMatchObject({ uid: relationship?.uid, name: 'goneCode', maxLength: 20 })
    const entries = await newest(2)
    expect(new Set(entries.map(entry => entry.change_id)).size).toBe(1)
    expect(new Set(entries.map(entry => entry.target_id))).toEqual(new Set([hub.id, referrer.id]))
    expect(entries[0]?.description).toBe(`Removed references to ${hub.name}.code, which was deleted.`)
    expect(await danglingColumns(server, organisation)).toEqual([])
  })

  it('onReferences=remove deletes the column and references to that column, in cycles too', async () => {
    const hub = await target()
    const first = await create('First')
    const second = await create('Second')
    await relate(first, hub, 'toGone')
    await relate(second, first, 'toFirst', 'toGone')
    await relate(first, second, 'toSecond', 'toFirst')
    await take(hub, 'code', 'remove')
    expect((await read(first.id)).entityAttributes).toEqual([])
    expect((await read(second.id)).entityAttributes).toEqual([])
    expect([await columns(first), await columns(second)]).toEqual([['id'], ['id']])
    expect(await danglingColumns(server, organisation)).toEqual([])
  })

  it('a save accepts a choice per attribute in the body and rejects the remaining references', async () => {
    const hub = await target()
    const referrer = await create('Referrer')
    await relate(referrer, hub, 'byCode')
    await relate(referrer, hub, 'bySize', 'size')
    const body = saveBody(await read(hub.id), { typeAttributes: [] })
    const onReferencesTo = { [uidOf(hub, 'code') ?? '']: 'keep' as const }
    const references = await refused(hub, { ...body, onReferencesTo })
    expect(references.map(({ item }) => item)).toEqual(['bySize'])
    const both = { ...onReferencesTo, [uidOf(hub, 'size') ?? '']: 'remove' as const }
    await designer.call(updateEntity, {
      params: { id: hub.id },
      body: { ...body, onReferencesTo: both },
      ifMatch: '*',
    })
    expect(await columns(referrer)).toEqual(['id', 'byCode'])
  })

  it('a rename or replacement is not treated as a removal: relationships follow the name', async () => {
    const renamed = await target()
    const referrer = await create('Referrer')
    await relate(referrer, renamed, 'byCode')
    const { typeAttributes = [] } = saveBody(renamed).entity
    const named = (name: string, uid?: string) =>
      typeAttributes.map(item =>
        item.name === 'code' || item.name === 'number' ? { ...item, uid: uid ?? item.uid, name } : item,
      )
    const save = (attributes: typeof typeAttributes) =>
      designer.call(updateEntity, {
        params: { id: renamed.id },
        body: saveBody(renamed, { typeAttributes: attributes }),
        ifMatch: '*',
      })
    await save(named('number'))
    expect((await read(referrer.id)).entityAttributes[0]?.associatedEntityTypeAttribute).toBe('number')
    const fresh = newUid()
    await save(named('number', fresh))
    expect((await read(referrer.id)).entityAttributes[0]).toMatchObject({
      associatedEntityTypeAttribute: 'number',
      associatedEntityTypeAttributeUid: fresh,
    })
    expect(await danglingColumns(server, organisation)).toEqual([])
    // Another attribute that takes a removed attribute's name is a new one.
    const now = saveBody(await read(renamed.id)).entity.typeAttributes ?? []
    const swapped = now.flatMap(item => {
      if (item.name === 'number') return []
      return [item.name === 'size' ? { ...item, name: 'number' } : item]
    })
    await refused(renamed, saveBody(renamed, { typeAttributes: swapped }))
  })

  it('includes references to inherited attributes of subtypes, also after they stop extending', async () => {
    const parent = await target()
    const subtype = await create('Heir', { extendsEntity: { id: parent.id } })
    const referrer = await create('Referrer')
    await relate(referrer, subtype, 'byCode')
    expect((await refused(parent, without(parent, 'code'))).map(({ id, target: to }) => [id, to.id])).toEqual([
      [referrer.id, subtype.id],
    ])
    const alone = saveBody(await read(subtype.id), { extendsEntity: null })
    expect((await refused(subtype, alone)).map(({ item }) => item)).toEqual(['byCode'])
    await designer.call(updateEntity, {
      params: { id: subtype.id },
      query: { onReferences: 'keep' },
      body: alone,
      ifMatch: '*',
    })
    expect(await columns(referrer)).toEqual(['id', 'byCode'])
    expect(await danglingColumns(server, organisation)).toEqual([])
  })

  it('lists references before an entity stops extending, with choices by uid in the save', async () => {
    const parent = await target()
    const subtype = await create('Heir', { extendsEntity: { id: parent.id } })
    const grandchild = await create('Grandchild', { extendsEntity: { id: subtype.id } })
    const [one, two, other] = [await create('Referrer'), await create('Referrer'), await create('Referrer')]
    await relate(one, subtype, 'byCode')
    await relate(two, grandchild, 'byCode')
    await relate(other, parent, 'byCode')
    const requested = async (id: number) => {
      const query = { inherited: 'true' as const }
      return designer.call(listEntityReferences, { params: { id }, query })
    }
    const { references, totalElements } = await requested(subtype.id)
    expect(references.map(({ id, target: to }) => [id, to.id])).toEqual([
      [one.id, subtype.id],
      [two.id, grandchild.id],
    ])
    expect(totalElements).toBe(2)
    expect((await requested(parent.id)).references).toEqual([])
    const alone = saveBody(await read(subtype.id), { extendsEntity: null })
    const onReferencesTo = Object.fromEntries(
      references.map(({ target: to }) => [to.attribute?.uid ?? '', 'keep' as const]),
    )
    const body = { ...alone, onReferencesTo }
    await designer.call(updateEntity, { params: { id: subtype.id }, body, ifMatch: '*' })
    expect([await columns(one), await columns(two), await columns(other)]).toEqual([
      ['id', 'byCode'],
      ['id', 'byCode'],
      ['id'],
    ])
    expect(await danglingColumns(server, organisation)).toEqual([])
  })

  it('the removal of a referenced attribute does not affect a relationship to the former base entity', async () => {
    const parent = await target()
    const subtype = await create('Heir', { extendsEntity: { id: parent.id } })
    const both = await create('Referrer')
    await relate(subtype, parent, 'parentCode')
    await relate(both, subtype, 'heirCode')
    await relate(both, parent, 'parentCode')
    const query = { inherited: 'true' as const }
    const { references } = await designer.call(listEntityReferences, { params: { id: subtype.id }, query })
    expect(references.map(({ id, item }) => [id, item])).toEqual([[both.id, 'heirCode']])
    const [mine, theirs] = [(await read(subtype.id)).entityAttributes, (await read(both.id)).entityAttributes[1]]
    const body = saveBody(await read(subtype.id), { extendsEntity: null })
    await designer.call(updateEntity, {
      params: { id: subtype.id },
      query: { onReferences: 'keep' },
      body,
      ifMatch: '*',
    })
    const moved = mine.map(item => ({ ...item, position: item.position + 1 }))
    expect((await read(subtype.id)).entityAttributes).toEqual(moved)
    expect((await read(both.id)).entityAttributes).toEqual([theirs])
    expect(await danglingColumns(server, organisation)).toEqual([])
  })

  it('includes references of the entity to itself, unless removed in the same save', async () => {
    const self = await target()
    await referringToItself(self, 'parentCode')
    const entity = await read(self.id)
    expect((await refused(self, without(entity, 'code'))).map(({ id, item }) => [id, item])).toEqual([
      [self.id, 'parentCode'],
    ])
    const both = without(entity, 'code')
    await designer.call(updateEntity, {
      params: { id: self.id },
      body: { ...both, entity: { ...both.entity, entityAttributes: [] } },
      ifMatch: '*',
    })
    const other = await target()
    await referringToItself(other, 'parentCode')
    const { answer, etag } = await designer.callWithTag(updateEntity, {
      params: { id: other.id },
      query: { onReferences: 'keep' },
      body: without(await read(other.id), 'code'),
      ifMatch: '*',
    })
    expect(answer.entity.typeAttributes.map(({ name }) => name)).toEqual(['id', 'size', 'parentCode'])
    expect((await designer.callWithTag(getEntity, { params: { id: other.id } })).etag).toBe(etag)
  })

  it('unlinks alternative targets', async () => {
    const main = await target()
    const other = await target()
    const referrer = await create('Referrer')
    await relate(referrer, main, 'byCode')
    const body = saveBody(await read(referrer.id))
    const alternative = {
      entity: { id: other.id, uid: other.uid, name: other.name, path: other.path },
      attribute: 'code',
    }
    const entityAttributes = (await read(referrer.id)).entityAttributes.map(item => ({
      ...relationshipBody(item),
      alternativeTargets: [alternative],
    }))
    await designer.call(updateEntity, {
      params: { id: referrer.id },
      body: { ...body, entity: { ...body.entity, entityAttributes } },
      ifMatch: '*',
    })
    expect((await refused(other, without(other, 'code'))).map(({ kind }) => kind)).toEqual(['alternativeTarget'])
    await take(other, 'code', 'remove')
    expect((await read(referrer.id)).entityAttributes[0]?.alternativeTargets).toEqual([])
    expect((await read(referrer.id)).entityAttributes).toHaveLength(1)
  })

  it('applies to foreign keys of removed relationships too', async () => {
    const first = await create('First')
    const second = await create('Second')
    const third = await create('Third')
    await relate(second, first, 'toFirst', 'id')
    await relate(third, second, 'toSecond', 'toFirst')
    const input = {
      params: { id: second.id, associatedEntityId: first.id },
      query: { associatedAttributeName: 'toFirst' },
      ifMatch: '*',
    }
    const { status, answer } = await designer.refusal(deleteRelationship, input)
    expect([status, answer.code, answer.references?.map(({ id }) => id)]).toEqual([409, 'references', [third.id]])
    await designer.call(deleteRelationship, { ...input, query: { ...input.query, onReferences: 'keep' } })
    expect(await columns(third)).toEqual(['id', 'toSecond'])
  })

  it('applies to a type change that foreign keys do not support', async () => {
    const turned = await target()
    const referrer = await create('Referrer')
    await relate(referrer, turned, 'byCode')
    const { typeAttributes = [] } = saveBody(turned).entity
    const body = saveBody(turned, {
      typeAttributes: typeAttributes.map(item =>
        item.name === 'code' ? { ...item, dataType: 'boolean' as const, maxLength: null } : item,
      ),
    })
    expect((await refused(turned, body)).map(({ item }) => item)).toEqual(['byCode'])
    await designer.call(updateEntity, {
      params: { id: turned.id },
      query: { onReferences: 'keep' },
      body,
      ifMatch: '*',
    })
    expect((await read(referrer.id)).entityAttributes).toEqual([])
    expect(await columns(turned)).toEqual(['id', 'code', 'size'])
  })

  it('deletes the column from queries and exclusions by the key, and keeps others', async () => {
    const hub = await target()
    await build(properties => {
      const column = (field: string) => ({ field, type: 'COUNT' as const, alias: `n${field}` })
      properties.aggregateQueries = [
        { name: 'both', entity: hub.name, columns: [column('code'), column('size')] },
        { name: 'one', entity: hub.name, columns: [column('code')] },
      ]
      properties.apiConfiguration.excludeOperations = [`${hub.name}.code.get`, `${hub.name}.post`]
      properties.serviceConfiguration.sotEntities = [hub.name]
    })
    expect((await refused(hub, without(hub, 'code'))).map(({ kind, item }) => [kind, item])).toEqual([
      ['aggregateQuery', 'both'],
      ['aggregateQuery', 'one'],
      ['excludedOperation', `${hub.name}.code.get`],
    ])
    await take(hub, 'code', 'remove')
    const left = await build()
    expect(left.aggregateQueries.map(query => [query.name, query.columns.map(({ field }) => field)])).toEqual([
      ['both', ['size']],
    ])
    expect(left.apiConfiguration.excludeOperations).toEqual([`${hub.name}.post`])
    expect(left.serviceConfiguration.sotEntities).toEqual([hub.name])
  })

  it("follows the same rules in an administrator's JSON content", async () => {
    const hub = await target()
    const referrer = await create('Referrer')
    await relate(referrer, hub, 'byCode')
    const admin = await server.as('admin', 'ACME')
    const content: { typeAttributes: { name: string }[] } = JSON.parse((await read(hub.id)).content)
    content.typeAttributes = content.typeAttributes.filter(({ name }) => name !== 'code')
    const input = { body: { id: hub.id, content: JSON.stringify(content) }, ifMatch: '*' }
    expect((await admin.refusal(adminUpdateEntityContent, input)).answer.code).toBe('references')
    const other = { ...input.body, onReferencesTo: { [newUid()]: 'remove' as const } }
    const refused = await admin.refusal(adminUpdateEntityContent, { ...input, body: other })
    expect(refused.answer.code).toBe('references')
    // A choice for one attribute takes precedence over the general one.
    const reported = { ...input.body, onReferencesTo: { [uidOf(hub, 'code') ?? '']: 'remove' as const } }
    await admin.call(adminUpdateEntityContent, { ...input, body: reported, query: { onReferences: 'keep' } })
    expect(await columns(referrer)).toEqual(['id'])
  })

  it('removing an attribute with a concurrent new reference rejects or unlinks the reference', async () => {
    for (let round = 0; round < 5; round++) {
      const hub = await target()
      const referrer = await create('Chaser')
      const relationship = aRelationship(hub, 'byCode', 'code')
      const foreignKeyAttribute = { ...relationship.foreignKeyAttribute, dataType: 'string' as const }
      const pointing = designer.send(addRelationship, {
        params: { id: referrer.id },
        body: { ...relationship, foreignKeyAttribute },
        ifMatch: '*',
      })
      const taking = designer.send(updateEntity, {
        params: { id: hub.id },
        query: { onReferences: 'keep' },
        body: without(hub, 'code'),
        ifMatch: '*',
      })
      const [pointed, taken] = await Promise.all([pointing, taking])
      expect([200, 400]).toContain(pointed.status)
      expect(taken.status).toBe(200)
      expect(await danglingColumns(server, organisation)).toEqual([])
    }
  })

  it('removing an attribute with a deleted entity redirects references to the columns of subtypes and unlinks the rest', async () => {
    const parent = await target()
    const subtype = await create('Heir', { extendsEntity: { id: parent.id } })
    const grandchild = await create('Grandchild', { extendsEntity: { id: subtype.id } })
    const referrer = await create('Referrer')
    await relate(referrer, subtype, 'byCode')
    await relate(referrer, grandchild, 'bySize', 'size')
    await referringToItself(subtype, 'parentCode')
    await relate(referrer, parent, 'toParent')
    const further = await create('Further')
    await relate(further, referrer, 'toReferrer', 'toParent')
    await build(properties => {
      properties.aggregateQueries = [
        { name: 'heirs', entity: subtype.name, columns: [{ field: 'code', type: 'COUNT', alias: 'n' }] },
      ]
    })
    await designer.call(deleteEntity, { params: { id: parent.id }, query: { onReferences: 'remove' } })
    expect(await danglingColumns(server, organisation)).toEqual([])
    const after = await read(referrer.id)
    expect(after.entityAttributes.map(({ foreignKeyTypeAttribute: name }) => name)).toEqual(['byCode', 'bySize'])
    expect((await read(further.id)).entityAttributes).toEqual([])
    // The query now refers to the subtype's own attribute and follows its renaming.
    const typeAttributes = (saveBody(await read(subtype.id)).entity.typeAttributes ?? []).map(item =>
      item.name === 'code' ? { ...item, name: 'digits' } : item,
    )
    const body = saveBody(await read(subtype.id), { typeAttributes })
    await designer.call(updateEntity, { params: { id: subtype.id }, body, ifMatch: '*' })
    expect((await build()).aggregateQueries.map(({ columns: [first] }) => first?.field)).toEqual(['digits'])
    expect((await read(referrer.id)).entityAttributes[0]?.associatedEntityTypeAttribute).toBe('digits')
  })
})
