import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  addSubManifests,
  createManifest,
  createManifestByWizard,
  deleteManifest,
  deleteManifestVersion,
  getManifest,
  getManifestVersionContent,
  listManifestEntities,
  listManifestParents,
  listManifests,
  listManifestVersions,
  removeEntityFromManifest,
  removeSubManifest,
} from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('The manifest service', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  let count = 0
  const freshName = () => `Made_${store}${++count}`

  async function made(input: { manifestName?: string; exclusiveEntities?: string[]; subManifests?: number[] } = {}) {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: freshName(), ...input } })
    return manifest
  }

  async function read(id: number) {
    return (await designer.call(getManifest, { params: { id } })).manifest
  }

  async function members(id: number, query: object = {}) {
    return (await designer.call(listManifestEntities, { params: { id }, query })).entity
  }

  describe('create', () => {
    it('creates a manifest with id, name, path and version 1.0.0', holds('M7.12', 'M3.1', 'M3.6'), async () => {
      const manifest = await made({ manifestName: 'Plain' })
      expect(manifest).toMatchObject({ name: 'Plain', path: 'user-defined/Plain', isDefault: false })
      expect(manifest).toMatchObject({ latestVersion: '1.0.0', currentVersion: '1.0.0', parentManifestId: -1 })
      expect(await read(manifest.id)).toEqual(manifest)
    })

    it('adds a repeated sub-manifest once', async () => {
      const { id } = await made()
      const manifest = await made({ subManifests: [id, id] })
      expect(manifest.subManifestPaths.map(sub => sub.id)).toEqual([id])
    })

    it('rejects names that are invalid, too short or long, or in use', holds('M5.3', 'M5.4'), async () => {
      const refused = async (manifestName: string) =>
        (await designer.refusal(createManifest, { body: { manifestName } })).answer.errors?.[0]?.path
      expect(await refused('a')).toBe('manifestName')
      expect(await refused('a'.repeat(51))).toBe('manifestName')
      expect(await refused('a__b')).toBe('manifestName')
      await made({ manifestName: 'a'.repeat(50) })
      await made({ manifestName: 'Taken' })
      const { status, answer } = await designer.refusal(createManifest, { body: { manifestName: ' tAKEN ' } })
      expect([status, answer.message]).toEqual([400, 'A manifest with the name "tAKEN" already exists.'])
    })

    it('creates entities with a key by the wizard', holds('M7.13', 'M7.14', 'M3.71', 'M3.74', 'M3.75'), async () => {
      const body = {
        manifestName: freshName(),
        exclusiveEntities: ['First', 'Second'],
        version: '2.0.0',
        generateType: 'Database' as const,
      }
      const { manifest, generateType } = await designer.call(createManifestByWizard, { body })
      expect(generateType).toBe('Database')
      expect(manifest.latestVersion).toBe('2.0.0')
      expect(manifest.entityPaths.map(entity => entity.path)).toEqual([
        `user-defined/${manifest.name}/First`,
        `user-defined/${manifest.name}/Second`,
      ])
      const { entity } = await designer.call(getEntity, { params: { id: manifest.entityPaths[0]?.id ?? 0 } })
      expect(entity).toMatchObject({ primaryKey: 'id', type: 'EXCLUSIVE', targetManifest: { id: manifest.id } })
    })

    it(
      'duplicates a manifest with copies that refer to each other and the same sub-manifests',
      holds('M2.123', 'M3.8', 'M3.68', 'M3.76'),
      async () => {
        const sub = await made({ exclusiveEntities: ['Deep'] })
        const original = await made({ exclusiveEntities: ['Head'], subManifests: [sub.id] })
        const head = original.entityPaths[0]?.id ?? 0
        await designer.call(createEntity, {
          body: {
            entity: {
              name: 'Line',
              extendsEntity: { id: head },
              entityAttributes: [
                {
                  associatedEntityId: head,
                  associatedEntityTypeAttribute: 'id',
                  foreignKeyAttribute: { typeAttributeName: 'headId' },
                },
              ],
            },
            targetManifestId: original.id,
          },
        })
        const body = { manifestName: freshName(), duplicateManifest: original.id }
        const { manifest } = await designer.call(createManifestByWizard, { body })
        expect(manifest.entityPaths.map(entity => entity.name)).toEqual(['Head', 'Line'])
        expect(manifest.subManifestPaths.map(item => item.id)).toEqual([sub.id])
        const [copiedHead, copiedLine] = manifest.entityPaths
        expect(copiedHead?.id).not.toBe(head)
        const { entity } = await designer.call(getEntity, { params: { id: copiedLine?.id ?? 0 } })
        expect(entity.extendsEntity?.id).toBe(copiedHead?.id)
        expect(entity.entityAttributes[0]?.associatedEntity).toMatchObject({
          id: copiedHead?.id,
          path: copiedHead?.path,
        })
        expect(manifest.relationships).toEqual([
          { fromEntity: 'Line', fromEntityAttribute: 'headId', toEntity: 'Head', toEntityAttribute: 'id' },
        ])
      },
    )
  })

  describe('lists', () => {
    it(
      'filters, pages and searches manifests',
      holds('M7.19', 'M7.20', 'M7.21', 'M7.22', 'M7.23', 'M7.24', 'M7.25'),
      async () => {
        const a = await made({ manifestName: 'Zz_list_a' })
        const b = await made({ manifestName: 'zz_List_b' })
        const names = async (query: object) =>
          (await designer.call(listManifests, { query: { search: 'ZZ_LIST', ...query } })).manifests.map(
            item => item.name,
          )
        expect(await names({})).toEqual([a.name, b.name])
        expect(await names({ limit: 1, page: 1 })).toEqual([b.name])
        expect(await names({ exclude: a.id })).toEqual([b.name])
        expect(await names({ filter: 'PRIVATE' })).toEqual([a.name, b.name])
        expect(await names({ filter: 'DEFAULT' })).toEqual([])
        const answer = await designer.call(listManifests, { query: { search: 'zz_list', limit: 1 } })
        expect(answer).toMatchObject({ totalElements: 2, size: 1, page: 0, result: 'OK', message: '' })
        expect(await names({ limit: 1, after: answer.next ?? '' })).toEqual([b.name])
        const places = async (filter: 'ALL' | 'DEFAULT' | 'PRIVATE') => {
          const { manifests } = await designer.call(listManifests, { query: { filter } })
          return [...new Set(manifests.map(({ location }) => location.split('/')[0]))].toSorted()
        }
        expect(await places('DEFAULT')).toEqual(['predefined'])
        expect(await places('PRIVATE')).toEqual(['user-defined'])
        expect(await places('ALL')).toEqual(['predefined', 'user-defined'])
      },
    )

    it('lists entities in order', holds('M7.30', 'M7.31', 'M7.32'), async () => {
      const manifest = await made({ exclusiveEntities: ['Zebra', 'Ape', 'Aphid'] })
      const [zebra] = manifest.entityPaths
      const names = async (query: object) => (await members(manifest.id, query)).map(item => item.name)
      expect(await names({})).toEqual(['Zebra', 'Ape', 'Aphid'])
      expect(await names({ excludeEntityId: zebra?.id })).toEqual(['Ape', 'Aphid'])
      expect(await names({ limit: 1, page: 1 })).toEqual(['Ape'])
      expect(await names({ search: 'aph' })).toEqual(['Aphid'])
    })
  })

  describe('entities of a manifest', () => {
    it('adds independent EXCLUSIVE copies, in any case of the type', holds('M7.7', 'M7.9'), async () => {
      const from = await made({ exclusiveEntities: ['Original'] })
      const to = await made()
      const entityIds = from.entityPaths.map(entity => entity.id)
      const { entities } = await designer.call(addEntitiesToManifest, {
        params: { id: to.id },
        body: { entityIds, type: 'exclusive' },
      })
      expect(entities).toMatchObject([{ name: 'Original', path: `user-defined/${to.name}/Original` }])
      expect(entities[0]?.id).not.toBe(entityIds[0])
      expect((await read(to.id)).entityPaths).toMatchObject([{ name: 'Original', type: 'EXCLUSIVE' }])
      expect((await members(to.id)).map(({ id, name }) => [id, name])).toEqual([[entities[0]?.id, 'Original']])
    })

    it('adds nothing if an id is unknown, and no entity twice', holds('M7.8'), async () => {
      const from = await made({ exclusiveEntities: ['Original'] })
      const to = await made()
      const add = { params: { id: to.id }, body: { entityIds: [from.entityPaths[0]?.id ?? 0, 999_999_999] } }
      expect((await designer.refusal(addEntitiesToManifest, add)).status).toBe(404)
      expect((await read(to.id)).entityPaths).toEqual([])
      const once = { params: { id: to.id }, body: { entityIds: [from.entityPaths[0]?.id ?? 0] } }
      await designer.call(addEntitiesToManifest, once)
      const { status, answer } = await designer.refusal(addEntitiesToManifest, once)
      expect([status, answer.message]).toEqual([400, 'An entity with the name "Original" already exists.'])
    })

    it('adds TEMPLATE references for administrators only, whose removal deletes no entity', holds('M7.9'), async () => {
      const from = await made({ exclusiveEntities: ['Shared'] })
      const to = await made()
      const id = from.entityPaths[0]?.id ?? 0
      const add = { params: { id: to.id }, body: { entityIds: [id], type: 'TEMPLATE' } }
      expect((await designer.refusal(addEntitiesToManifest, add)).status).toBe(403)
      await console.bootstrap('ACME').call(addEntitiesToManifest, add)
      expect((await read(to.id)).entityPaths).toMatchObject([{ id, type: 'TEMPLATE' }])
      await designer.call(removeEntityFromManifest, { params: { id: to.id, entityId: id } })
      expect((await designer.call(getEntity, { params: { id } })).entity.name).toBe('Shared')
    })

    it('deletes an exclusive entity when it is removed', holds('M7.10'), async () => {
      const manifest = await made({ exclusiveEntities: ['Gone', 'Stays'] })
      const id = manifest.entityPaths[0]?.id ?? 0
      await designer.call(removeEntityFromManifest, { params: { id: manifest.id, entityId: id } })
      expect((await read(manifest.id)).entityPaths.map(entity => entity.name)).toEqual(['Stays'])
      expect((await members(manifest.id)).map(({ name }) => name)).toEqual(['Stays'])
      expect((await designer.refusal(getEntity, { params: { id } })).status).toBe(404)
    })
  })

  describe('sub-manifests', () => {
    it(
      'adds a sub-manifest, names its parent, and removes it',
      holds('M7.15', 'M7.16', 'M7.11', 'M3.3', 'M3.4'),
      async () => {
        const sub = await made()
        const other = await made()
        const parent = await made({ subManifests: [other.id] })
        await designer.call(addSubManifests, { params: { id: parent.id }, body: { submanifests: [sub.id] } })
        expect((await read(parent.id)).subManifestPaths.map(item => item.id)).toEqual([other.id, sub.id])
        expect((await read(sub.id)).parentManifestId).toBe(parent.id)
        const { manifests } = await designer.call(listManifestParents, { params: { id: sub.id } })
        expect(manifests.map(item => item.id)).toEqual([parent.id])
        await designer.call(removeSubManifest, { params: { id: parent.id, subId: sub.id } })
        expect((await read(parent.id)).subManifestPaths.map(item => item.id)).toEqual([other.id])
        expect((await read(sub.id)).parentManifestId).toBe(-1)
      },
    )

    it('rejects a manifest as its own direct or indirect sub-manifest', holds('M5.10'), async () => {
      const low = await made()
      const middle = await made({ subManifests: [low.id] })
      const top = await made({ subManifests: [middle.id] })
      const refusal = async (id: number, sub: number) =>
        (await designer.refusal(addSubManifests, { params: { id }, body: { submanifests: [sub] } })).answer.message
      expect(await refusal(top.id, top.id)).toBe("You can't select the same manifest as your sub-manifest.")
      expect(await refusal(low.id, top.id)).toBe(`${top.name} already contains ${low.name}.`)
      expect(await refusal(top.id, middle.id)).toBe(`${middle.name} is already a sub-manifest.`)
    })
  })

  it('deletes a manifest with its entities and its entries in parents', holds('M7.6'), async () => {
    const sub = await made({ exclusiveEntities: ['Owned'] })
    const parent = await made({ subManifests: [sub.id] })
    await designer.call(deleteManifest, { params: { id: sub.id } })
    expect((await designer.refusal(getManifest, { params: { id: sub.id } })).status).toBe(404)
    const entity = { params: { id: sub.entityPaths[0]?.id ?? 0 } }
    expect((await designer.refusal(getEntity, entity)).status).toBe(404)
    expect((await read(parent.id)).subManifestPaths).toEqual([])
    expect((await designer.call(createManifest, { body: { manifestName: sub.name } })).manifest.name).toBe(sub.name)
  })

  describe('versions', () => {
    it(
      'freezes the state, and keeps an old version unchanged',
      holds('M7.48', 'M7.49', 'M7.50', 'M3.7', 'M3.10', 'M3.11'),
      async () => {
        const subManifests = [(await made()).id, (await made()).id].toReversed()
        const manifest = await made({ exclusiveEntities: ['Kept', 'Dropped'], subManifests })
        const { id } = manifest
        await designer.call(addManifestVersion, { params: { id }, query: { version: '1.1.0' } })
        await designer.call(removeEntityFromManifest, {
          params: { id, entityId: manifest.entityPaths[1]?.id ?? 0 },
        })
        expect(await read(id)).toMatchObject({ latestVersion: '1.1.0', versions: ['1.1.0', '1.0.0'] })
        const { manifest: old } = await designer.call(getManifest, { params: { id }, query: { version: '1.0.0' } })
        expect(old).toMatchObject({ currentVersion: '1.0.0', latestVersion: '1.1.0' })
        expect(old.entityPaths.map(entity => entity.name)).toEqual(['Kept', 'Dropped'])
        const requested = { params: { id }, query: { version: '1.0.0' } }
        const { manifest: stored } = await designer.call(getManifestVersionContent, requested)
        const ids = manifest.entityPaths.map(entity => entity.id)
        expect(JSON.parse(stored.CONTENT)).toMatchObject({ entities: ids, subManifests })
        const { manifestVersions } = await designer.call(listManifestVersions, { params: { id } })
        expect(manifestVersions.map(item => item.VERSION)).toEqual(['1.1.0', '1.0.0'])
      },
    )

    it('rejects invalid, lower or existing versions, and deletes all but the latest', holds('M7.51'), async () => {
      const { id } = await made()
      const refused = async (version: string) =>
        (await designer.refusal(addManifestVersion, { params: { id }, query: { version } })).answer.message
      expect(await refused('one')).toBe('Invalid version pattern.')
      expect(await refused('1.0.0')).toBe('Version 1.0.0 already exists.')
      expect(await refused('0.9.0')).toBe('Version 0.9.0 must be higher than 1.0.0.')
      await designer.call(addManifestVersion, { params: { id }, query: { version: '2.0.0' } })
      const latest = await designer.refusal(deleteManifestVersion, { params: { id }, query: { version: '2.0.0' } })
      expect(latest.answer.message).toBe('The latest version cannot be deleted.')
      const deleted = await designer.call(deleteManifestVersion, { params: { id }, query: { version: '1.0.0' } })
      expect(deleted.message).toBe('Successfully deleted manifest version.')
      expect((await read(id)).versions).toEqual(['2.0.0'])
    })
  })
})
