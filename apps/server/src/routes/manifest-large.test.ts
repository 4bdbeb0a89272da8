import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfiguration } from '@cadmus/model/configuration'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  createManifestByWizard,
  getManifest,
  getManifestConfiguration,
  listManifestEntities,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId, saveBody } from '../testing/entities.ts'
import { rowCounts } from '../testing/rejections.ts'

describeOnBothStores.whenProving('A manifest with many entities', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  const names = Array.from({ length: 130 }, (_, index) => `Many${index}`)

  it(
    'a manifest with many entities is duplicated completely and in order, in slices invisible until the end',
    holds('M3.68'),
    async () => {
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
    },
  )

  it('a manifest with many entities is duplicated with scopes, which the configuration must keep while in use', async () => {
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

  it('a large manifest whose name is in use is rejected and nothing is stored', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Large2', exclusiveEntities: names },
    })
    const body = { manifestName: 'large2', duplicateManifest: manifest.id }
    const { answer } = await designer.refusal(createManifestByWizard, { body })
    expect(answer.message).toBe('A manifest with the name "large2" already exists.')
  })

  it('many entities are added completely and in order in one change, or none', holds('M3.68'), async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'Source', exclusiveEntities: names.map(name => `Added${name}`) },
    })
    const { manifest: into } = await designer.call(createManifest, {
      body: { manifestName: 'Target', exclusiveEntities: ['First'] },
    })
    const entityIds = manifest.entityPaths.map(item => item.id)
    const add = { params: { id: into.id }, body: { entityIds } }
    const { entities } = await designer.call(addEntitiesToManifest, add)
    const requested = manifest.entityPaths.map(({ name }) => name)
    expect(entities.map(({ name }) => name)).toEqual(requested)
    const { manifest: filled } = await designer.call(getManifest, { params: { id: into.id } })
    expect(filled.entityPaths.map(({ name }) => name)).toEqual(['First', ...requested])
    expect(filled.entityPaths.slice(1).map(({ id }) => id)).toEqual(entities.map(({ id }) => id))
    expect(filled.entityPaths.every(({ path }) => path.startsWith('user-defined/Target/'))).toBe(true)
    const { entity } = await designer.call(getEntity, { params: { id: entities[60]?.id ?? 0 } })
    expect(entity).toMatchObject({ name: 'AddedMany60', targetManifest: { id: into.id } })
    const changes = await changesOf([into.id, ...entities.map(({ id }) => id)])
    expect([changes.length, new Set(changes).size]).toEqual([entities.length + 2, 2])

    const before = await rowCounts(console)
    const { answer } = await designer.refusal(addEntitiesToManifest, add)
    expect(answer.message).toBe('An entity with the name "AddedMany0" already exists.')
    expect(await rowCounts(console)).toEqual(before)
    expect((await designer.call(getManifest, { params: { id: into.id } })).manifest).toEqual(filled)
  })

  /** The change id of every audit entry of these entities. */
  async function changesOf(ids: readonly number[]): Promise<number[]> {
    const organisation = await organisationId(console, 'ACME')
    const rows = await console.context.store
      .of(organisation)
      .selectFrom('audit_entry')
      .select('change_id')
      .where('organisation_id', '=', organisation)
      .where('import_id', '=', 0)
      .where('target_id', 'in', ids)
      .execute()
    return rows.map(row => row.change_id)
  }
})
