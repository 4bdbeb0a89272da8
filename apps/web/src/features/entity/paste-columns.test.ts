import { columnName, columnsInOrder } from '@cadmus/model/columns'
import { newEntityContent } from '@cadmus/model/entity'
import { columnsMediaType, copiedColumnsText } from '@cadmus/model/sheet/copies'
import { sheetColumns } from '@cadmus/model/sheet/columns'
import { writeCells } from '@cadmus/model/sheet/write-cells'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { afterEach, describe, expect, it } from 'vitest'
import { type LoadedManifest, manifestQuery } from '../../api/manifests.ts'
import { queryClient } from '../../api/query-client.ts'
import { draftKey } from '../../drafts/draft-key.ts'
import { noticeStore } from '../../ui/notices.ts'
import { entityStandIn } from '../../drafts/entity-draft.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { refusedCells, refusedIn, setRefusedCells } from '../../drafts/cell-problems.ts'
import { undoLast } from './cell-history.ts'
import type { EntityView } from './entity-view.ts'
import { copyColumns, pasteColumns } from './paste-columns.ts'

/** The parts of a clipboard event's data that the sheet uses. */
function aClipboard(entries: Readonly<Record<string, string>> = {}): DataTransfer {
  const data = new Map(Object.entries(entries))
  const transfer: Pick<DataTransfer, 'getData' | 'setData'> = {
    getData: type => data.get(type) ?? '',
    setData: (type, text) => void data.set(type, text),
  }
  return transfer as DataTransfer
}

const shown = sheetColumns.filter(({ isHidden }) => !isHidden).map(({ id }) => id)
let lastId = 100

/** An open entity with the key and these attributes. */
function anOpenEntity(...names: string[]) {
  return openedIn(null, ...names)
}

function openedIn(manifest: EntityAnswer['targetManifest'], ...names: string[]) {
  const id = (lastId += 1)
  const added = names.map((name, at) => newTypeAttribute({ name, position: at + 1, maxLength: 40, indexed: true }))
  const content = newEntityContent({ name: `Entity${id}` })
  const plain = entityStandIn(id, { ...content, typeAttributes: [...content.typeAttributes, ...added] }, undefined)
  const answer = { ...plain, targetManifest: manifest }
  entityStore.receive(answer, '"1"', undefined)
  const key = draftKey(id, undefined)
  const open = entityStore.get(key)
  if (!open) throw new Error('The entity is not open.')
  const view = { key, entity: answer, draft: open.draft } as EntityView
  const draft = () => entityStore.get(key)?.draft ?? open.draft
  const rows = () => columnsInOrder(draft().content)
  const write: Parameters<typeof pasteColumns>[3] = (block, lookups) => {
    const written = writeCells(draft().content, block, lookups)
    if (written.edits.length > 0) entityStore.edit(key, () => written.edits)
    return written
  }
  const paste = (data: DataTransfer, from = rows().length, chosen = { rows: 1, columns: 1 }) => {
    const place = {
      rows: rows()
        .slice(from)
        .map(({ uid }) => uid),
      columns: shown,
      chosen,
    }
    return pasteColumns(view, place, data, write)
  }
  const copy = (isWhole: boolean, isCut = false) => {
    const data = aClipboard()
    const uids = rows().map(({ uid }) => uid)
    const problems = refusedIn(refusedCells(key), draft().content)
    copyColumns(draft().content, { rows: uids, columns: shown, isWhole, isCut, problems, inherited: [] }, data)
    return data
  }
  return { key, draft, rows, paste, copy }
}

const lastNotice = () => noticeStore.getState().notices.at(-1)
afterEach(() => noticeStore.setState({ notices: [] }))

describe('a paste', () => {
  it('is one step, which its notice undoes', async () => {
    const { paste, draft, rows } = anOpenEntity('title')
    const pasted = await paste(aClipboard({ 'text/plain': 'Name\tType\tRequired\nborn\tdate\tyes\n80\tgeometry\tx\n' }))
    expect(pasted).toEqual({
      rows: rows()
        .slice(2)
        .map(({ uid }) => uid),
      columns: ['name', 'dataType', 'nullable'],
    })
    expect(rows().slice(2)).toMatchObject([{ name: 'born', format: 'date' }, { name: '80' }])
    expect(draft().done).toHaveLength(1)
    const notice = lastNotice()
    expect(notice).toMatchObject({ kind: 'warning', text: 'Pasted 2 rows. 2 cells to look at (F8).' })
    notice?.action?.run()
    expect([rows().length, draft().done.length]).toEqual([2, 0])
  })

  it('is undone by its notice only while it is the last step', async () => {
    const { key, paste, rows } = anOpenEntity()
    await paste(aClipboard({ 'text/plain': 'born\tdate' }))
    const notice = lastNotice()
    entityStore.edit(key, () => [{ kind: 'changeEntity', change: { description: 'later' } }])
    notice?.action?.run()
    expect(rows()).toHaveLength(2)
    expect(lastNotice()?.text).toBe('There were later changes. Undo them first.')
  })

  it('that changes nothing does not offer to undo an earlier step', async () => {
    const { key, paste, draft } = anOpenEntity('title')
    entityStore.edit(key, () => [{ kind: 'changeEntity', change: { description: 'earlier' } }])
    await paste(aClipboard({ 'text/plain': 'title\tstring' }), 1)
    expect(lastNotice()).toMatchObject({ text: 'Pasted a row.' })
    expect([lastNotice()?.action, draft().done.length]).toEqual([undefined, 1])
  })

  it('takes the name of an enumeration of the manifest', async () => {
    const manifest = { id: 77, name: 'Shop', path: 'user-defined/Shop' }
    const state = { uid: 'e', name: 'State', description: '', values: [{ uid: 'v', value: 'new', label: '' }] }
    queryClient.setQueryData(manifestQuery(77).queryKey, {
      manifest: { ...manifest, enumerations: [state] },
      etag: '"1"',
    } as unknown as LoadedManifest)
    const { paste, draft } = openedIn(manifest, 'one', 'two')
    await paste(aClipboard({ 'text/plain': 'Name\tChoices\nthree\tstate' }))
    const [, , , three] = draft().content.typeAttributes
    expect(three).toMatchObject({ name: 'three', choices: ['new'], enumeration: { uid: 'e', name: 'State' } })
    queryClient.clear()
  })

  it('that is too large or empty changes nothing and says why', async () => {
    const { paste, draft } = anOpenEntity()
    await paste(aClipboard({ 'text/plain': 'x\n'.repeat(6000) }))
    expect(lastNotice()).toMatchObject({ kind: 'error', text: expect.stringContaining('5,001 rows') })
    await paste(aClipboard())
    expect(lastNotice()?.text).toBe('The clipboard has no text.')
    expect(draft().done).toEqual([])
  })
})

describe('a copy', () => {
  it('pasted back is no change, as cells and as whole rows', async () => {
    const { paste, copy, draft } = anOpenEntity('title', 'note')
    await paste(copy(false), 0)
    await paste(copy(true), 0)
    expect(draft().done).toEqual([])
  })

  it('of whole rows keeps every field in another entity, with new uids and the origin', async () => {
    const [source, target] = [anOpenEntity('title'), anOpenEntity('title')]
    const pasted = await target.paste(source.copy(true), 1)
    expect(pasted?.rows).toEqual([target.rows()[2]?.uid])
    const [, original] = source.rows()
    expect(target.rows().slice(2)).toMatchObject([
      { name: 'title_2', maxLength: 40, indexed: true, copiedFrom: original?.uid },
    ])
    expect(target.draft().done).toHaveLength(1)
    expect(lastNotice()?.text).toBe('Added a copy.')
  })

  it.each([
    [false, /^Added a copy\. 1 cell to look at \(F8\)\.$/],
    [true, /^Moved /],
  ])('of whole rows carries the texts that their cells could not take (cut: %s)', async (isCut, notice) => {
    const [source, target] = [anOpenEntity('title'), anOpenEntity()]
    const problem = { text: 'many', reason: 'this must contain only digits.' }
    const title = source.rows()[1]?.uid ?? ''
    setRefusedCells(source.key, new Map([[title, new Map([['length', problem]])]]), source.draft().content)
    await target.paste(source.copy(true, isCut))
    const refused = () => refusedIn(refusedCells(target.key), target.draft().content)
    expect(
      refused()
        .get(target.rows()[1]?.uid ?? '')
        ?.get('length'),
    ).toMatchObject(problem)
    expect(lastNotice()?.text).toMatch(notice)
    undoLast(target.key)
    expect([target.rows().length, refused().size]).toEqual([1, 0])
  })

  it('that is a cut moves attributes with their identity, except the key', async () => {
    const [source, target] = [anOpenEntity(), anOpenEntity('title')]
    await source.paste(aClipboard({ 'text/plain': 'title\tuuid\nborn\tdate' }))
    const [, title, born] = source.rows()
    await target.paste(source.copy(true, true))
    expect(source.rows()).toMatchObject([{ name: 'id' }])
    expect(target.rows().slice(2)).toMatchObject([
      { uid: title?.uid, name: 'title_2', format: 'guid' },
      { uid: born?.uid, name: 'born' },
    ])
  })

  it('that is a cut moves rows within their entity', async () => {
    const { paste, rows, draft } = anOpenEntity('one', 'two', 'three')
    const [, one] = rows()
    const cut = aClipboard({
      [columnsMediaType]: copiedColumnsText(draft().content.uid, one ? [one] : [], { isCut: true }),
    })
    await paste(cut, 3)
    expect(rows().map(row => columnName(row))).toEqual(['id', 'two', 'one', 'three'])
  })

  it('keeps its texts if a row is deleted while references are looked up', async () => {
    const { key, paste, rows } = anOpenEntity('one', 'two')
    const pasting = paste(aClipboard({ 'text/plain': 'Name\tReferences\nalpha\tCustomer.id\nbeta\t\n' }), 1)
    entityStore.edit(key, () => [{ kind: 'removeAttributes', uids: [rows()[1]?.uid ?? ''] }])
    await pasting
    expect(rows().map(row => columnName(row))).toEqual(['id', 'beta', 'alpha'])
  })

  it('of cells fills cells in another entity', async () => {
    const [source, target] = [anOpenEntity('title'), anOpenEntity('note')]
    const data = source.copy(false)
    expect(data.getData(columnsMediaType)).toBe('')
    await target.paste(data, 0)
    expect(target.rows()).toMatchObject([{ name: 'id' }, { name: 'title', indexed: true, copiedFrom: null }])
  })
})
