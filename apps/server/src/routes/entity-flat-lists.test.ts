import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, deleteEntity, listEntities, listEntityLogs, updateEntity } from '@cadmus/model/contract/entity'
import {
  createManifest,
  createManifestByWizard,
  deleteManifest,
  getManifest,
  removeEntityFromManifest,
} from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { newEntityContent } from '@cadmus/model/entity'
import { compactCounters } from '../store/counters.ts'
import type { Db } from '../store/database.ts'
import { insertEntities } from '../store/entity.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { expectCorrectCounters } from '../testing/counters.ts'
import { addPredefined, aRelationship, organisationId } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'

describeOnBothStores('Lists with constant cost', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (name: string, targetManifestId = -1, more: object = {}) =>
    (await designer.call(createEntity, { body: { entity: { name, ...more }, targetManifestId } })).entity
  const library = { filter: 'DEFAULT' }
  const result = async (search: string, more: object = {}) => {
    const { entity, totalElements } = await designer.call(listEntities, {
      query: { search, filter: 'PRIVATE', ...more },
    })
    expect(totalElements).toBe(entity.length)
    return entity.map(item => item.name)
  }

  it('lists of entities and manifests have correct counters after all kinds of changes', async () => {
    await expectCorrectCounters(server)
    const bytes = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
    const { manifest } = await designer.call(importManifest, {
      files: { manifestFile: { name: 'clinic.zip', bytes } },
    })
    await expectCorrectCounters(server)
    const { manifest: copy } = await designer.call(createManifestByWizard, {
      body: { manifestName: 'Clinic_copy', duplicateManifest: manifest.id },
    })
    const own = await create('Loner')
    await designer.call(updateEntity, { params: { id: own.id }, body: { entity: { name: 'Lonely' } }, ifMatch: '*' })
    await create('InManifest', manifest.id)
    await expectCorrectCounters(server)
    const member = copy.entityPaths[0]?.id ?? -1
    await designer.call(removeEntityFromManifest, {
      params: { id: copy.id, entityId: member },
      query: { onReferences: 'keep' },
    })
    await designer.call(deleteEntity, { params: { id: own.id } })
    await designer.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'keep' } })
    await expectCorrectCounters(server)
  })

  it('lists of entities and manifests have the same counters after compaction', async () => {
    const organisation = await organisationId(server)
    const { totalElements: before } = await designer.call(listEntities, { query: { limit: 1 } })
    for (let index = 0; index < 70; index++) await create(`Tallied${index}`)
    const rows = () =>
      server.context.store
        .of(organisation)
        .selectFrom('tally')
        .select('uid')
        .where('organisation_id', '=', organisation)
        .execute()
    expect((await rows()).length).toBeGreaterThan(200)
    await compactCounters(server.context.store.of(organisation), organisation)
    expect((await rows()).length).toBeLessThan(50)
    await expectCorrectCounters(server)
    const { totalElements } = await designer.call(listEntities, { query: { limit: 1 } })
    expect(totalElements).toBe(before + 70)
    server.advance(60_000)
  })

  it('find substrings of three or more characters, with special characters', async () => {
    for (const name of ['Straße "Übung"', 'Strasse', 'abcabcabd', 'per_cent%x', "it's"])
      await addPredefined(server, { name })
    expect(await result('ÜBU', library)).toEqual(['Straße "Übung"'])
    expect(await result('e "ü', library)).toEqual(['Straße "Übung"'])
    expect(await result('abcabd', library)).toEqual(['abcabcabd'])
    expect(await result('r_c', library)).toEqual(['per_cent%x'])
    expect(await result('nt%', library)).toEqual(['per_cent%x'])
    expect(await result("t's", library)).toEqual(["it's"])
    for (const none of ['"a"', "a' or 1", 'abc OR str', 'str*', '%%%', '___', 'rxc', '\\\\\\', 'NEAR(abc)'])
      expect(await result(none, library)).toEqual([])
    server.advance(10_000)
  })

  it('find substrings of one or two characters', async () => {
    for (const name of ['Öpfel', 'HasAnÖp', '_x']) await addPredefined(server, { name })
    expect(await result('öp', library)).toEqual(['HasAnÖp', 'Öpfel'])
    expect(await result('Ö', library)).toEqual(['HasAnÖp', 'Öpfel'])
    expect(await result('_', library)).toEqual(['_x', 'per_cent%x'])
    expect(await result('%', library)).toEqual(['per_cent%x'])
  })

  it('lists of entities and manifests follow renames and deletions', async () => {
    const { id } = await create('Wanderer')
    await designer.call(updateEntity, { params: { id }, body: { entity: { name: 'Settler' } }, ifMatch: '*' })
    expect([await result('wander'), await result('settle')]).toEqual([[], ['Settler']])
    await designer.call(deleteEntity, { params: { id } })
    expect(await result('settle')).toEqual([])
  })

  it('the count of a filtered list equals the number of its rows', async () => {
    for (const filter of ['ALL', 'DEFAULT', 'PRIVATE', 'RESOLVED', 'EXCLUSIVE'] as const) {
      const all = await designer.call(listEntities, { query: { filter } })
      expect([filter, all.totalElements]).toEqual([filter, all.entity.length])
      const [first] = all.entity
      for (const more of [
        { excludedEntity: first?.id ?? -1 },
        { folderFilter: first?.folder ?? '' },
        { excludedEntity: 999_999_999 },
      ]) {
        const { entity, totalElements } = await designer.call(listEntities, { query: { filter, ...more } })
        expect([filter, more, totalElements]).toEqual([filter, more, entity.length])
      }
    }
    const { entityLogs, totalElements } = await designer.call(listEntityLogs, { query: { limit: 1000 } })
    expect(totalElements).toBe(entityLogs.length)
  })

  it('merge own and predefined entities in one order, by page and by place', async () => {
    const whole = (await designer.call(listEntities, { query: {} })).entity.map(item => item.id)
    const pages: number[] = []
    const places: number[] = []
    let after: string | undefined
    for (let page = 0; pages.length < whole.length; page++) {
      pages.push(...(await designer.call(listEntities, { query: { page, limit: 150 } })).entity.map(item => item.id))
      const part = await designer.call(listEntities, {
        query: { limit: 150, ...(after === undefined ? {} : { after }) },
      })
      places.push(...part.entity.map(item => item.id))
      after = part.next ?? undefined
    }
    expect([pages, places]).toEqual([whole, whole])
  })

  it("return a manifest's relationships in order with current names", async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Related' } })
    const target = await create('Target', manifest.id)
    const entityAttributes = ['bbId', 'aaId'].map(key => aRelationship(target, key))
    await create('Source', manifest.id, { entityAttributes })
    await designer.call(updateEntity, {
      params: { id: target.id },
      body: {
        entity: {
          name: 'Aim',
          typeAttributes: [
            { uid: target.typeAttributes[0]?.uid, name: 'key', dataType: 'integer', purpose: 'identifiedBy' },
          ],
        },
      },
      ifMatch: '*',
    })
    const { relationships } = (await designer.call(getManifest, { params: { id: manifest.id } })).manifest
    const end = { fromEntity: 'Source', toEntity: 'Aim', toEntityAttribute: 'key' }
    expect(relationships).toEqual(['bbId', 'aaId'].map(fromEntityAttribute => ({ ...end, fromEntityAttribute })))
    await designer.call(deleteManifest, { params: { id: manifest.id } })
  })

  it('page through thousands of matches with the correct total', async () => {
    const organisation = await organisationId(server)
    const { store: open } = server.context
    const made = (await open.ids.take(2100)).map((id, index) => {
      const content = newEntityContent({ name: `Mass${index}` })
      return { id, path: `user-defined/Mass${index}`, content }
    })
    const insert = (tx: Db) => insertEntities(tx, organisation, made, { userName: 'Filler' })
    await open.of(organisation).transaction().execute(insert)
    const page = async (query: object) => {
      const { entity, totalElements } = await designer.call(listEntities, { query })
      return [entity.length, totalElements]
    }
    for (const order of ['name', 'match'] as const) {
      for (const search of ['mass', 'as', 's']) {
        const requested = { search, filter: 'PRIVATE' as const, order, limit: 1000 }
        const [, total] = await page({ ...requested, limit: 1 })
        const rest = Number(total) - 2000
        expect(await page(requested)).toEqual([1000, total])
        expect(await page({ ...requested, page: 2 })).toEqual([rest, total])
        expect(await page({ ...requested, page: 3 })).toEqual([0, total])
      }
    }
    expect(await page({ search: 'mass', filter: 'PRIVATE', limit: 1 })).toEqual([1, 2100])
    expect(await result('mass209')).toHaveLength(11)
    server.advance(10_000)
  })
})
