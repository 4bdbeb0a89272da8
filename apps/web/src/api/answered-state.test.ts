import { type Configuration, newConfiguration } from '@cadmus/model/configuration'
import { noScopes } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newUid } from '@cadmus/model/uid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { configurationEditsBetween } from '@cadmus/model/edits/configuration-edits'
import { configurationQuery } from './configurations.ts'
import { saveConfigurationEdits, settleConfigurationEdits, settleEntityEdits } from './edits.ts'
import { entityQuery } from './entities.ts'
import { currentScope } from './scope.ts'
import { queryClient } from './query-client.ts'

type Answer = { body: object; etag: string }
let requests: string[] = []
let answer: Answer

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    requests.push(`${method ?? 'GET'} ${url.split('?')[0]}`)
    return new Response(JSON.stringify(answer.body), { status: 200, headers: { etag: answer.etag } })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

describe("a save that was merged with someone else's changes", () => {
  it('a saved configuration becomes the response with its tag: nothing is reloaded and no change of others is lost', async () => {
    const configuration = newConfiguration('Shop')
    const withUrl = (of: Configuration, url: string) => {
      of.packageProperties.connectionPoolInfo.url = url
      return of
    }
    const merged = withUrl(newConfiguration('Shop'), 'theirs')
    merged.packageProperties.connectionPoolInfo.username = 'mine'
    answer = { body: { entry: null, effects: [], manifestProperties: merged }, etag: '"both"' }
    const place = { path: 'user-defined/Shop', isDefault: false, versions: ['1.0.0'], latestVersion: '1.0.0' }
    const before = { id: 7, name: 'Shop', ...place, currentVersion: '1.0.0', configuration }
    const sent = newConfiguration('Shop')
    sent.packageProperties.connectionPoolInfo.username = 'mine'
    const save = { operationId: newUid(), base: '"base"', edits: configurationEditsBetween(configuration, sent) }
    const loaded = await saveConfigurationEdits(before, sent, save, currentScope())
    expect(loaded).toEqual({ saved: { ...before, configuration: merged }, etag: '"both"' })
    expect(queryClient.getQueryData(configurationQuery(7).queryKey)).toEqual(loaded)
    expect(requests).toEqual(['POST /1.0/cdm/manifest/7/configuration/edits'])
  })
})

describe('the result of a save without a response', () => {
  const before = { entity: { id: 7 }, etag: 'before' }
  const shown = (version?: string) => queryClient.getQueryData(entityQuery(7, version).queryKey)

  it('the result of an unanswered save replaces its base at once, before it is reloaded', async () => {
    for (const version of [undefined, '1.0.0']) {
      queryClient.setQueryData<unknown>(entityQuery(7, version).queryKey, before)
      answer = { body: { result: { entry: null, effects: [], entity } }, etag: '"stored"' }
      const result = await settleEntityEdits({ id: 7, version, scope: currentScope() }, newUid(), 'before')
      expect(result).toEqual({ entity, etag: '"stored"' })
      expect(shown(version)).toEqual(result)
    }
    const configuration = newConfiguration('Shop')
    const place = { path: 'user-defined/Shop', isDefault: false, versions: ['1.0.0'], latestVersion: '1.0.0' }
    const saved = { id: 7, name: 'Shop', ...place, currentVersion: '1.0.0', configuration }
    queryClient.setQueryData<unknown>(configurationQuery(7).queryKey, { saved, etag: 'before' })
    const stored = { entry: null, effects: [], manifestProperties: configuration }
    answer = { body: { result: stored }, etag: '"stored"' }
    const result = await settleConfigurationEdits(saved, newUid(), currentScope(), 'before')
    expect(result?.etag).toBe('"stored"')
    expect(queryClient.getQueryData(configurationQuery(7).queryKey)).toEqual(result)
  })

  it('the result of an unanswered save does not replace a state that was read since', async () => {
    const newer = { entity: { id: 7 }, etag: 'newer' }
    queryClient.setQueryData<unknown>(entityQuery(7).queryKey, newer)
    answer = { body: { result: { entry: null, effects: [], entity } }, etag: '"stored"' }
    await settleEntityEdits({ id: 7, version: undefined, scope: currentScope() }, newUid(), 'before')
    expect(shown()).toEqual(newer)
  })
})

const relationship = newEntityAttribute({
  associatedEntity: { id: 9, name: 'Aim', path: 'user-defined/Aim' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'aimId',
  position: 0,
})
const entityAttribute = { ...relationship, isDefault: false }

const entity = {
  id: 7,
  uid: '01890000-0000-7000-8000-000000000002',
  name: 'Told',
  path: 'user-defined/Told',
  description: 'Theirs',
  type: 'EXCLUSIVE',
  extendsEntity: null,
  groups: [],
  checks: [],
  imports: [],
  typeAttributes: [],
  entityAttributes: [entityAttribute],
  primaryKey: null,
  isDefault: false,
  targetManifest: null,
  content: '{}',
  versions: ['1.0.0'],
  latestVersion: '1.0.0',
  currentVersion: '1.0.0',
  operationScopes: noScopes,
  copiedFrom: null,
}
