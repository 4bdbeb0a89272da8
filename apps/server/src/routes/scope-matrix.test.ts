import {
  addEntitiesToManifest,
  addManifestVersion,
  addSubManifests,
  getManifest,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { createEntity, updateEntity } from '@cadmus/model/contract/entity'
import type { CallAnswer } from '@cadmus/model/contract/call'
import { getScopeMatrix } from '@cadmus/model/contract/scope-matrix'
import { apiOperations } from '@cadmus/model/required-scopes'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, addPredefined } from '../testing/entities.ts'

describeOnBothStores('Scopes of a manifest', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const matrix = async (id: number, version?: string) =>
    designer.call(getScopeMatrix, { params: { id }, query: { version } })
  const scopesIn = ({ entities, operations, lists }: CallAnswer<typeof getScopeMatrix>) =>
    Object.fromEntries(
      entities.names.map((name, index) => [name, apiOperations.map(one => lists[operations[one][index]!]?.join(' '))]),
    )
  const entity = async (targetManifestId: number, name: string, operationScopes = {}) =>
    (await designer.call(createEntity, { body: { entity: { name, operationScopes }, targetManifestId } })).entity

  it('are answered for its entities and those of sub-manifests, with the settings of its configuration', async () => {
    const [root, sub] = [await addManifest(server, 'ScopedRoot'), await addManifest(server, 'ScopedSub')]
    await designer.call(addSubManifests, { params: { id: root }, body: { submanifests: [sub] } })
    const order = await entity(root, 'Order', {
      selectOperationScopes: ['read'],
      insertOperationScopes: ['read', 'write'],
    })
    const part = await entity(sub, 'Part', { selectOperationScopes: ['read'] })
    const configurationBuild = {
      apiConfiguration: { type: ['REST' as const], security: 'OAUTH2' as const, excludeOperations: ['Order.put'] },
      apiScopeConfiguration: { enableRbac: true, scopeDefinitions: ['read', 'write'], globalScopes: ['write'] },
    }
    const body = { configurationBuild }
    await designer.call(saveManifestConfiguration, { params: { id: root }, body, ifMatch: '*' })
    const answer = await matrix(root)
    expect(answer.manifests.map(({ id, name }) => [id, name])).toEqual([
      [root, 'ScopedRoot'],
      [sub, 'ScopedSub'],
    ])
    expect(answer.entities).toEqual({
      ids: [order.id, part.id],
      uids: [order.uid, part.uid],
      names: ['Order', 'Part'],
      paths: [order.path, part.path],
      manifests: [0, 1],
      keys: ['id', 'id'],
      others: [0, 0],
    })
    expect(answer.lists).toEqual([[], ['read'], ['read', 'write']])
    expect(scopesIn(answer)).toEqual({ Order: ['', 'read', 'read write', '', ''], Part: ['', 'read', '', '', ''] })
    expect(answer.configuration).toMatchObject(configurationBuild)
    expect(answer.configuration).not.toHaveProperty('packageProperties')
  })

  it('name the other manifests with an entity, also those that share a sub-manifest above it', async () => {
    const [root, own, shared, below] = [
      await addManifest(server, 'SharingRoot'),
      await addManifest(server, 'SharingOwn'),
      await addManifest(server, 'SharingShared'),
      await addManifest(server, 'SharingBelow'),
    ]
    const other = await addManifest(server, 'SharingOther')
    const above = await addManifest(server, 'SharingAbove')
    const nest = async (id: number, submanifests: number[]) =>
      designer.call(addSubManifests, { params: { id }, body: { submanifests } })
    await nest(root, [own, shared])
    await nest(shared, [below])
    await nest(other, [shared])
    // The whole manifest belongs to another one: nothing of it is shared by that alone.
    await nest(above, [root])
    await entity(root, 'SharingOrder')
    await entity(own, 'SharingPart')
    await entity(shared, 'SharingParty')
    await entity(below, 'SharingAddress')
    const { entities, others } = await matrix(root)
    expect(Object.fromEntries(entities.names.map((name, index) => [name, others[entities.others[index]!]]))).toEqual({
      SharingOrder: [],
      SharingPart: [],
      SharingParty: ['SharingOther'],
      SharingAddress: ['SharingOther'],
    })
  })

  it('of a predefined entity are those of the organisation', async () => {
    const root = await addManifest(server, 'ScopedGiven')
    const predefined = await addPredefined(server, { name: 'ScopedPredefined' })
    const params = { id: root }
    const members = { entityIds: [predefined], type: 'TEMPLATE' as const }
    await server.bootstrap('ACME').call(addEntitiesToManifest, { params, body: members })
    const body = { entity: { operationScopes: { deleteOperationScopes: ['own'] } } }
    await designer.call(updateEntity, { params: { id: predefined }, body, ifMatch: '*' })
    expect(scopesIn(await matrix(root))).toEqual({ ScopedPredefined: ['', '', '', '', 'own'] })
  })

  it('of a version stay as they were', async () => {
    const root = await addManifest(server, 'ScopedVersion')
    const { id } = await entity(root, 'Visit', { selectOperationScopes: ['before'] })
    await designer.call(addManifestVersion, { params: { id: root }, query: { version: '2.0.0' } })
    const body = { entity: { operationScopes: { selectOperationScopes: ['after'] } } }
    await designer.call(updateEntity, { params: { id }, body, ifMatch: '*' })
    expect(scopesIn(await matrix(root))).toEqual({ Visit: ['', 'after', '', '', ''] })
    const { versions } = (await designer.call(getManifest, { params: { id: root } })).manifest
    const old = await matrix(
      root,
      versions.find(version => version !== '2.0.0'),
    )
    expect(scopesIn(old)).toEqual({ Visit: ['', 'before', '', '', ''] })
    expect(old.version).not.toBe('2.0.0')
  })

  it('are answered 304 while nothing changes, and 404 for other organisations and unknown versions', async () => {
    const root = await addManifest(server, 'ScopedTag')
    const { etag } = await designer.callWithTag(getScopeMatrix, { params: { id: root } })
    const repeated = await designer.send(getScopeMatrix, {
      params: { id: root },
      headers: { 'if-none-match': `"${etag}"` },
    })
    expect(repeated.status).toBe(304)
    const outsider = await server.as('admin', 'CADMUS')
    expect((await outsider.refusal(getScopeMatrix, { params: { id: root } })).status).toBe(404)
    const unknown = await designer.refusal(getScopeMatrix, { params: { id: root }, query: { version: '9.9.9' } })
    expect(unknown.status).toBe(404)
  })
})
