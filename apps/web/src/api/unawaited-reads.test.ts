import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { createGlobalEntity, refreshCoreStructure } from './administration.ts'
import {
  addEntityVersion,
  createEntity,
  createEntityByWizard,
  deleteEntity,
  deleteEntityVersion,
  importEntity,
  reloadEntity,
} from './entities.ts'
import {
  addEntities,
  addManifestVersion,
  addSubManifests,
  createManifestByWizard,
  deleteManifest,
  deleteManifestVersion,
  importManifest,
  removeEntityFromManifest,
  removeSubManifest,
} from './manifests.ts'
import { resolveNameConflicts } from './name-conflicts.ts'
import { buildManifest } from './packages.ts'
import { keyIn, keys, queryClient } from './query-client.ts'
import { currentScope } from './scope.ts'

vi.mock('./client.ts', async original => ({ ...(await original<object>()), callApi: async () => ({}) }))

const scope = currentScope()
const [onReferences, file] = [undefined, new File(['{}'], 'model.json')]
const choices = { importAs: 'DATABASE_STRUCTURE', database: null, root: null, key: 'a' } as const
const { signal } = new AbortController()
const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  queryClient.clear()
})

/** Shows data that have been read once; each further read is answered by the test. */
async function show(part: readonly unknown[]) {
  const reads: PromiseWithResolvers<string>[] = []
  const queryFn = () => {
    const read = Promise.withResolvers<string>()
    reads.push(read)
    return read.promise
  }
  const shown = new QueryObserver(queryClient, { queryKey: keyIn(part), queryFn })
  stops.push(shown.subscribe(() => undefined))
  reads[0]?.resolve('before')
  await expect.poll(() => shown.getCurrentResult().data).toBe('before')
  return reads
}

it.each<[string, () => Promise<unknown>]>([
  ['an import of a manifest', () => importManifest(file, choices, signal)],
  ['an import of an entity', () => importEntity(file, -1, { signal })],
  ['a new entity', () => createEntity({ entity: { name: 'Order' }, targetManifestId: 1 }, {})],
  ['a new entity of the wizard', () => createEntityByWizard({ entity: { name: 'Order' }, targetManifestId: 1 }, {})],
  ['a new global entity', () => createGlobalEntity('ACME', 'Order')],
  ['a new manifest', () => createManifestByWizard({ manifestName: 'Shop' }, {})],
  ['a deleted entity', () => deleteEntity(1, onReferences, scope)],
  ['a deleted manifest', () => deleteManifest(2, onReferences, scope)],
  ['a reloaded entity', () => reloadEntity(1)],
  ['a reloaded library', () => refreshCoreStructure()],
  ['added entities', () => addEntities(1, [2])],
  ['a removed entity', () => removeEntityFromManifest(1, 2, { onReferences, scope })],
  ['an added sub-manifest', () => addSubManifests(1, [2])],
  ['a removed sub-manifest', () => removeSubManifest(1, 2, scope)],
  ['new names', () => resolveNameConflicts(1, 'prefix', '"a"')],
  ['a new version of an entity', () => addEntityVersion(1, '1.0.1', {})],
  ['a new version of a manifest', () => addManifestVersion(1, '1.0.1', {})],
  ['a deleted version of an entity', () => deleteEntityVersion(1, '1.0.0')],
  ['a deleted version of a manifest', () => deleteManifestVersion(1, '1.0.0')],
  ['a build', () => buildManifest(1, { version: '1.0.1', manifestProperties: [] })],
])('the answer to %s does not wait until all that is shown is read again', async (_, change) => {
  // The server computes diagrams from whole models, which takes long where other work goes first.
  const parts = [
    [...keys.manifests, 'diagram', 1],
    [...keys.entities, 'diagram', 1],
    [...keys.packages, 'shown'],
  ]
  const shown = await Promise.all(parts.map(show))
  await change()
  expect(shown.some(reads => reads.length > 1)).toBe(true)
})

it.each<[string, readonly unknown[], () => Promise<unknown>]>([
  ['an entity', keys.entityVersions(1), () => addEntityVersion(1, '1.0.1', {})],
  ['a manifest', keys.manifestVersions(1), () => addManifestVersion(1, '1.0.1', {})],
])('a new version of %s waits for the versions, from which the next one is suggested', async (_, part, add) => {
  const reads = await show(part)
  const added = vi.fn()
  const adding = add().then(added)
  await expect.poll(() => reads.length).toBe(2)
  expect(added).not.toHaveBeenCalled()
  reads[1]?.resolve('after')
  await adding
  expect(queryClient.getQueryData(keyIn(part))).toBe('after')
})
