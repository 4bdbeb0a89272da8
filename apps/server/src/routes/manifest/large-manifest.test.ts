import { readConfiguration } from '@cadmus/model/configuration'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { getManifestConfiguration, saveManifestConfiguration } from '@cadmus/model/contract/manifest-configuration'
import { createManifest, createManifestByWizard, getManifest } from '@cadmus/model/contract/manifest'
import { listManifestEntities } from '@cadmus/model/contract/manifest-members'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../../testing/console.ts'
import { saveBody } from '../../testing/entities.ts'

describeOnBothStores('A manifest with many entities', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  const names = Array.from({ length: 130 }, (_, index) => `Many${index}`)

  it('M3.68 is duplicated whole, in its order, in slices that nobody sees before the end', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Large', exclusiveEntities: names },
    })
    const body = { manifestName: 'Larger', duplicateManifest: manifest.id, exclusiveEntities: ['OneMore'] }
    const { manifest: copy } = await designer.call(createManifestByWizard, { body })
    expect(copy.entityPaths.map(item => item.name)).toEqual([...names, 'OneMore'])
    expect(copy.entityPaths.every(item => item.path.startsWith('user-defined/Larger/'))).toBe(true)
    const { manifest: read } = await designer.call(getManifest, { params: { id: copy.id } })
    expect(read).toEqual(copy)
    const { totalElements } = await designer.call(listManifestEntities, { params: { id: copy.id } })
    expect(totalElements).toBe(131)
    const { entity } = await designer.call(getEntity, { params: { id: copy.entityPaths[7]?.id ?? 0 } })
    expect(entity).toMatchObject({ name: 'Many7', primaryKey: 'id', targetManifest: { id: copy.id } })
  })

  it('its copies keep their scopes: one that they use cannot go from the configuration', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'LargeScoped', exclusiveEntities: names },
    })
    const configure = async (id: number, scopeDefinitions: string[]) => {
      const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
      const body = readConfiguration(answer.manifestProperties)
      body.configurationBuild.apiScopeConfiguration.scopeDefinitions = scopeDefinitions
      return designer.send(saveManifestConfiguration, { params: { id }, body, ifMatch: etag })
    }
    expect((await configure(manifest.id, ['read'])).status).toBe(200)
    const id = manifest.entityPaths[7]?.id ?? 0
    const { entity } = await designer.call(getEntity, { params: { id } })
    const operationScopes = { ...entity.operationScopes, selectOperationScopes: ['read'] }
    await designer.call(updateEntity, { params: { id }, body: saveBody(entity, { operationScopes }), ifMatch: '*' })
    const body = { manifestName: 'LargeScoped2', duplicateManifest: manifest.id }
    const { manifest: copy } = await designer.call(createManifestByWizard, { body })
    const { entity: copied } = await designer.call(getEntity, { params: { id: copy.entityPaths[7]?.id ?? 0 } })
    expect(copied.operationScopes).toEqual(operationScopes)
    expect((await configure(copy.id, [])).status).toBe(400)
    expect((await configure(copy.id, ['read', 'write'])).status).toBe(200)
  })

  it('leaves nothing where its name is taken', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Large2', exclusiveEntities: names },
    })
    const body = { manifestName: 'large2', duplicateManifest: manifest.id }
    const { answer } = await designer.refusal(createManifestByWizard, { body })
    expect(answer.message).toBe('A manifest with the name "large2" already exists.')
  })
})
