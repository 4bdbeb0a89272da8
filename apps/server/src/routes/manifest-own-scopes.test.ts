import { afterAll, beforeAll, expect, it } from 'vitest'
import { getEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  addManifestVersion,
  createManifest,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { buildManifest } from '@cadmus/model/contract/package'
import { noScopes } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { modelAt } from '../jobs/model-at.ts'
import { ModelReader } from '../store/model-source.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addPredefined, organisationId, saveBody } from '../testing/entities.ts'

// Workers for validation start slowly on a loaded machine.

describeOnBothStores.whenProving("An organisation's own scopes of a predefined entity", store => {
  let server: TestConsole
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin', 'ACME')
  })
  afterAll(() => server.stop())

  const listing = async (manifestName: string, entityIds: number[], scopeDefinitions: string[] = []) => {
    const { manifest } = await admin.call(createManifest, { body: { manifestName, exclusiveEntities: ['Own'] } })
    const params = { id: manifest.id }
    await admin.call(addEntitiesToManifest, { params, body: { entityIds, type: 'TEMPLATE' } })
    const body = { manifestName, configurationBuild: { apiScopeConfiguration: { scopeDefinitions } } }
    await admin.call(saveManifestConfiguration, { params, body, ifMatch: '*' })
    return params
  }
  const predefined = async (name: string, extendsId?: number) => {
    const extendsEntity = extendsId === undefined ? null : { id: extendsId, uid: '', name: '', path: '' }
    return addPredefined(server, { name, extendsEntity })
  }
  const grant = async (id: number, selectOperationScopes: string[], client = admin) => {
    const { answer, etag } = await client.callWithTag(getEntity, { params: { id } })
    const body = saveBody(answer.entity, { operationScopes: { ...noScopes, selectOperationScopes } })
    await client.call(updateEntity, { params: { id }, body, ifMatch: etag })
  }
  const scopeProblems = async (params: { id: number }, client = admin) => {
    const { problems } = await client.call(validateManifest, { params })
    return problems.filter(({ code }) => code.includes('scope')).map(({ message }) => message)
  }
  const built = async (params: { id: number }) => {
    const answer = await admin.send(buildManifest, { params, body: { publishAs: 'PACKAGE' } })
    return answer.ok ? 'built' : JSON.stringify(await answer.json())
  }

  it('apply to validation and builds of manifests that list the entity', async () => {
    const [id, other] = [await predefined('Ghosted'), await predefined('Left')]
    const params = await listing('Haunted', [id, other])
    const beside = await listing('Beside', [other])
    expect(await scopeProblems(params)).toEqual([])
    await grant(id, ['ghost'])
    expect(await scopeProblems(params)).toEqual([expect.stringContaining('"ghost" is used but not defined')])
    expect(await built(params)).toContain('ghost')
    expect(await scopeProblems(beside)).toEqual([])
    await grant(id, [])
    expect(await scopeProblems(params)).toEqual([])
    expect(await built(params)).toBe('built')
  })

  it("an organisation's scopes of a predefined entity do not apply to other organisations", async () => {
    const id = await predefined('Apart')
    const stranger = await server.as('admin', 'CADMUS')
    const { manifest } = await stranger.call(createManifest, { body: { manifestName: 'Strange' } })
    const params = { id: manifest.id }
    await stranger.call(addEntitiesToManifest, { params, body: { entityIds: [id], type: 'TEMPLATE' } })
    await grant(id, ['ghost'])
    expect(await scopeProblems(params, stranger)).toEqual([])
  })

  it("an organisation's scopes are read with the predefined entity, which is the same object while unchanged", async () => {
    const parent = await predefined('Elder')
    const [id, plain] = [await predefined('Younger', parent), await predefined('Plain')]
    const { id: manifestId } = await listing('Listing', [id, plain], ['read'])
    const reader = new ModelReader()
    const place = { organisationId: await organisationId(server), manifestId, version: null }
    const read = async () => (await modelAt(server.context.store, place, reader)).source.entities
    await grant(id, ['read'])
    const [before, again] = [await read(), await read()]
    expect(before.get(id)?.operationScopes.selectOperationScopes).toEqual(['read'])
    expect([...again.values()].every(entity => entity === before.get(entity.id))).toBe(true)
    await grant(parent, ['read'])
    const after = await read()
    expect(after.get(parent)?.operationScopes.selectOperationScopes).toEqual(['read'])
    expect([...after.values()].filter(entity => entity !== before.get(entity.id)).map(entity => entity.id)).toEqual([
      parent,
    ])
    await grant(id, [])
    expect((await read()).get(id)?.operationScopes).toEqual(noScopes)
    const size = reader.size
    await grant(
      id,
      Array.from({ length: 400 }, (_, index) => `${index}`.padEnd(300, 'x')),
    )
    await read()
    expect(reader.size).toBeGreaterThan(size + 100_000)
  })

  it('Decisions §2 are in a version as they were when it was frozen', async () => {
    const [id, plain] = [await predefined('Frozen'), await predefined('Bare')]
    const params = await listing('Wintry', [id, plain], ['read'])
    await grant(id, ['ghost'])
    await admin.call(addManifestVersion, { params, query: { version: '1.1.0' } })
    await grant(id, ['read'])
    await admin.call(addManifestVersion, { params, query: { version: '1.2.0' } })
    await grant(id, ['other'])
    const place = { organisationId: await organisationId(server), manifestId: params.id }
    const scopesIn = async (version: string) => {
      const { source } = await modelAt(server.context.store, { ...place, version })
      return [id, plain].map(entity => source.entities.get(entity)?.operationScopes.selectOperationScopes)
    }
    expect(await scopesIn('1.0.0')).toEqual([['ghost'], []])
    expect(await scopesIn('1.1.0')).toEqual([['read'], []])
    expect(await scopesIn('1.2.0')).toEqual([['other'], []])
    expect(await built(params)).toContain('other')
  })

  it("an organisation's scopes of a predefined entity are copied to an independent copy", async () => {
    const id = await predefined('Original')
    await grant(id, ['ghost'])
    const { manifest } = await admin.call(createManifest, { body: { manifestName: 'Copied' } })
    const params = { id: manifest.id }
    await admin.call(addEntitiesToManifest, { params, body: { entityIds: [id] } })
    expect(await scopeProblems(params)).toEqual([expect.stringContaining('"ghost" is used but not defined')])
  })

  it("an organisation's scopes of a predefined entity count towards the memory limit, which is checked before reading", async () => {
    const ids = await Promise.all(Array.from({ length: 2 }, (_none, index) => predefined(`Heavy${index}`)))
    const params = await listing('Heavy', ids)
    await Promise.all(ids.map(id => grant(id, ['ghost'])))
    const organisation = await organisationId(server)
    // As large in total as thousands of entities with long scopes.
    const scopes = JSON.stringify({ ...noScopes, selectOperationScopes: ['x'.repeat(limits.modelContents / 2)] })
    await server.context.store
      .of(organisation)
      .updateTable('entity_scopes')
      .set({ scopes })
      .where('organisation_id', '=', organisation)
      .where('entity_id', 'in', ids)
      .execute()
    const refused = await admin.refusal(validateManifest, { params })
    expect([refused.status, refused.answer.code]).toEqual([400, 'too_large'])
  })
})
