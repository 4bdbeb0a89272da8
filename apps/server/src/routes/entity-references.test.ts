import { afterAll, beforeAll, expect, it } from 'vitest'
import { readEntityDocument } from '@cadmus/formats/entity-document'
import {
  addEntityVersion,
  addRelationship,
  createEntity,
  deleteEntity,
  exportEntity,
  getEntity,
  importEntity,
  listEntities,
  updateEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { addEntitiesToManifest, getManifest } from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { messages } from '@cadmus/model/messages'
import { newUid } from '@cadmus/model/uid'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import {
  addManifest,
  aRelationship,
  type EntityBody,
  organisationId,
  relationshipBody,
  saveBody,
} from '../testing/entities.ts'

describeOnBothStores.whenProving('References by uid', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let elsewhere: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    elsewhere = server.bootstrap('GLOBEX')
  })
  afterAll(() => server.stop())

  const create = async (name: string, input: Partial<EntityBody['entity']> = {}, targetManifestId = -1) =>
    (await designer.call(createEntity, { body: { entity: { name, ...input }, targetManifestId } })).entity
  const read = (id: number, client = designer) => client.callWithTag(getEntity, { params: { id } })
  const readEntity = async (id: number, client = designer) => (await read(id, client)).answer.entity
  const save = async (entity: EntityAnswer, changes: Partial<EntityBody['entity']>, ifMatch = '*') =>
    designer.call(updateEntity, { params: { id: entity.id }, body: saveBody(entity, changes), ifMatch })
  const renameColumn = async (entity: EntityAnswer, from: string, to: string) => {
    const { typeAttributes = [] } = saveBody(entity).entity
    await save(entity, {
      typeAttributes: typeAttributes.map(item => (item.name === from ? { ...item, name: to } : item)),
    })
  }
  const targets = ({ entityAttributes }: EntityAnswer) =>
    entityAttributes.map(item => `${item.associatedEntity.name}.${item.associatedEntityTypeAttribute}`)
  const exported = async (id: number, client = designer) => client.call(exportEntity, { params: { id } })
  const imported = async (entityDoc: unknown, client = designer, targetManifest = -1) => {
    const bytes = new TextEncoder().encode(JSON.stringify(entityDoc))
    const files = { entityFile: { name: 'x.json', bytes } }
    return client.call(importEntity, { query: { targetManifest }, files })
  }
  const resolved = async (search: string, client = designer) =>
    (await client.call(listEntities, { query: { filter: 'RESOLVED', search } })).entity.map(({ name }) => name)

  it('show a rename everywhere without writing the referrers', async () => {
    const target = await create('RefTarget', { typeAttributes: [{ name: 'code' }] })
    const subtype = await create('RefHeir', { extendsEntity: { id: target.id } })
    const source = await create('RefSource', {
      entityAttributes: [aRelationship(target, 'direct', 'code'), aRelationship(subtype, 'inherited', 'code')],
    })
    const before = await read(source.id)
    await renameColumn(target, 'code', 'number')
    await save(await readEntity(target.id), { name: 'RefRenamed' })
    const after = await read(source.id)
    expect(after.etag).toBe(before.etag)
    expect(targets(after.answer.entity)).toEqual(['RefRenamed.number', 'RefHeir.number'])
    const { entityDoc } = await exported(source.id)
    expect(JSON.stringify(entityDoc)).toContain('"associatedEntityTypeAttribute":"number"')
  })

  it('references by uid follow attributes whose names are swapped', async () => {
    const target = await create('Swapped', { typeAttributes: [{ name: 'left' }, { name: 'right' }] })
    const source = await create('Swapper', {
      entityAttributes: [aRelationship(target, 'a1', 'left'), aRelationship(target, 'b1', 'right')],
    })
    const other: Record<string, string> = { left: 'right', right: 'left' }
    const { typeAttributes = [] } = saveBody(target).entity
    await save(target, {
      typeAttributes: typeAttributes.map(item => ({ ...item, name: other[item.name ?? ''] ?? item.name })),
    })
    expect(targets(await readEntity(source.id))).toEqual(['Swapped.right', 'Swapped.left'])
  })

  it('resolve an attribute by uid whatever its name; without uid by name', async () => {
    const target = await create('Meant', { typeAttributes: [{ name: 'code' }, { name: 'other' }] })
    const source = await create('Meaning', { entityAttributes: [aRelationship(target, 'meantId', 'code')] })
    const seen = await read(source.id)
    await renameColumn(target, 'code', 'number')
    const [relationship] = seen.answer.entity.entityAttributes
    if (!relationship) throw new Error('There is no relationship.')
    const uid = relationship.associatedEntityTypeAttributeUid
    expect(uid).toBe(target.typeAttributes.find(({ name }) => name === 'code')?.uid)
    const body = { ...relationshipBody(relationship), associatedEntityTypeAttributeUid: uid }
    await save(seen.answer.entity, { description: 'New.', entityAttributes: [body] }, seen.etag)
    const stale = await readEntity(source.id)
    expect([stale.description, ...targets(stale)]).toEqual(['New.', 'Meant.number'])
    await save(stale, { entityAttributes: stale.entityAttributes.map(relationshipBody) })
    const again = aRelationship(target, 'meantId', 'other')
    await save(stale, { entityAttributes: [{ ...again, uid: relationship.uid }] })
    expect(targets(await readEntity(source.id))).toEqual(['Meant.other'])
  })

  it('references by uid keep a target renamed since the read, with its old name and no uid', async () => {
    const target = await create('Stale', { typeAttributes: [{ name: 'code' }] })
    const source = await create('Staler', { entityAttributes: [aRelationship(target, 'staleId', 'code')] })
    const seen = await read(source.id)
    await renameColumn(target, 'code', 'number')
    await save(seen.answer.entity, { description: 'New.' }, seen.etag)
    expect(targets(await readEntity(source.id))).toEqual(['Stale.number'])
  })

  it('reject a uid that the target does not have', async () => {
    const target = await create('Uidless')
    const body = { ...aRelationship(target, 'uidlessId', 'id'), associatedEntityTypeAttributeUid: newUid() }
    const source = await create('UidlessSource')
    const refusal = await designer.refusal(addRelationship, { params: { id: source.id }, body, ifMatch: '*' })
    expect([refusal.status, refusal.answer.message]).toEqual([400, messages.targetAttributeMissing('Uidless', 'id')])
  })

  it('show old names in an old version', async () => {
    const target = await create('Timely', { typeAttributes: [{ name: 'code' }] })
    const source = await create('TimelySource', { entityAttributes: [aRelationship(target, 'timelyId', 'code')] })
    await renameColumn(target, 'code', 'number')
    await designer.call(addEntityVersion, { params: { id: source.id }, query: { version: '2.0.0' } })
    await renameColumn(await readEntity(target.id), 'number', 'digits')
    const query = { version: '1.0.0' }
    const old = await designer.call(getEntity, { params: { id: source.id }, query })
    expect(targets(old.entity)).toEqual(['Timely.number'])
    expect(targets(await readEntity(source.id))).toEqual(['Timely.digits'])
  })

  it('references by uid keep a manifest valid when a target is renamed', async () => {
    const manifest = await addManifest(server, 'SoundRefs')
    const target = await create(
      'SoundTarget',
      { typeAttributes: [{ name: 'code', dataType: 'integer', unique: true }] },
      manifest,
    )
    await create('SoundSource', { entityAttributes: [aRelationship(target, 'soundId', 'code')] }, manifest)
    await renameColumn(target, 'code', 'article_code')
    const { manifest: listed } = await designer.call(getManifest, { params: { id: manifest } })
    expect(listed.relationships.map(({ toEntityAttribute }) => toEntityAttribute)).toEqual(['article_code'])
    const { problems } = await designer.call(validateManifest, { params: { id: manifest } })
    expect(problems).toEqual([])
  })

  it('references by uid do not follow a target attribute that is no longer inherited', async () => {
    const manifest = await addManifest(server, 'FormerRefs')
    const code = { name: 'code', dataType: 'string', unique: true, isNullable: false, maxLength: 20 } as const
    const eldest = await create('FormerEldest', { typeAttributes: [code] }, manifest)
    const parent = await create('FormerParent', { extendsEntity: { id: eldest.id } }, manifest)
    const subtype = await create('FormerHeir', { extendsEntity: { id: parent.id } }, manifest)
    const link = aRelationship(subtype, 'heirCode', 'code')
    const foreignKeyAttribute = { ...link.foreignKeyAttribute, dataType: 'string' as const }
    const source = await create('FormerSource', { entityAttributes: [{ ...link, foreignKeyAttribute }] }, manifest)
    await renameColumn(eldest, 'code', 'number')
    expect(targets(await readEntity(source.id))).toEqual(['FormerHeir.number'])
    await renameColumn(await readEntity(eldest.id), 'number', 'code')
    // A state from older stores, in which changing a base entity did not update references.
    const organisation = await organisationId(server)
    const stored = server.context.store.of(organisation).updateTable('entity').set({ extends_id: 0 })
    await stored.where('organisation_id', '=', organisation).where('id', '=', subtype.id).execute()
    await renameColumn(await readEntity(eldest.id), 'code', 'number')
    expect(targets(await readEntity(source.id))).toEqual(['FormerHeir.code'])
  })

  it(
    "references by uid keep the relationship's uid when its target changes, including from a deleted one",
    holds('E7.42'),
    async () => {
      const [one, two] = [await create('PointOne'), await create('PointTwo')]
      const source = await create('Pointing', { entityAttributes: [aRelationship(one, 'pointId')] })
      const uid = source.entityAttributes[0]?.uid
      const point = (from: number, to: { id: number }) =>
        designer.call(updateRelationship, {
          params: { id: source.id, associatedEntityId: from },
          query: { associatedAttributeName: 'pointId' },
          body: aRelationship(to, 'pointId'),
          ifMatch: '*',
        })
      const { entityAttribute } = await point(one.id, two)
      expect(entityAttribute).toMatchObject({ uid, associatedEntity: { id: two.id, name: 'PointTwo' } })
      await importedAlone('Open')
      const open = (await importedAlone('OpenPoint')).entity
      const key = open.entityAttributes[0]?.foreignKeyTypeAttribute ?? ''
      const updated = await designer.call(updateRelationship, {
        params: { id: open.id, associatedEntityId: -1 },
        query: { associatedAttributeName: key },
        body: aRelationship(two, key),
        ifMatch: '*',
      })
      expect(updated.entityAttribute).toMatchObject({
        uid: open.entityAttributes[0]?.uid,
        associatedEntity: { id: two.id },
      })
    },
  )

  /** Imports an entity whose target is not in the file. */
  async function importedAlone(name: string) {
    const body = (input: object) => ({ body: { entity: { name, ...input } } })
    const { entity: target } = await elsewhere.call(createEntity, { body: { entity: { name: `${name}Target` } } })
    const { entity } = await elsewhere.call(createEntity, body({ entityAttributes: [aRelationship(target, 'openId')] }))
    const { entityDoc } = await exported(entity.id, elsewhere)
    const answer = await imported(entityDoc)
    return { ...answer, target, source: entity }
  }

  it('resolve an open reference once its target arrives', async () => {
    const { entity, target, report } = await importedAlone('Healing')
    expect(report.map(line => line.message)).toContain(messages.openReference('HealingTarget'))
    expect(entity.entityAttributes[0]?.associatedEntity.id).toBe(-1)
    expect(await resolved('Healing')).toEqual([])
    const { entityDoc } = await exported(target.id, elsewhere)
    const { entity: come } = await imported(entityDoc)
    expect(come.uid).toBe(target.uid)
    const updated = await readEntity(entity.id)
    expect(updated.entityAttributes[0]?.associatedEntity).toMatchObject({ id: come.id, uid: target.uid })
    expect((await resolved('Healing')).toSorted()).toEqual(['Healing', 'HealingTarget'])
    await renameColumn(await readEntity(come.id), 'id', 'healedId')
    expect(targets(await readEntity(entity.id))).toEqual(['HealingTarget.healedId'])
  })

  it('preserve self-references in export and import, into another store and as a copy', async () => {
    const { entityDoc } = await exported((await selfReferring('Selfish')).id)
    const there = (await imported(entityDoc, elsewhere)).entity
    expect(there.entityAttributes[0]?.associatedEntity).toMatchObject({ id: there.id, uid: there.uid })
    expect(await resolved('Selfish', elsewhere)).toEqual(['Selfish'])
    const manifest = await addManifest(server, 'SelfishCopies')
    const copy = (await imported(entityDoc, designer, manifest)).entity
    expect(copy.entityAttributes[0]?.associatedEntity).toMatchObject({ id: copy.id, uid: copy.uid })
    await renameColumn(copy, 'id', 'own_id')
    expect(targets(await readEntity(copy.id))).toEqual(['Selfish.own_id'])
  })

  it('preserve cycles in export and import into another store', async () => {
    const one = await create('CycleOne')
    const two = await create('CycleTwo', { entityAttributes: [aRelationship(one, 'oneId')] })
    await save(one, { entityAttributes: [aRelationship(two, 'twoId')] })
    const documents = [(await exported(one.id)).entityDoc, (await exported(two.id)).entityDoc]
    const first = (await imported(documents[0], elsewhere)).entity
    const second = (await imported(documents[1], elsewhere)).entity
    const [one2, two2] = [await readEntity(first.id, elsewhere), await readEntity(second.id, elsewhere)]
    expect(one2.entityAttributes[0]?.associatedEntity.id).toBe(two2.id)
    expect(two2.entityAttributes[0]?.associatedEntity.id).toBe(one2.id)
    expect((await resolved('Cycle', elsewhere)).toSorted()).toEqual(['CycleOne', 'CycleTwo'])
  })

  it('find a deleted entity that is imported again', async () => {
    const target = await create('Phoenix')
    const source = await create('PhoenixSource', { entityAttributes: [aRelationship(target, 'phoenixId')] })
    const { entityDoc } = await exported(target.id)
    await designer.send(deleteEntity, { params: { id: target.id }, query: { onReferences: 'keep' } })
    const { entity } = await imported(entityDoc)
    expect(entity.uid).toBe(target.uid)
    const after = await readEntity(source.id)
    const [relationship] = after.entityAttributes

    expect(relationship?.associatedEntity.id ?? entity.id).toBe(entity.id)
    expect(await resolved('PhoenixSource')).toEqual(['PhoenixSource'])
  })

  it('decisions §3 a copied relationship targets the entity of the same name in the resolved model, and the copy itself only if the original targeted itself', async () => {
    const far = await create('Namesake', {}, await addManifest(server, 'Far'))
    const near = await create(
      'Namesake',
      { entityAttributes: [aRelationship(far, 'farId')] },
      await addManifest(server, 'Near'),
    )
    const manifest = await addManifest(server, 'CopiesGoHere')
    await designer.call(addEntitiesToManifest, { params: { id: manifest }, body: { entityIds: [near.id] } })
    const copy = await named('Namesake', 'user-defined/CopiesGoHere/Namesake')
    expect(copy.entityAttributes[0]?.associatedEntity.id).toBe(far.id)
    const self = await selfReferring('SelfCopied')
    await designer.call(addEntitiesToManifest, { params: { id: manifest }, body: { entityIds: [self.id] } })
    const selfCopy = await named('SelfCopied', 'user-defined/CopiesGoHere/SelfCopied')
    expect(selfCopy.entityAttributes[0]?.associatedEntity.id).toBe(selfCopy.id)
    await renameColumn(selfCopy, 'id', 'copied_id')
    expect(targets(await readEntity(selfCopy.id))).toEqual(['SelfCopied.copied_id'])
    const body = { entity: { name: 'SelfDuplicate' }, duplicateEntityId: self.id }
    const { entity: duplicate } = await designer.call(createEntity, { body })
    expect(duplicate.entityAttributes[0]?.associatedEntity.id).toBe(duplicate.id)
  })

  it("use the copies' own uids between copies", async () => {
    const target = await create('PairTarget', { typeAttributes: [{ name: 'code' }] })
    const source = await create('PairSource', { entityAttributes: [aRelationship(target, 'pairId', 'code')] })
    const manifest = await addManifest(server, 'Pairs')
    const body = { entityIds: [source.id, target.id] }
    await designer.call(addEntitiesToManifest, { params: { id: manifest }, body })
    await renameColumn(target, 'code', 'original')
    await renameColumn(await named('PairTarget', 'user-defined/Pairs/PairTarget'), 'code', 'copied')
    expect(targets(await named('PairSource', 'user-defined/Pairs/PairSource'))).toEqual(['PairTarget.copied'])
    expect(targets(await readEntity(source.id))).toEqual(['PairTarget.original'])
  })

  it('reject a uid in use; an import assigns new ones and reports each', async () => {
    const owner = await create('Owner', { typeAttributes: [{ name: 'code' }] })
    const source = await create('OwnerSource', { entityAttributes: [aRelationship(owner, 'ownerId')] })
    const code = owner.typeAttributes[1]?.uid
    const relationship = source.entityAttributes[0]?.uid
    const taken: [path: string, input: Partial<EntityBody['entity']>][] = [
      ['entity.uid', { uid: owner.uid }],
      ['entity.uid', { uid: code }],
      ['entity.typeAttributes.0.uid', { typeAttributes: [{ name: 'aa', uid: code }] }],
      ['entity.typeAttributes.0.uid', { typeAttributes: [{ name: 'aa', uid: owner.uid }] }],
      ['entity.typeAttributes.0.uid', { typeAttributes: [{ name: 'aa', uid: relationship }] }],
      ['entity.entityAttributes.0.uid', { entityAttributes: [{ ...aRelationship(owner, 'aaId'), uid: relationship }] }],
    ]
    for (const [path, input] of taken) {
      const refusal = await designer.refusal(createEntity, { body: { entity: { name: 'Thief', ...input } } })
      expect([refusal.status, refusal.answer.errors?.[0]?.path]).toEqual([400, path])
    }
    const thief = await create('Thief')
    const added = [...(saveBody(thief).entity.typeAttributes ?? []), { name: 'aa', uid: code }]
    for (const changes of [{ uid: owner.uid }, { typeAttributes: added }]) {
      const input = { params: { id: thief.id }, body: saveBody(thief, changes), ifMatch: '*' }
      expect((await designer.refusal(updateEntity, input)).answer.message).toMatch(/^The uid ".*" is already in use/)
    }
    const { entityDoc } = await exported(owner.id)
    const { content } = readEntityDocument(JSON.stringify(entityDoc), 'x.json')
    const borrowing = { ...content, uid: newUid(), name: 'Borrower' }
    const document = { document: 'cadmus-entity', format: 1, version: '1.0.0', path: '', entity: borrowing }
    const { entity, report } = await imported(document)
    expect(entity.typeAttributes.map(({ uid }) => uid)).not.toContain(code)
    expect(report.map(line => line.message)).toEqual([messages.newUid('id'), messages.newUid('code')])
  })

  it('an entity with 5,000 attributes and the automatic id can be saved again', async () => {
    const typeAttributes = Array.from({ length: 5000 }, (_, index) => ({ name: `a${index}` }))
    const wide = await create('Wide', { typeAttributes })
    expect(wide.typeAttributes).toHaveLength(5001)
    await save(wide, { description: 'Saved.' })
    expect((await readEntity(wide.id)).description).toBe('Saved.')
  })

  it('reject too many attributes or relationships with both numbers', async () => {
    const entity = await create('Full')
    const many = Array.from({ length: 5002 }, (_, index) => ({ name: `a${index}` }))
    const saved = { params: { id: entity.id }, body: saveBody(entity, { typeAttributes: many }), ifMatch: '*' }
    const refused = await designer.refusal(updateEntity, saved)
    expect([refused.status, refused.answer.message]).toEqual([
      400,
      'An entity has at most 5001 type attributes; 5002 were sent.',
    ])
    const links = Array.from({ length: 5001 }, (_, index) => aRelationship(entity, `r${index}`))
    const linked = { ...saved, body: saveBody(entity, { entityAttributes: links }) }
    expect((await designer.refusal(updateEntity, linked)).answer.message).toBe(
      'An entity has at most 5000 relationships; 5001 were sent.',
    )
  })

  async function selfReferring(name: string): Promise<EntityAnswer> {
    const { entityDoc } = await exported(
      (
        await create(`${name}Source`, {
          entityAttributes: [aRelationship(await create(`${name}Target`), 'ownId')],
        })
      ).id,
    )
    const document = structuredClone(readEntityDocument(JSON.stringify(entityDoc), 'x.json'))
    const { content } = document
    const uid = newUid()
    const self = { id: -1, uid, name, path: '' }
    const entity = {
      ...content,
      uid,
      name,
      typeAttributes: content.typeAttributes.map(item => ({ ...item, uid: newUid() })),
      entityAttributes: content.entityAttributes.map(item => ({
        ...item,
        uid: newUid(),
        associatedEntity: self,
        associatedEntityTypeAttributeUid: null,
      })),
    }
    return (await imported({ document: 'cadmus-entity', format: 1, version: '1.0.0', path: '', entity })).entity
  }

  async function named(search: string, path: string): Promise<EntityAnswer> {
    const { entity } = await designer.call(listEntities, { query: { search, filter: 'PRIVATE' } })
    const result = entity.find(({ location }) => location === path)
    if (!result) throw new Error(`There is no ${path}.`)
    return readEntity(result.id)
  }
})
