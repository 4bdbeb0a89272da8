import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addSubManifests,
  createManifest,
  getManifestPaths,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Names available to a configuration', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const manifest = async (manifestName: string) =>
    (await designer.call(createManifest, { body: { manifestName } })).manifest.id
  const entity = async (targetManifestId: number, input: { name: string; extendsEntity?: { id: number } }) =>
    (await designer.call(createEntity, { body: { entity: { typeAttributes: [], ...input }, targetManifestId } })).entity
  const paths = async (id: number) => designer.call(getManifestPaths, { params: { id } })

  it('names available to a configuration are the entities of a manifest and its sub-manifests, with own or inherited keys', async () => {
    const [above, below] = [await manifest('PathsAbove'), await manifest('PathsBelow')]
    const order = await entity(above, { name: 'Order' })
    const party = await entity(below, { name: 'Party' })
    const person = await entity(below, { name: 'Person', extendsEntity: { id: party.id } })
    await designer.call(addSubManifests, { params: { id: above }, body: { submanifests: [below] } })
    const { entities, scopes } = await paths(above)
    expect(entities).toEqual([
      { id: order.id, name: 'Order', path: 'user-defined/PathsAbove/Order', primaryKey: 'id' },
      { id: party.id, name: 'Party', path: 'user-defined/PathsBelow/Party', primaryKey: 'id' },
      { id: person.id, name: 'Person', path: 'user-defined/PathsBelow/Person', primaryKey: 'id' },
    ])
    expect(scopes).toEqual([])
    expect((await paths(below)).entities.map(({ name }) => name)).toEqual(['Party', 'Person'])
  })

  it('include the distinct scopes required by operations', async () => {
    const id = await manifest('PathsScoped')
    const apiScopeConfiguration = { scopeDefinitions: ['read', 'write', 'unused'] }
    const body = { configurationBuild: { apiScopeConfiguration } }
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })
    const operationScopes = { selectOperationScopes: ['read', 'write'], insertOperationScopes: ['write'] }
    const { entity: scoped } = await designer.call(createEntity, {
      body: { entity: { name: 'Scoped', operationScopes }, targetManifestId: id },
    })
    const above = await manifest('PathsScopedAbove')
    const admin = await server.as('admin', 'ACME')
    const inPlace = { entityIds: [scoped.id], type: 'TEMPLATE' as const }
    await admin.call(addEntitiesToManifest, { params: { id: above }, body: inPlace })
    expect((await paths(id)).scopes).toEqual(['read', 'write'])
    expect((await paths(above)).scopes).toEqual(['read', 'write'])
    expect((await paths(above)).entities.map(one => one.operationScopes)).toMatchObject([operationScopes])
  })

  it('the names for an unknown or foreign manifest are 404', async () => {
    const id = await manifest('PathsOfAcme')
    const foreign = await server.as('admin', 'CADMUS')
    expect((await foreign.refusal(getManifestPaths, { params: { id } })).status).toBe(404)
    expect((await designer.refusal(getManifestPaths, { params: { id: 99_999_999 } })).status).toBe(404)
  })
})
