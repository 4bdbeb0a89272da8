import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreEntityLog } from '@cadmus/model/contract/audit'
import { entityEdits, saveChanges } from '@cadmus/model/contract/edits'
import { createEntity, deleteEntity } from '@cadmus/model/contract/entity'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { type EntityEdit, invertEntityEdits } from '@cadmus/model/edits/entity-edits'
import { attributeTexts } from '@cadmus/model/messages/attributes'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { createState, type EntityState, openState, saveEditsOn } from '../testing/edited-entities.ts'

let server: TestConsole
let designer: ConsoleClient
beforeAll(async () => {
  server = await startConsole()
  designer = await server.as('designer')
})
afterAll(() => server.stop())

/** The attribute `title`, moved to another entity. */
async function moved() {
  const [source, target] = [await createState(designer), await createEmpty()]
  const item = source.content.typeAttributes.find(({ name }) => name === 'title')
  if (!item) throw new Error('There is no title.')
  const removal: EntityEdit[] = [{ kind: 'removeAttributes', uids: [item.uid] }]
  const addition: EntityEdit[] = [{ kind: 'addAttributes', added: [{ item: { ...item, position: 9 }, before: null }] }]
  const saved = [
    { kind: 'entity' as const, id: source.id, base: source.etag, edits: removal },
    { kind: 'entity' as const, id: target.id, base: target.etag, edits: addition },
  ]
  const { results } = await designer.call(saveChanges, {
    body: { format: editFormat, operationId: newUid(), changes: saved },
  })
  const [left, came] = results.map(({ entry }) => entry)
  const back = {
    source: { id: source.id, edits: invertEntityEdits(source.content, removal), entry: left },
    target: { id: target.id, edits: invertEntityEdits(target.content, addition), entry: came },
  }
  return { source, target, uid: item.uid, back }
}

async function createEmpty(): Promise<EntityState> {
  const { entity } = await designer.call(createEntity, { body: { entity: { name: `Empty${++count}` } } })
  return openState(designer, entity.id)
}
let count = 0

type Reversal = { id: number; edits: readonly EntityEdit[]; entry: { sequence: number } | null | undefined }
const bodyOf = ({ edits, entry }: Reversal, kind: 'undo' | 'redo') => {
  const cause = { kind, sequence: entry?.sequence ?? 0 }
  return { format: editFormat, operationId: newUid(), base: '*', edits: [...edits], cause }
}
const take = async (reversal: Reversal, kind: 'undo' | 'redo' = 'undo') =>
  designer.call(entityEdits.save, { params: { id: reversal.id }, body: bodyOf(reversal, kind) })
const owners = async (uid: string, ...entities: readonly EntityState[]) => {
  const now = await Promise.all(entities.map(async ({ id }) => openState(designer, id)))
  return now.map(({ content }) => content.typeAttributes.some(item => item.uid === uid))
}

describe('a saved move between entities', () => {
  it.each(['source', 'target'] as const)(
    'undone in the %s alone is undone in the other entity too, and so is redo',
    async which => {
      const { source, target, uid, back } = await moved()
      const own = which === 'source' ? source : target
      const before = await openState(designer, own.id)
      const { entry } = await take(back[which])
      expect(await owners(uid, source, target)).toEqual([true, false])
      expect((await openState(designer, source.id)).content.typeAttributes).toEqual(source.content.typeAttributes)
      const undone = await openState(designer, own.id)
      const again = invertEntityEdits(before.content, back[which].edits)
      await take({ id: own.id, edits: again, entry }, 'redo')
      expect(await owners(uid, source, target)).toEqual([false, true])
      expect((await openState(designer, own.id)).etag).not.toBe(undone.etag)
    },
  )

  it('undone later keeps the later changes of the other entity, whose log says that it followed', async () => {
    const { source, target, uid, back } = await moved()
    await saveEditsOn(designer, await openState(designer, source.id), [
      { kind: 'changeEntity', change: { description: 'later' } },
    ])
    await saveEditsOn(designer, await openState(designer, target.id), [
      { kind: 'changeEntity', change: { description: 'later' } },
    ])
    await take(back.target)
    expect(await owners(uid, source, target)).toEqual([true, false])
    expect((await openState(designer, source.id)).content.description).toBe('later')
    const { entries } = await designer.call(entityEdits.list, { params: { id: source.id }, query: { before: 0 } })
    expect(entries[0]).toMatchObject({ follows: true })
  })

  it.each(['source', 'target'] as const)(
    'is taken back in both by restoring the %s to its state before',
    async which => {
      const { source, target, uid } = await moved()
      const own = which === 'source' ? source : target
      const { entries } = await designer.call(entityEdits.list, { params: { id: own.id }, query: { before: 0 } })
      await designer.call(restoreEntityLog, { params: { id: entries[1]?.entryId ?? 0 }, body: {} })
      expect(await owners(uid, source, target)).toEqual([true, false])
    },
  )

  it('is not undone if the other entity refuses its attribute, which is named', async () => {
    const { source, target, uid, back } = await moved()
    const item = { uid: newUid(), name: 'title', dataType: 'string' as const, position: 9 }
    await saveEditsOn(designer, await openState(designer, source.id), [
      { kind: 'addAttributes', added: [{ item: newTypeAttribute(item), before: null }] },
    ])
    const body = bodyOf(back.target, 'undo')
    const refusal = await designer.refusal(entityEdits.save, { params: { id: target.id }, body })
    expect(refusal.answer.message).toBe(
      attributeTexts.moves.elsewhere(source.content.name, attributeTexts.moves.notReturned('title')),
    )
    expect(await owners(uid, source, target)).toEqual([false, true])
  })

  it('whose source is deleted is undone by removing the attribute', async () => {
    const { source, target, uid, back } = await moved()
    await designer.call(deleteEntity, { params: { id: source.id } })
    await take(back.target)
    expect(await owners(uid, target)).toEqual([false])
  })
})
