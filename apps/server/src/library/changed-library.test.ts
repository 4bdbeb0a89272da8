import { createEntity, deleteEntity, getEntity, listEntities } from '@cadmus/model/contract/entity'
import { addEntitiesToManifest, createManifest, getManifest } from '@cadmus/model/contract/manifest'
import { listEntityReferences } from '@cadmus/model/contract/references'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { danglingColumns } from '../testing/dangling-references.ts'
import { aRelationship, organisationId } from '../testing/entities.ts'
import { loadLibrary } from './load-library.ts'

const shipped = resolve(import.meta.dirname, '../../../../library')

// Each test reads the whole library several times.

describeOnBothStores.whenProving('A library folder that changes while referenced', store => {
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

  function replace(file: string, from: string, to: string) {
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to))
  }

  const columns = async ({ id }: { id: number }) => {
    const { entity } = await designer.call(getEntity, { params: { id } })
    return entity.typeAttributes.map(({ name }) => name)
  }

  it('a changed library folder keeps a removed attribute with references, including references through a subtype', async () => {
    const brand = await named('Brand')
    const extendsBrand = { entity: { name: 'OwnBrand', extendsEntity: { id: brand.id } } }
    const subtype = (await designer.call(createEntity, { body: extendsBrand })).entity
    const relationship = aRelationship(subtype, 'byCode', 'brandCode')
    const foreignKeyAttribute = { ...relationship.foreignKeyAttribute, dataType: 'string' as const }
    const entityAttributes = [{ ...relationship, foreignKeyAttribute }]
    const body = { entity: { name: 'RefersToBrand', entityAttributes } }
    const referrer = (await designer.call(createEntity, { body })).entity
    replace('products/Brand.cdm.json', 'brandCode', 'brandSign')
    replace('products/Brand.cdm.json', 'brandName', 'brandTitle')
    await loadLibrary(console.context)
    expect(await columns(brand)).toEqual(expect.arrayContaining(['brandSign', 'brandTitle', 'brandCode']))
    expect(await columns(brand)).not.toContain('brandName')
    expect(console.log.some(line => line.includes('referenced attributes kept'))).toBe(true)
    expect(await danglingColumns(console, await organisationId(console))).toEqual([])
    await designer.call(deleteEntity, { params: { id: referrer.id } })
    replace('products/Brand.cdm.json', 'brandTitle', 'brandHeading')
    await loadLibrary(console.context)
    expect(await columns(brand)).not.toContain('brandCode')
  })

  it('replaces a renamed entity by a new one, while manifests keep listing each name once', async () => {
    const holiday = await named('PublicHoliday')
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Holidays' } })
    const admin = await console.as('admin', 'ACME')
    await admin.call(addEntitiesToManifest, {
      params: { id: manifest.id },
      body: { entityIds: [holiday.id], type: 'TEMPLATE' },
    })
    const own = { entity: { name: 'FeastDay' }, targetManifestId: manifest.id }
    const feast = (await designer.call(createEntity, { body: own })).entity
    replace('locations/PublicHoliday.cdm.json', '"PublicHoliday"', '"FeastDay"')
    replace('locations/locations.manifest.cdm.json', '"PublicHoliday"', '"FeastDay"')
    replace(
      'locations/locations.manifest.cdm.json',
      'PublicHoliday.cdm.json/PublicHoliday',
      'PublicHoliday.cdm.json/FeastDay',
    )
    await loadLibrary(console.context)
    const renamed = await named('FeastDay')
    expect([holiday.id, feast.id]).not.toContain(renamed.id)
    const members = async () =>
      (await designer.call(getManifest, { params: { id: manifest.id } })).manifest.entityPaths.map(({ name }) => name)
    expect((await members()).toSorted()).toEqual(['FeastDay', 'PublicHoliday'])
    // The name of a hidden entity is still in use in its manifests, because the entity may return.
    const twin = { entity: { name: 'PublicHoliday' }, targetManifestId: manifest.id }
    expect((await designer.refusal(createEntity, { body: twin })).status).toBe(400)
    const { references } = await designer.call(listEntityReferences, { params: { id: holiday.id } })
    expect(references.map(({ kind, id }) => [kind, id])).toEqual([['member', manifest.id]])
  })
})
