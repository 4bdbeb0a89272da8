import type { EntityEdit } from '@cadmus/model/edits/entity-edits'
import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { draftKey } from '../drafts/draft-key.ts'
import { entityStandIn } from '../drafts/entity-draft.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { storedEntity } from './stored-entity.ts'
import { TextSource } from './text-source.ts'
import { TextSteps } from './text-steps.ts'

const key = (id: number) => draftKey(id, undefined)
const namesOf = (id: number) => entityStore.get(key(id))?.draft.content.typeAttributes.map(({ name }) => name)

it('an attribute that a text moved to another entity is in one of them, wherever the step is undone', () => {
  const price = newTypeAttribute({ name: 'price', position: 0 })
  const entities = [
    { id: 31, typeAttributes: [price] },
    { id: 32, typeAttributes: [] },
  ].map(({ id, typeAttributes }) => ({
    entity: entityStandIn(id, newEntityContent({ name: `E${id}`, typeAttributes }), undefined),
    etag: '"1"',
  }))
  const source = new TextSource()
  source.set({ project: null, entities: entities.map(storedEntity), others: [], isOld: false })
  const steps = new TextSteps()
  const edits = new Map<number, readonly EntityEdit[]>([
    [31, [{ kind: 'removeAttributes', uids: [price.uid] }]],
    [32, [{ kind: 'addAttributes', added: [{ item: price, before: null }] }]],
  ])
  steps.make(source, edits, source.snapshot()?.seen ?? new Map())
  expect([namesOf(31), namesOf(32)]).toEqual([[], ['price']])
  entityStore.dispatch(key(32), { kind: 'undo' })
  expect([namesOf(31), namesOf(32)]).toEqual([['price'], []])
  entityStore.dispatch(key(31), { kind: 'redo' })
  expect([namesOf(31), namesOf(32), steps.next('undo')]).toEqual([[], ['price'], expect.any(String)])
  steps.take('undo')
  expect([namesOf(31), namesOf(32)]).toEqual([['price'], []])
})
