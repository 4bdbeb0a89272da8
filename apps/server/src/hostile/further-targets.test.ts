import {
  addRelationship,
  createEntity,
  deleteEntity,
  exportEntity,
  getEntity,
  importEntity,
  updateRelationship,
} from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { updateManifest } from '@cadmus/model/contract/manifest'
import { newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute, type AlternativeTarget } from '@cadmus/model/entity-attribute'
import { limits } from '@cadmus/model/limits'
import { sizeTexts } from '@cadmus/model/messages/documents'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { insertEntities } from '../store/entity.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, aRelationship, organisationId } from '../testing/entities.ts'
import { expectRejection, isHealthy } from '../testing/rejections.ts'

/** Texts that a database treats as equal or rejects. */
const alike = [
  ['\ud800', '\udc00'],
  ['\u0000', '\ufffd'],
  ['a\ud800', 'a\ufffd'],
  ['a\u0000b', 'a\udfffb'],
  ['\u00e9', 'e\u0301'],
  ['a/B', 'a/b'],
  ['x', 'x '],
] as const

const shortest = { name: 'Else', path: '', attribute: 'id' }
const aTarget = (given: Partial<AlternativeTarget['entity']> & { attribute?: string; attributeUid?: string } = {}) => {
  const { attribute = shortest.attribute, attributeUid, ...entity } = given
  const { name, path } = shortest
  return {
    entity: { id: -1, name, path, ...entity },
    attribute,
    ...(attributeUid === undefined ? {} : { attributeUid }),
  }
}

describeOnBothStores.whenProving('Alternative targets of a relationship', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let target: EntityAnswer
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    target = await entity()
  })
  afterAll(() => server.stop())
  beforeEach(() => server.advance(4000))

  let made = 0
  const name = (what: string) => `${what}${++made}`
  const entity = async (manifest?: number) =>
    (await designer.call(createEntity, { body: { entity: { name: name('Entity') }, targetManifestId: manifest } }))
      .entity
  const add = (id: number, alternativeTargets: AlternativeTarget[], foreignKey = name('key')) =>
    designer.send(addRelationship, {
      params: { id },
      body: { ...aRelationship(target, foreignKey), alternativeTargets },
      ifMatch: '*',
    })
  const targetsOf = async (id: number) => {
    const { entity: read } = await designer.call(getEntity, { params: { id } })
    return read.entityAttributes.map(item => item.alternativeTargets)
  }

  it.each(alike)(
    'alternative targets of a relationship may have equivalent names and are returned unchanged: %j %j',
    async (one, other) => {
      const { id } = await entity()
      const targets = [
        ...[one, other].map(path => aTarget({ path })),
        ...[one, other].map(text => aTarget({ name: text, attribute: text })),
      ]
      expect((await add(id, targets)).status).toBe(200)
      expect(await targetsOf(id)).toEqual([targets])

      // A rename or a creation searches unresolved references; an exported entity can be imported again.
      const manifest = await addManifest(server, name('Home'))
      await designer.call(updateManifest, {
        params: { id: manifest },
        body: { manifestName: name('Moved') },
        ifMatch: '*',
      })
      await entity(manifest)
      const { entityDoc } = await designer.call(exportEntity, { params: { id } })
      await designer.call(deleteEntity, { params: { id } })
      const files = { entityFile: { name: 'x.json', bytes: new TextEncoder().encode(JSON.stringify(entityDoc)) } }
      const { entity: back } = await designer.call(importEntity, { query: {}, files })
      expect(back.entityAttributes[0]?.alternativeTargets).toHaveLength(targets.length)
      expect(await isHealthy(server)).toBe(true)
    },
  )

  it.each(alike.flat())(
    'alternative targets of a relationship cannot be identified by an invalid uid: %j',
    async uid => {
      const { id } = await entity()
      expect((await add(id, [aTarget({ uid, attributeUid: uid })])).status).toBe(200)
      expect(await targetsOf(id)).toEqual([[aTarget()]])
      const body = { ...aRelationship(target, 'other'), associatedEntityTypeAttributeUid: uid }
      await expectRejection(await designer.send(addRelationship, { params: { id }, body, ifMatch: '*' }))
    },
  )

  it('alternative targets of a relationship are rejected if a text is too long', async () => {
    const { id } = await entity()
    const long = 'x'.repeat(limits.targetText + 1)
    const message = sizeTexts.target
    for (const given of [{ path: long }, { name: long }, { attribute: long }]) {
      const answer = await add(id, [aTarget(given)])
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ message, errors: [{ path: 'alternativeTargets', message }] })
    }
    const text = long.slice(1)
    const longest = Array.from({ length: 100 }, () => aTarget({ path: text, name: text, attribute: text }))
    expect((await add(id, longest)).status).toBe(200)
    expect(await targetsOf(id)).toEqual([longest])
  })

  it('alternative targets of a relationship are rejected with a short message, like a target attribute, at any length', async () => {
    const { id } = await entity()
    const body = aRelationship(target, 'wordyId', 'y'.repeat(100_000))
    const refused = await designer.send(addRelationship, { params: { id }, body, ifMatch: '*' })
    expect(refused.status).toBe(400)
    expect((await refused.text()).length).toBeLessThan(10_000)
  })

  it('alternative targets of a relationship are limited in total per entity; an imported excess can only be reduced', async () => {
    const { id, foreignKey } = await addLarge()
    const refused = await add(id, [aTarget()])
    expect([refused.status, await refused.json()]).toMatchObject([400, { message: sizeTexts.entity }])
    const params = { id, associatedEntityId: target.id }
    const body = { ...aRelationship(target, foreignKey), alternativeTargets: [] }
    const query = { associatedAttributeName: foreignKey }
    expect((await designer.send(updateRelationship, { params, query, body, ifMatch: '*' })).status).toBe(200)
    expect(await targetsOf(id)).toEqual([[]])
  })

  /** Creates an entity larger than the limits of requests, as an imported file may contain. */
  async function addLarge() {
    const organisation = await organisationId(server)
    const id = await server.context.store.ids.one()
    const foreignKeyTypeAttribute = 'largeId'
    const relationship = newEntityAttribute({
      associatedEntity: { id: target.id, uid: target.uid, name: target.name, path: target.path },
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute,
      position: 0,
      alternativeTargets: [aTarget()],
    })
    const description = 'x'.repeat(limits.entityContent)
    const given = newEntityContent({ name: name('Large'), description, entityAttributes: [relationship] })
    const place = { id, path: `user-defined/${given.name}`, content: given }
    await insertEntities(server.context.store.of(organisation), organisation, [place], { userName: 'Test' })
    return { id, foreignKey: foreignKeyTypeAttribute }
  }
})
