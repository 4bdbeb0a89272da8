import { entityEdits, readEntityStates } from '@cadmus/model/contract/edits'
import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it, vi } from 'vitest'
import { callApi } from '../api/client.ts'
import { draftKey } from './draft-key.ts'
import { entityStandIn } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { undoSaves } from './manifest-steps.ts'
// Connects the store with its server.
import '../features/entity/entity-saves.ts'

vi.mock('../api/client.ts', { spy: true })

it('Undo of a save of many entities reads the changes of all at once, not those of all others for each', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => 8001 + index)
  const states = ids.map(id => {
    const before = newEntityContent({ name: `E${id}`, typeAttributes: [] })
    const after = { ...before, typeAttributes: [newTypeAttribute({ name: 'added', position: 0 })] }
    const entry = { sequence: id, entryId: id, changeId: 1, operationId: null, own: true, follows: false }
    const logged = { ...entry, description: 'Added', version: '1.0.0', at: '', actor: { name: '' } }
    const tags = { before: '"1"', after: '"2"' }
    const change = { entries: [{ ...logged, ...tags }], before, after }
    return { entity: entityStandIn(id, after, undefined), etag: '"2"', change }
  })
  const others = ids.map(id => ({ changeId: 1, sequence: id, description: '', document: { kind: 'entity', id } }))
  const called: string[] = []
  vi.mocked(callApi).mockImplementation(async ({ id }) => {
    called.push(id)
    return Promise.resolve({ states, read: ids.length, others })
  })
  await undoSaves(ids.map(id => ({ kind: 'entity', key: draftKey(id, undefined) })))
  expect(ids.map(id => entityStore.get(draftKey(id, undefined))?.draft.content.typeAttributes)).toEqual(
    ids.map(() => []),
  )
  expect(called.filter(id => id === readEntityStates.id)).toHaveLength(1)
  expect(called).not.toContain(entityEdits.states.id)
})
