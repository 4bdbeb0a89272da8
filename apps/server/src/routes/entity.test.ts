import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createEntity,
  createEntityByWizard,
  deleteEntity,
  getEntity,
  listEntities,
} from '@cadmus/model/contract/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { holds } from '@cadmus/testing/holds'
import { manifestById, manifestContent } from '../store/manifest.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, addPredefined, aRelationship, organisationId } from '../testing/entities.ts'

describeOnBothStores.whenProving('Entities: create, read, delete', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let country: number
  let acme: number
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    acme = await organisationId(server)
    country = await addPredefined(server, { name: 'TestCountry' })
  })
  afterAll(() => server.stop())

  const create = async (name: string, more: Record<string, unknown> = {}) =>
    (await designer.call(createEntity, { body: { entity: { name }, ...more } })).entity
  const get = async (id: number) => (await designer.call(getEntity, { params: { id } })).entity

  it('creates an entity with only the automatic key', holds('E7.36', 'E3.26', 'E3.10'), async () => {
    const { answer, etag } = await designer.callWithTag(createEntity, { body: { entity: { name: 'Customer' } } })
    const entity = await get(answer.entity.id)
    expect(entity).toEqual(answer.entity)
    expect(etag).toMatch(/^[\da-f]{64}$/)
    expect(entity.typeAttributes).toMatchObject([{ name: 'id', dataType: 'integer', purpose: 'identifiedBy' }])
    expect(entity).toMatchObject({ primaryKey: 'id', entityAttributes: [], type: 'EXCLUSIVE', isDefault: false })
    const { entity: listed } = await designer.call(listEntities, { query: { search: 'customer' } })
    expect(listed.map(item => item.id)).toContain(entity.id)
  })

  it(
    'returns id, name, path, content and versions',
    holds('E3.1', 'E3.2', 'E3.3', 'E3.17', 'E3.18', 'E3.19', 'E3.20'),
    async () => {
      const { id } = await create('Fields', { entity: { name: 'Fields', description: 'All of them.' } })
      const entity = await get(id)
      expect(entity).toMatchObject({
        id,
        name: 'Fields',
        path: 'user-defined/Fields',
        description: 'All of them.',
        versions: ['1.0.0'],
        latestVersion: '1.0.0',
        currentVersion: '1.0.0',
        targetManifest: null,
        extendsEntity: null,
      })
      expect(JSON.parse(entity.content)).toMatchObject({ name: 'Fields', uid: entity.uid })
      expect((await get(country)).path).toBe('predefined/tests/TestCountry')
    },
  )

  it(
    'creates an entity by the wizard with the key and the entered attributes',
    holds('E3.27', 'E3.30', 'E3.31', 'E3.36', 'E7.38', 'E7.39'),
    async () => {
      const body = { entity: { name: 'Book', typeAttributes: [{ name: 'title' }] } }
      const { entity } = await designer.call(createEntityByWizard, { body })
      expect(entity.typeAttributes.map(attribute => attribute.name)).toEqual(['id', 'title'])
      expect(entity.typeAttributes[0]).toMatchObject({ name: 'id', dataType: 'integer', purpose: 'identifiedBy' })
      expect(entity.primaryKey).toBe('id')
      expect(entity.typeAttributes[1]).toMatchObject({ dataType: 'string', purpose: 'hasA', nullable: false })
      expect(entity.targetManifest).toBeNull()
      const targetManifestId = await addManifest(server, 'Library')
      const { entity: placed } = await designer.call(createEntityByWizard, { body: { ...body, targetManifestId } })
      expect(placed.targetManifest).toMatchObject({ id: targetManifestId, name: 'Library' })
    },
  )

  it('accepts every data type and rejects unknown ones', holds('E3.29'), async () => {
    const dataTypes = ['boolean', 'dateTime', 'double', 'float', 'integer', 'object', 'string'] as const
    const typeAttributes = dataTypes.map(dataType => ({ name: `a_${dataType}`, dataType }))
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Types', typeAttributes } } })
    expect(entity.typeAttributes.slice(1).map(attribute => attribute.dataType)).toEqual(dataTypes)
    const response = await designer.send(createEntity, {
      body: { entity: { name: 'Money', typeAttributes: [{ name: 'price', dataType: 'money' }] } },
    })
    expect(response.status).toBe(400)
  })

  it(
    'creates an entity in its target manifest, below that path',
    holds('E7.37', 'E7.78', 'E3.3', 'E3.16'),
    async () => {
      const manifestId = await addManifest(server, 'Sales')
      const entity = await create('Order', { targetManifestId: manifestId })
      expect(entity).toMatchObject({
        path: 'user-defined/Sales/Order',
        targetManifest: { id: manifestId, name: 'Sales' },
      })
      const read = await get(entity.id)
      expect([read.path, read.targetManifest]).toEqual(['user-defined/Sales/Order', { id: manifestId, name: 'Sales' }])
      const db = server.context.store.of(acme)
      const manifest = await manifestById(db, acme, manifestId)
      expect(manifest).toMatchObject({ entity_count: 1 })
      expect((await manifestContent(db, manifest!)).entities).toEqual([{ id: entity.id, type: 'EXCLUSIVE' }])
    },
  )

  it('requires a name that is unique within its manifest, case-insensitively', holds('E5.10', 'E5.12'), async () => {
    const manifestId = await addManifest(server, 'Names')
    await create('Invoice', { targetManifestId: manifestId })
    const refusal = await designer.refusal(createEntity, {
      body: { entity: { name: 'INVOICE' }, targetManifestId: manifestId },
    })
    expect(refusal).toMatchObject({
      status: 400,
      answer: {
        message: 'An entity with the name "INVOICE" already exists.',
        errors: [{ path: 'entity.name', message: 'An entity with the name "INVOICE" already exists.' }],
      },
    })
    const other = await create('Invoice', { targetManifestId: await addManifest(server, 'Names2') })
    expect(other.name).toBe('Invoice')
  })

  it('creates a name only once for many concurrent requests', holds('E5.10'), async () => {
    const manifestId = await addManifest(server, 'Race')
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        designer.send(createEntity, {
          body: { entity: { name: index % 2 ? 'Winner' : 'winner' }, targetManifestId: index < 4 ? manifestId : -1 },
        }),
      ),
    )
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 200, 400, 400, 400, 400, 400, 400])
  })

  it(
    'duplicates an entity with equal attributes and relationships, new ids and its origin',
    holds('E7.81'),
    async () => {
      const source = await create('Source', {
        entity: {
          name: 'Source',
          typeAttributes: [{ name: 'code', maxLength: 8, choices: ['a', 'b'] }],
          entityAttributes: [aRelationship({ id: country }, 'countryId')],
        },
      })
      const copy = await create('Copy', { duplicateEntityId: source.id })
      const bare = (entity: typeof source) =>
        [...entity.typeAttributes, ...entity.entityAttributes].map(({ uid: _u, copiedFrom: _c, ...rest }) => rest)
      expect(bare(copy)).toEqual(bare(source))
      expect(copy.id).not.toBe(source.id)
      expect(copy.uid).not.toBe(source.uid)
      expect(copy.copiedFrom).toBe(source.uid)
      expect(copy.typeAttributes.map(item => item.copiedFrom)).toEqual(source.typeAttributes.map(item => item.uid))
      const more = await create('CopyMore', {
        duplicateEntityId: source.id,
        entity: { name: 'CopyMore', typeAttributes: [{ name: 'extra' }, { name: 'CODE' }] },
      })
      expect(more.resolvedAttributes?.map(item => item.name)).toEqual(['id', 'code', 'countryId', 'extra'])
    },
  )

  it('distinguishes predefined from custom entities', holds('E3.11', 'E3.37', 'E3.50'), async () => {
    const predefined = await get(country)
    expect(predefined.isDefault).toBe(true)
    expect(predefined.typeAttributes.map(({ name, isDefault }) => [name, isDefault])).toEqual([['id', true]])
    const related = await addPredefined(server, {
      name: 'TestRelated',
      entityAttributes: [
        newEntityAttribute({
          associatedEntity: { id: country, name: 'TestCountry', path: 'predefined/tests/TestCountry' },
          associatedEntityTypeAttribute: 'id',
          foreignKeyTypeAttribute: 'countryId',
          position: 1,
        }),
      ],
    })
    expect((await get(related)).entityAttributes.map(relationship => relationship.isDefault)).toEqual([true])
    const entityAttributes = [aRelationship({ id: country }, 'countryId')]
    const { id } = await create('Own', { entity: { name: 'Own', entityAttributes } })
    const own = await get(id)
    expect(own.isDefault).toBe(false)
    expect(own.typeAttributes.map(attribute => attribute.isDefault)).toEqual([false])
    expect(own.entityAttributes.map(relationship => relationship.isDefault)).toEqual([false])
  })

  it('returns inherited and own attributes, or only own ones', holds('E3.5', 'E3.72', 'E7.7'), async () => {
    const parent = await create('Party', { entity: { name: 'Party', typeAttributes: [{ name: 'name' }] } })
    const child = await create('Person', {
      entity: { name: 'Person', extendsEntity: { id: parent.id }, typeAttributes: [{ name: 'born' }] },
    })
    expect(child.extendsEntity).toEqual({ id: parent.id, uid: parent.uid, name: 'Party', path: 'user-defined/Party' })
    const origins = child.resolvedAttributes?.map(item => [item.name, item.origin])
    expect(origins).toEqual([
      ['id', 'inherited'],
      ['name', 'inherited'],
      ['born', 'own'],
    ])
    const own = await designer.call(getEntity, {
      params: { id: child.id },
      query: { typeAttributeFilter: 'UNRESOLVED' },
    })
    expect(own.entity.resolvedAttributes).toBeUndefined()
    const all = await designer.call(getEntity, { params: { id: child.id }, query: { typeAttributeFilter: 'ALL' } })
    expect(all.entity).toEqual(await get(child.id))
    expect(own.entity.typeAttributes).toEqual(child.typeAttributes)
  })

  it('deletes an entity and unlinks its referrers completely', holds('E7.5', 'E8.12'), async () => {
    const target = await create('Doomed')
    const referrer = await create('Referrer', {
      entity: { name: 'Referrer', entityAttributes: [aRelationship(target, 'doomedId')] },
    })
    const query = { onReferences: 'keep' } as const
    const answer = await designer.call(deleteEntity, { params: { id: target.id }, query })
    expect(answer).toEqual({ result: 'OK', message: 'Successfully deleted entity!' })
    expect((await designer.refusal(getEntity, { params: { id: target.id } })).status).toBe(404)
    const left = await get(referrer.id)
    expect(left.entityAttributes).toEqual([])
    expect(left.typeAttributes.map(({ name }) => name)).toContain('doomedId')
    const { entity: resolved } = await designer.call(listEntities, { query: { filter: 'RESOLVED' } })
    expect(resolved.map(item => item.id)).toContain(referrer.id)
  })

  it('deletes only the named entity, and its entry in the manifest', holds('E7.5'), async () => {
    const manifestId = await addManifest(server, 'Left')
    const entity = await create('Leaving', { targetManifestId: manifestId })
    const path = `/1.0/cdm/entity/${entity.id}`
    const headers = { 'X-Organisation-Code': 'ACME' }
    expect((await designer.browser.fetch(path, { method: 'DELETE', headers })).status).toBe(200)
    expect((await designer.browser.fetch(path, { headers })).status).toBe(404)
    const db = server.context.store.of(acme)
    const manifest = await manifestById(db, acme, manifestId)
    expect(manifest).toMatchObject({ entity_count: 0 })
    expect((await manifestContent(db, manifest!)).entities).toEqual([])
  })

  it('rejects the deletion of predefined entities', holds('E6.7', 'E4.13'), async () => {
    const refusal = await designer.refusal(deleteEntity, { params: { id: country } })
    expect(refusal).toMatchObject({ status: 403, answer: { message: messages.locked.default } })
  })

  it('reports errors by status and message', holds('E8.21'), async () => {
    const { id } = await create('Referred')
    const entityAttributes = [aRelationship({ id }, 'referredId')]
    await create('Referring', { entity: { name: 'Referring', entityAttributes } })
    const refused = [
      await designer.refusal(createEntity, { body: { entity: { name: '1' } } }),
      await designer.refusal(createEntity, { body: { entity: { name: 'Pattern' }, type: 'TEMPLATE' } }),
      await designer.refusal(getEntity, { params: { id: 999_999 } }),
      await designer.refusal(deleteEntity, { params: { id } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 403, 404, 409])
    const visitor = await server.visitor().fetch(`/1.0/cdm/entity/${id}`)
    expect(visitor.status).toBe(401)
    for (const answer of [...refused.map(one => one.answer), await visitor.json()])
      expect(answer).toMatchObject({ message: expect.stringMatching(/\w/) })
  })

  it('answers 404 for entities of another organisation', async () => {
    const { id } = await create('Private')
    const stranger = server.bootstrap('GLOBEX')
    expect((await stranger.refusal(getEntity, { params: { id } })).status).toBe(404)
    expect((await stranger.refusal(deleteEntity, { params: { id } })).status).toBe(404)
    const { entity } = await stranger.call(listEntities, { query: { filter: 'PRIVATE' } })
    expect(entity).toEqual([])
    const visitor = await server.visitor().fetch(`/1.0/cdm/entity/${id}`)
    expect(visitor.status).toBe(401)
  })

  it('rejects restricted types and unknown manifests', async () => {
    const template = { entity: { name: 'Pattern' }, type: 'TEMPLATE' as const }
    expect((await designer.refusal(createEntity, { body: template })).status).toBe(403)
    const nowhere = await designer.refusal(createEntity, {
      body: { entity: { name: 'Lost' }, targetManifestId: 999_999 },
    })
    expect(nowhere.status).toBe(404)
    expect((await designer.call(listEntities, { query: { search: 'lost' } })).totalElements).toBe(0)
  })
})
