import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity, getEntity, getEntityScopes, updateEntity } from '@cadmus/model/contract/entity'
import { addEntitiesToManifest, createManifest, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, saveBody } from '../testing/entities.ts'

describeOnBothStores.whenProving('The scopes offered for an entity', store => {
  let server: TestConsole
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  const defining = async (manifestName: string, entities: number[], scopes: string[], globalScopes: string[] = []) => {
    const { manifest } = await admin.call(createManifest, { body: { manifestName } })
    const members = { entityIds: entities, type: 'TEMPLATE' as const }
    await admin.call(addEntitiesToManifest, { params: { id: manifest.id }, body: members })
    const apiScopeConfiguration = { scopeDefinitions: scopes, globalScopes }
    const body = { manifestName, configurationBuild: { apiScopeConfiguration } }
    await admin.call(saveManifestConfiguration, { params: { id: manifest.id }, body, ifMatch: '*' })
  }
  const offered = async (id: number) => (await admin.call(getEntityScopes, { params: { id } })).scopes

  it(
    'Decisions §10 are those that any manifest with the entity defines, including predefined manifests, without the global scopes',
    holds('E3.74'),
    async () => {
      const id = await addPredefined(server, { name: 'ScopedCore' })
      expect(await offered(id)).toEqual([])
      await defining('First', [id], ['read', 'write', 'all'], ['all'])
      await defining('Second', [id], ['write', 'audit'])
      expect((await offered(id)).toSorted()).toEqual(['audit', 'read', 'write'])
      const { answer, etag } = await admin.callWithTag(getEntity, { params: { id } })
      const operationScopes = { ...answer.entity.operationScopes, selectOperationScopes: ['read'] }
      const body = saveBody(answer.entity, { operationScopes })
      const saved = await admin.call(updateEntity, { params: { id }, body, ifMatch: etag })
      expect(saved.entity.operationScopes.selectOperationScopes).toEqual(['read'])
    },
  )

  it('an entity without manifest has no offered scopes; an unknown entity is 404', async () => {
    const { entity } = await admin.call(createEntity, { body: { entity: { name: 'Loose' } } })
    expect(await offered(entity.id)).toEqual([])
    expect((await admin.refusal(getEntityScopes, { params: { id: 99_999_999 } })).status).toBe(404)
  })
})
