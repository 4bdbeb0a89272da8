import { newEntityContent } from '@cadmus/model/entity'
import { sheetColumns } from '@cadmus/model/sheet/columns'
import { writeCells } from '@cadmus/model/sheet/write-cells'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { draftKey } from '../../drafts/draft-key.ts'
import { forgetCells, lastChange, recordCells, redoNext, undoLast } from './cell-history.ts'
import { refusedCells, refusedIn, setRefusedCells } from '../../drafts/cell-problems.ts'
import { entityStandIn } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'

let lastId = 500

/** An open entity with an attribute of length 40; `state`: its length, the text shown instead and its description. */
function anOpenEntity() {
  const id = (lastId += 1)
  const attribute = newTypeAttribute({ name: 'title', position: 1, maxLength: 40 })
  const content = newEntityContent({ name: `Entity${id}` })
  const answer = entityStandIn(id, { ...content, typeAttributes: [...content.typeAttributes, attribute] }, undefined)
  entityStore.receive(answer, '"1"', undefined)
  const key = draftKey(id, undefined)
  const now = () => entityStore.get(key)?.draft.content ?? content
  const present = () => now().typeAttributes.find(({ uid }) => uid === attribute.uid)
  const type = (texts: Readonly<Record<string, string>>) =>
    recordCells(key, () => {
      const columns = Object.keys(texts).map(column => sheetColumns.find(one => one.id === column))
      const block = { rows: [present()], columns, texts: [Object.values(texts)] }
      const written = writeCells(now(), block, { problems: refusedIn(refusedCells(key), now()) })
      if (written.edits.length > 0) entityStore.edit(key, () => written.edits)
      setRefusedCells(key, written.problems, now())
    })
  const state = () => [
    present()?.maxLength,
    refusedIn(refusedCells(key), now()).get(attribute.uid)?.get('length')?.text,
    present()?.description,
  ]
  return { key, type, state, undo: () => undoLast(key), redo: () => redoNext(key) }
}

describe('Undo of texts that cells could not take', () => {
  it('takes back the refused text, not the step before it', () => {
    const { type, state, undo, redo } = anOpenEntity()
    type({ description: 'First' })
    type({ length: 'many' })
    expect(state()).toEqual([40, 'many', 'First'])
    undo()
    expect(state()).toEqual([40, undefined, 'First'])
    undo()
    expect(state()).toEqual([40, undefined, ''])
    redo()
    redo()
    expect(state()).toEqual([40, 'many', 'First'])
  })

  it('brings the refused text back when its correction is undone', () => {
    const { type, state, undo, redo } = anOpenEntity()
    type({ length: 'many' })
    type({ length: '50' })
    undo()
    expect(state()).toEqual([40, 'many', ''])
    redo()
    expect(state()).toEqual([50, undefined, ''])
  })

  it('takes back a gesture that changed values and was refused elsewhere at once', () => {
    const { type, state, undo, redo } = anOpenEntity()
    type({ length: 'many', description: 'Both' })
    undo()
    expect(state()).toEqual([40, undefined, ''])
    redo()
    expect(state()).toEqual([40, 'many', 'Both'])
  })

  it('redoes nothing after a later change', () => {
    const { key, type, state, undo, redo } = anOpenEntity()
    type({ length: 'many' })
    undo()
    type({ description: 'Later' })
    redo()
    expect(state()).toEqual([40, undefined, 'Later'])
    undo()
    redo()
    redo()
    expect(state()).toEqual([40, undefined, 'Later'])
    expect(lastChange(key)).toBeDefined()
  })

  it('ends with the changes that are discarded', () => {
    const { key, type, undo } = anOpenEntity()
    type({ length: 'many' })
    forgetCells(key)
    expect(lastChange(key)).toBeUndefined()
    undo()
    expect(refusedCells(key).size).toBe(1)
  })
})
