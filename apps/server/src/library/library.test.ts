import { getEntity, listEntities } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  createManifest,
  deleteManifest,
  getManifest,
  listManifests,
  removeEntityFromManifest,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { exportManifest, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { generateNavigator, getNavigator, getNavigatorVersion } from '@cadmus/model/contract/navigator'
import { holds } from '@cadmus/testing/holds'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadLibrary } from './load-library.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

const shipped = resolve(import.meta.dirname, '../../../../library')

describeOnBothStores.whenProving('The predefined library', store => {
  let console: TestConsole
  let designer: ConsoleClient
  let folder: string
  beforeAll(async () => {
    folder = temporaryFolder('library')
    cpSync(shipped, folder, { recursive: true })
    console = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    designer = await console.as('designer')
  })
  afterAll(async () => {
    await console.stop()
    removeFolder(folder)
  })

  async function named(name: string) {
    const { entity } = await designer.call(listEntities, { query: { filter: 'DEFAULT', search: name } })
    const result = entity.find(item => item.name === name)
    if (result === undefined) throw new Error(`${name} is not in the library.`)
    return result
  }

  async function rename(file: string, from: string, to: string) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
  }

  it('the predefined library has at least 60 entities in themed folders, predefined and read-only', async () => {
    const { totalElements } = await designer.call(listEntities, { query: { filter: 'DEFAULT', limit: 1 } })
    expect(totalElements).toBeGreaterThanOrEqual(60)
    const order = await named('SalesOrder')
    expect(order).toMatchObject({ location: 'predefined/sales/SalesOrder', folder: 'predefined/sales' })
    const { entity } = await designer.call(getEntity, { params: { id: order.id } })
    expect(entity).toMatchObject({ isDefault: true, type: 'TEMPLATE' })
    expect(entity.entityAttributes.map(item => item.associatedEntity.name)).toContain('Account')
  })

  it(
    'the predefined library contains users and groups of the directory as entities of the type CADMUS',
    holds('E3.15'),
    async () => {
      for (const name of ['User', 'Group']) {
        const listed = await named(name)
        expect(listed).toMatchObject({ type: 'CADMUS', location: `predefined/identity/${name}` })
        const { entity } = await designer.call(getEntity, { params: { id: listed.id } })
        expect(entity).toMatchObject({ name, type: 'CADMUS' })
      }
    },
  )

  it('lists a template of a manifest in place, with the type TEMPLATE', holds('E3.13'), async () => {
    const { id } = await named('Brand')
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'WithTemplate' } })
    const adding = { params: { id: manifest.id }, body: { entityIds: [id], type: 'TEMPLATE' } }
    await console.bootstrap('ACME').call(addEntitiesToManifest, adding)
    const { entityPaths } = (await designer.call(getManifest, { params: { id: manifest.id } })).manifest
    expect(entityPaths).toMatchObject([{ id, name: 'Brand', type: 'TEMPLATE' }])
    expect((await designer.call(getEntity, { params: { id } })).entity.type).toBe('TEMPLATE')
  })

  it('locks core manifests', holds('M4.5', 'M4.6', 'M4.7', 'M4.8'), async () => {
    const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT', search: 'sales' } })
    const sales = manifests.find(item => item.name === 'sales')
    expect(sales).toMatchObject({ isDefault: true, location: 'predefined/sales/sales' })
    const params = { id: sales?.id ?? 0 }
    const message = 'Predefined content is read-only.'
    expect((await designer.refusal(deleteManifest, { params })).answer).toMatchObject({ code: 'locked', message })
    const body = { entityIds: [(await named('Account')).id] }
    expect((await designer.refusal(addEntitiesToManifest, { params, body })).answer.message).toBe(message)
    const member = { id: params.id, entityId: (await named('SalesOrder')).id }
    expect((await designer.refusal(removeEntityFromManifest, { params: member })).answer.message).toBe(message)
    const versioned = { params, query: { version: '9.0.0' } }
    expect((await designer.refusal(addManifestVersion, versioned)).answer.message).toBe(message)
    const configured = { params, body: {}, ifMatch: '*' }
    expect((await designer.refusal(saveManifestConfiguration, configured)).answer.message).toBe(message)
    const unexported = 'Predefined manifests cannot be exported.'
    expect((await designer.refusal(exportManifest, { params, body: {} })).answer.message).toBe(unexported)
  })

  it('validates without error or warning', async () => {
    const { manifests } = await designer.call(listManifests, { query: { filter: 'DEFAULT', search: 'library' } })
    const { problems } = await designer.call(validateManifest, { params: { id: manifests[0]?.id ?? 0 } })
    // Notes about licensed databases appear for every model.
    expect(problems.filter(problem => problem.severity !== 'note')).toEqual([])
  })

  it('provides the navigator with tree, build version and both workspaces', holds('E3.64'), async () => {
    const { coreSchema, workspaces } = await designer.call(getNavigator, {})
    const paths = new Set(coreSchema.nodes.map(node => node.path))
    expect(coreSchema.nodes.every(node => node.parent === '' || paths.has(node.parent))).toBe(true)
    expect(coreSchema.nodes.filter(node => node.parent === '' && node.kind === 'folder').length).toBeGreaterThan(10)
    expect(workspaces.map(item => item.name)).toEqual(['predefined', 'user-defined'])
    expect(workspaces[0]?.entities).toHaveLength(20)
    for (const { entities, entityPaths, manifests, manifestPaths } of workspaces) {
      expect(entityPaths).toEqual(entities.map(({ location }) => location))
      expect(manifestPaths).toEqual(manifests.map(({ location }) => location))
    }
    const { buildVersion } = await designer.call(getNavigatorVersion, {})
    expect(coreSchema.buildVersion).toBe(buildVersion)
  })

  it('Decisions §5 a refresh keeps ids and uids, hides removed but referenced objects, and changes the version', async () => {
    const before = await designer.call(getEntity, { params: { id: (await named('Brand')).id } })
    const removed = await named('PublicHoliday')
    const stored = await named('Country')
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Refers' } })
    await console.bootstrap('ACME').call(addEntitiesToManifest, {
      params: { id: manifest.id },
      body: { entityIds: [removed.id], type: 'TEMPLATE' },
    })
    const { buildVersion } = await designer.call(getNavigatorVersion, {})
    await rename('products/Brand.cdm.json', 'logoUrl', 'logoAddress')
    rmSync(join(folder, 'locations/PublicHoliday.cdm.json'))
    const { coreSchema } = await console.bootstrap('CADMUS').call(generateNavigator, {})
    expect(coreSchema.buildVersion).not.toBe(buildVersion)
    expect(coreSchema.nodes.some(node => node.name === 'PublicHoliday')).toBe(false)
    expect((await named('Country')).id).toBe(stored.id)
    const after = await designer.call(getEntity, { params: { id: before.entity.id } })
    expect(after.entity.uid).toBe(before.entity.uid)
    const uids = (entity: typeof after.entity) => new Map(entity.typeAttributes.map(item => [item.name, item.uid]))
    const [old, now] = [uids(before.entity), uids(after.entity)]
    expect(now.get('brandName')).toBe(old.get('brandName'))
    expect([...now.keys()]).not.toEqual([...old.keys()])
    const { manifest: still } = await designer.call(getManifest, { params: { id: manifest.id } })
    expect(still.entityPaths.map(item => item.name)).toEqual(['PublicHoliday'])
  })

  it('the predefined library is read only if its folder has changed', async () => {
    const read = () => console.log.filter(line => line.includes('library loaded')).length
    const before = read()
    await loadLibrary(console.context)
    expect(read()).toBe(before)
    await rename('products/Brand.cdm.json', 'brandPosition', 'marketPosition')
    await loadLibrary(console.context)
    expect(read()).toBe(before + 1)
  })
})
