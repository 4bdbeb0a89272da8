import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  addEntityVersion,
  createEntity,
  deleteEntity,
  searchAttributes,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { createManifest, deleteManifest } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { addAttributeNames } from '../store/attribute-search.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, aRelationship, organisationId, typeAttributeBody } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'

describeOnBothStores('The search for attributes', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (name: string, attributes: readonly string[], targetManifestId = -1) => {
    const typeAttributes = attributes.map(attribute => ({ name: attribute }))
    return (await designer.call(createEntity, { body: { entity: { name, typeAttributes }, targetManifestId } })).entity
  }
  const result = async (search: string, more: { limit?: number } = {}, client = designer) =>
    (await client.call(searchAttributes, { query: { search, ...more } })).attributes.map(
      ({ name, entity }) => `${entity.path}.${name}`,
    )

  it('finds any part of a name in the whole organisation, exact matches first, then prefixes', async () => {
    await create('Parcel', ['zzWeight', 'grossZzWeight', 'zzWeightUnit'])
    await create('Truck', ['zzweight'])
    expect(await result('ZZWEIGHT')).toEqual([
      'user-defined/Parcel.zzWeight',
      'user-defined/Truck.zzweight',
      'user-defined/Parcel.zzWeightUnit',
      'user-defined/Parcel.grossZzWeight',
    ])
    expect(await result('zz', { limit: 1 })).toEqual(['user-defined/Parcel.zzWeight'])
    expect(await result('sszz')).toEqual(['user-defined/Parcel.grossZzWeight'])
    for (const none of ['zz%', 'zz_eight', "zz' or 1", 'zz"', '\\']) expect(await result(none)).toEqual([])
  })

  it('returns uid and entity, and includes foreign keys', async () => {
    const target = await create('Depot', [])
    const { entity } = await designer.call(createEntity, {
      body: {
        entity: {
          name: 'Ramp',
          entityAttributes: [aRelationship(target, 'zz_depot_key')],
        },
      },
    })
    const { attributes } = await designer.call(searchAttributes, { query: { search: 'zz_depot' } })
    expect(attributes).toEqual([
      {
        uid: entity.entityAttributes[0]?.uid,
        name: 'zz_depot_key',
        entity: { id: entity.id, name: 'Ramp', path: entity.path },
      },
    ])
  })

  it('finds only current names, without renamed, removed, deleted and old ones', async () => {
    const entity = await create('Crane', ['zzReach'])
    await designer.call(addEntityVersion, {
      params: { id: entity.id },
      query: { version: '2.0.0' },
    })
    const typeAttributes = entity.typeAttributes.map(item =>
      typeAttributeBody({ ...item, name: item.name === 'zzReach' ? 'zzSpan' : item.name }),
    )
    await designer.call(updateEntity, {
      params: { id: entity.id },
      body: { entity: { name: 'Crane', typeAttributes } },
      ifMatch: '*',
    })
    expect([await result('zzReach'), await result('zzSpan')]).toEqual([[], ['user-defined/Crane.zzSpan']])
    await designer.call(deleteEntity, { params: { id: entity.id } })
    expect(await result('zzSpan')).toEqual([])
  })

  it('follows imports and the deletion of their manifest', async () => {
    const bytes = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
    const { manifest } = await designer.call(importManifest, { files: { manifestFile: { name: 'clinic.zip', bytes } } })
    const imported = async () =>
      (await result('i', { limit: 100 })).filter(item => item.startsWith(`user-defined/${manifest.name}/`))
    expect((await imported()).length).toBeGreaterThan(3)
    await designer.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'keep' } })
    expect(await imported()).toEqual([])
  })

  it('the attribute search lists own attributes before library attributes, and none of other organisations', async () => {
    await addPredefined(server, {
      name: 'Ship',
      typeAttributes: [newTypeAttribute({ name: 'zzDraught', position: 0 })],
    })
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Harbour' } })
    await create('Boat', ['zzDraughtOfBoat'], manifest.id)
    const both = await result('zzDraught')
    expect(both.map(item => item.split('.').at(-1))).toEqual(['zzDraughtOfBoat', 'zzDraught'])
    const admin = await server.as('admin', 'CADMUS')
    expect((await result('zzDraught', {}, admin)).map(item => item.split('.').at(-1))).toEqual(['zzDraught'])
    expect(await result('zzWeight', {}, admin)).toEqual([])
  })

  it('the search for attributes has no deadlock between writers of the same names in different orders', async () => {
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    for (let round = 0; round < 10; round++) {
      const names = Array.from({ length: 400 }, (_none, index) => `zzCross${round}x${index}`)
      const know = (list: readonly string[]) =>
        db.transaction().execute(async tx => addAttributeNames(tx, organisation, list))
      const both = await Promise.allSettled([know(names), know(names.toReversed()), know(names)])
      expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    }
  })

  it('scans a name once, even if a thousand entities use it', async () => {
    const organisation = await organisationId(server)
    for (let at = 0; at < 20; at++) await create(`Alike${at}`, ['zzAlike'])
    const names = await server.context.store
      .of(organisation)
      .selectFrom('attribute_name')
      .select('name')
      .where('organisation_id', '=', organisation)
      .where('name', '=', 'zzAlike')
      .execute()
    expect(names).toHaveLength(1)
    expect(await result('zzAlike', { limit: 100 })).toHaveLength(20)
  })
})
