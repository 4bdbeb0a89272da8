import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addRelationship,
  getEntity,
  importEntity,
  listEntities,
  listEntityLogs,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { addEntitiesToManifest, createManifest, createManifestByWizard } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { automaticKey, newEntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { requireEntities } from '../commands/manifest/manifest-plan.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { danglingColumns } from '../testing/dangling-references.ts'
import { aRelationship, organisationId, saveBody, typeAttributeBody } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'

const clinic = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))

describeOnBothStores('References to objects created in bulk', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  /** Imports an entity whose relationship has an open target. */
  async function waitingFor(path: string, attribute: string): Promise<number> {
    const name = `Waits_${path.replaceAll(/\W/g, '_')}`
    const target = { id: -1, name: path.slice(path.lastIndexOf('/') + 1), path }
    const relationship = newEntityAttribute({
      associatedEntity: target,
      associatedEntityTypeAttribute: attribute,
      foreignKeyTypeAttribute: 'targetId',
      position: 1,
    })
    const entity = newEntityContent({ name, typeAttributes: [automaticKey()], entityAttributes: [relationship] })
    const document = { document: 'cadmus-entity', format: 1, version: '1.0.0', path: '', entity }
    const bytes = new TextEncoder().encode(JSON.stringify(document))
    const files = { entityFile: { name: 'x.json', bytes } }
    const made = await designer.call(importEntity, { query: {}, files })
    expect(await isResolved(name)).toBe(false)
    return made.entity.id
  }

  async function isResolved(name: string): Promise<boolean> {
    const { entity } = await designer.call(listEntities, { query: { filter: 'RESOLVED', search: name } })
    return entity.some(item => item.name === name)
  }

  async function expectResolved(waiting: number, path: string) {
    const { entity } = await designer.call(getEntity, { params: { id: waiting } })
    const [relationship] = entity.entityAttributes
    expect(relationship?.associatedEntity).toMatchObject({ path, uid: expect.any(String) })
    expect(relationship?.associatedEntity.id).toBeGreaterThan(0)
    expect(relationship?.associatedEntityTypeAttributeUid).toEqual(expect.any(String))
    expect(await isResolved(entity.name)).toBe(true)
    const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1000 } })
    const match = messages.referencesResolved(entity.name, relationship?.associatedEntity.name ?? '')
    expect(entityLogs.filter(entry => entry.DESCRIPTION === match)).toHaveLength(1)
    expect(await danglingColumns(server, await organisationId(server))).toEqual([])
  }

  it('use uids in the example manifest', async () => {
    expect(await danglingColumns(server, await organisationId(server))).toEqual([])
  })

  it('use uids in a CDM folder', async () => {
    const { report } = await designer.call(importManifest, {
      files: { manifestFile: { name: 'a.zip', bytes: clinic } },
    })
    expect(report.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(await danglingColumns(server, await organisationId(server))).toEqual([])
    const { entity } = await designer.call(listEntities, {
      query: { filter: 'PRIVATE', pathFilter: 'user-defined/clinic' },
    })
    const existing = await Promise.all(
      entity.map(async ({ id }) => (await designer.call(getEntity, { params: { id } })).entity),
    )
    const relationships = existing.flatMap(({ content }) => newEntityContent(JSON.parse(content)).entityAttributes)
    expect(relationships.length).toBe(3)
    expect(relationships.every(item => item.associatedEntity.uid !== undefined)).toBe(true)
  })

  it('resolve open references to entities of a CDM folder', async () => {
    const second = 'user-defined/clinic_2'
    const { entity } = await designer.call(listEntities, { query: { filter: 'PRIVATE', search: '', limit: 1000 } })
    const [some] = entity.filter(({ folder }) => folder === 'user-defined/clinic')
    const { entity: target } = await designer.call(getEntity, { params: { id: some?.id ?? 0 } })
    const path = `${second}/${target.name}`
    const waiting = await waitingFor(path, target.primaryKey ?? 'id')
    await designer.call(importManifest, { files: { manifestFile: { name: 'b.zip', bytes: clinic } } })
    await expectResolved(waiting, path)
  })

  it("use the copies' uids in a small duplicate and in copies added to a manifest", async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Few', exclusiveEntities: ['FewOne', 'FewTwo'] },
    })
    const waiting = await waitingFor('user-defined/Fewer/FewTwo', 'id')
    await designer.call(createManifestByWizard, { body: { manifestName: 'Fewer', duplicateManifest: manifest.id } })
    await expectResolved(waiting, 'user-defined/Fewer/FewTwo')
    const { manifest: other } = await designer.call(createManifest, { body: { manifestName: 'Others' } })
    const again = await waitingFor('user-defined/Others/FewOne', 'id')
    const entityIds = [manifest.entityPaths[0]?.id ?? 0]
    await designer.call(addEntitiesToManifest, { params: { id: other.id }, body: { entityIds } })
    await expectResolved(again, 'user-defined/Others/FewOne')
  })

  it("use the copies' uids in a large duplicate, written in slices", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Lot${index}`)
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Lots', exclusiveEntities: names },
    })
    const waiting = await waitingFor('user-defined/MoreLots/Lot59', 'id')
    await designer.call(createManifestByWizard, { body: { manifestName: 'MoreLots', duplicateManifest: manifest.id } })
    await expectResolved(waiting, 'user-defined/MoreLots/Lot59')
  })

  it('references to objects created in bulk belong to a single state in copies made during concurrent saves', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Read${index}`)
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'BeingRead', exclusiveEntities: names },
    })
    const ids = manifest.entityPaths.map(({ id }) => id)
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    const organisation = await organisationId(server)
    let isRead = false
    const db = server.context.store.of(organisation).withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const holds = result.rows.some(row => row['id'] === first && row['content_hash'] !== undefined)
        if (!isRead && holds) {
          isRead = true
          await relatedByNewAttribute(last, first)
        }
        return result
      },
    })
    const match = await requireEntities(db, organisation, ids)
    const [before, after] = [match[0]?.content, match.at(-1)?.content]
    expect(isRead).toBe(true)
    expect(after?.entityAttributes).toHaveLength(1)
    const uids = before?.typeAttributes.map(({ uid }) => uid)
    expect(uids).toContain(after?.entityAttributes[0]?.associatedEntityTypeAttributeUid)
  })

  /** Adds an attribute to the target, and a relationship to it. */
  async function relatedByNewAttribute(from: number, to: number): Promise<void> {
    const target = await designer.callWithTag(getEntity, { params: { id: to } })
    const { entity } = target.answer
    const typeAttributes = [...entity.typeAttributes.map(typeAttributeBody), { name: 'addedLate' }]
    const body = saveBody(entity, { typeAttributes })
    await designer.call(updateEntity, { params: { id: to }, body, ifMatch: target.etag })
    const params = { id: from }
    const { etag } = await designer.callWithTag(getEntity, { params })
    await designer.call(addRelationship, {
      params,
      body: aRelationship({ id: to }, 'late', 'addedLate'),
      ifMatch: etag,
    })
  }
})
