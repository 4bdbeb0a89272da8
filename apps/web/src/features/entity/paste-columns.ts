import { type Column, columnName, columnsInOrder, columnsOf, isKey } from '@cadmus/model/columns'
import { freeColumnNames, renamedColumn } from '@cadmus/model/edits/copy-columns'
import type { EntityContent } from '@cadmus/model/entity'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { htmlOfCells, readClipboard, textOfCells } from '@cadmus/model/sheet/clipboard'
import { type CellLookups, columnsById } from '@cadmus/model/sheet/columns'
import {
  addCopiesEdits,
  columnsMediaType,
  copiedColumnsText,
  type CopiedColumns,
  moveCutEdits,
  readCopiedColumns,
  refusedFor,
} from '@cadmus/model/sheet/copies'
import { pasteBlock } from '@cadmus/model/sheet/paste'
import { type CellBlock, type CellsWritten, invalidCells, type SheetProblems } from '@cadmus/model/sheet/write-cells'
import { type DraftKey, placeOf } from '../../drafts/draft-key.ts'
import { notify } from '../../ui/notices.ts'
import { holdTyped, trackPending } from '../../ui/typed-text.ts'
import type { CopiedCells, PastedCells, PastePlace } from '../../ui/sheet/sheet-clipboard.ts'
import { lastChange, recordCells, undoLast } from './cell-history.ts'
import { findLookups, lookupsKnown } from '../../drafts/cell-lookups.ts'
import { addRefusedCells } from '../../drafts/cell-problems.ts'
import { moveAttributes } from './column-commands.ts'
import { entityStore, type OpenEntity } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { readHtmlTable } from '../../drafts/html-table.ts'

/** `inherited`: rows that are shown, but copied as texts alone. */
type Copied = CopiedCells & { isCut: boolean; problems: SheetProblems; inherited: readonly Column[] }

/** Puts cells on the clipboard as shown: as text and table, and whole rows with all their fields. */
export function copyColumns(content: EntityContent, copying: Copied, data: DataTransfer) {
  const { rows, columns, isWhole, isCut, problems, inherited } = copying
  const byUid = new Map([...inherited, ...columnsOf(content)].map(row => [row.uid, row]))
  const copied = rows.flatMap(uid => byUid.get(uid) ?? [])
  const textOf = (row: Column, id: string) =>
    problems.get(row.uid)?.get(id)?.text ?? columnsById.get(id)?.text(row) ?? ''
  const cells = copied.map(row => columns.map(id => textOf(row, id)))
  data.setData('text/plain', textOfCells(cells))
  data.setData('text/html', htmlOfCells(cells))
  const own = copied.filter(row => !inherited.includes(row))
  if (isWhole && own.length > 0)
    data.setData(columnsMediaType, copiedColumnsText(content.uid, own, { isCut, problems }))
}

type Write = (block: CellBlock, lookups: CellLookups) => CellsWritten

/**
 * Pastes as one step: whole rows of another entity, or into the last row, as copies; anything else into cells. `write`: writes a block into
 * the current draft. Resolves to what was pasted.
 */
export async function pasteColumns(
  view: EntityView,
  place: PastePlace,
  data: DataTransfer,
  write: Write,
): Promise<PastedCells | null> {
  // The browser clears the data after the event.
  const [text, html] = [data.getData('text/plain'), data.getData('text/html')]
  const own = readCopiedColumns(data.getData(columnsMediaType))
  const content = contentOf(view)
  const wholeRows = (rows: readonly string[]) => ({ rows, columns: [...columnsById.keys()] })
  if (own?.isCut) return wholeRows(await pasteCut(view, own, place.rows[0] ?? null))
  if (own && (place.rows.length === 0 || own.entity !== content.uid)) return wholeRows(pasteCopies(view, own))
  if (text === '' && html === '') {
    notify('info', sheetTexts.nothingToPaste)
    return null
  }
  const read = readClipboard({ text, table: () => readHtmlTable(html) })
  const block = 'refusal' in read ? read : pasteBlock(content, read.cells, placeIn(content, place))
  if ('refusal' in block) {
    notify('error', block.refusal)
    return null
  }
  const lookups = lookupsKnown(block, view.entity) ?? (await findLookups(block, view.entity))
  const before = lastChange(view.key)
  const { uids, problems } = write(withPresentRows(block, contentOf(view)), lookups)
  const after = contentOf(view)
  const cells = new Set([problems, invalidCells(after, view.draft.base)].flatMap(all => idsIn(all, uids)))
  const { unread, existing } = block
  const texts = [
    sheetTexts.pasted(uids.length, cells.size),
    ...(existing.length > 0 ? [sheetTexts.notChanged(existing)] : []),
    ...(unread.length > 0 ? [sheetTexts.unread(unread)] : []),
  ]
  report(view, texts.join(' '), { before, hasProblems: cells.size > 0 || texts.length > 1 })
  const width = Math.max(0, ...block.texts.map(line => line.length))
  return { rows: uids, columns: block.columns.slice(0, width).flatMap(column => column?.id ?? []) }
}

/**
 * Writes typed texts; those that name something elsewhere once it is known, so that a save waits for them. Returns the uids of the rows if they
 * are written at once.
 */
export function writeTyped(view: EntityView, block: CellBlock, write: Write): string[] | undefined {
  const known = lookupsKnown(block, view.entity)
  if (known) return write(block, known).uids
  const writing = findLookups(block, view.entity).then(lookups => {
    write(withPresentRows(block, contentOf(view)), lookups)
    return true
  })
  void trackPending(writing)
  const release = holdTyped(async () => writing)
  void writing.finally(release)
  return undefined
}

/** The block with rows as they are now; texts for a row deleted during the look-up become a new attribute. */
function withPresentRows(block: CellBlock, content: EntityContent): CellBlock {
  const present = new Map(columnsOf(content).map(row => [row.uid, row]))
  return { ...block, rows: block.rows.map(row => row && present.get(row.uid)) }
}

function contentOf({ key, draft }: EntityView): EntityContent {
  return entityStore.get(key)?.draft.content ?? draft.content
}

function placeIn(content: EntityContent, { rows, columns, chosen }: PastePlace) {
  const byUid = new Map(columnsOf(content).map(row => [row.uid, row]))
  return {
    rows: rows.flatMap(uid => byUid.get(uid) ?? []),
    columns: columns.flatMap(id => columnsById.get(id) ?? []),
    chosen,
  }
}

function idsIn(problems: SheetProblems, uids: readonly string[]): string[] {
  return uids.flatMap(uid => [...(problems.get(uid)?.keys() ?? [])].map(id => `${uid} ${id}`))
}

/** Returns the uids of the copies. */
function pasteCopies(view: EntityView, copied: CopiedColumns): string[] {
  const before = lastChange(view.key)
  const edits = addCopiesEdits(contentOf(view), copied.columns)
  const added: Column[] = edits.flatMap(edit => ('added' in edit ? edit.added.map(({ item }) => item) : []))
  const refused = refusedFor(copied, added)
  recordCells(view.key, () => {
    entityStore.edit(view.key, () => edits)
    addRefusedCells(view.key, refused, contentOf(view))
  })
  const uids = added.map(({ uid }) => uid)
  const cells = idsIn(refused, uids).length
  report(view, sheetTexts.added(added.length, cells), { before, hasProblems: cells > 0 })
  return uids
}

/** Moves rows within their entity, or from another one with their identity; rows of an entity that is not open any more are copied. */
async function pasteCut(view: EntityView, copied: CopiedColumns, before: string | null): Promise<string[]> {
  const { entity, columns: cut } = copied
  const uids = new Set(cut.map(({ uid }) => uid))
  const movable = (content: EntityContent) => columnsInOrder(content).filter(row => uids.has(row.uid) && !isKey(row))
  const content = contentOf(view)
  if (entity === content.uid) {
    const columns = movable(content)
    const change = lastChange(view.key)
    entityStore.edit(view.key, () => moveCutEdits(columns, before))
    report(view, sheetTexts.moved(columns.length), { before: change, hasProblems: false })
    return columns.map(({ uid }) => uid)
  }
  const isSource = ([open, { draft }]: [DraftKey, OpenEntity]) =>
    draft.content.uid === entity && placeOf(open).version === undefined
  const source = [...entityStore.state.getState().open].find(isSource)
  if (!source) return pasteCopies(view, copied)
  const [key, { draft }] = source
  const columns = movable(draft.content)
  const names = freeColumnNames(columns, columnsOf(content).map(columnName))
  const named = columns.map((column, at) => renamedColumn(column, names[at] ?? columnName(column)))
  const target = { entity: view.entity, etag: view.draft.etag }
  await moveAttributes({ key, entity: draft.saved, draft }, target, named)
  const after = contentOf(view)
  const moved = columnsOf(after).filter(({ uid }) => uids.has(uid))
  addRefusedCells(view.key, refusedFor(copied, moved), after)
  return named.map(({ uid }) => uid)
}

type Report = { before: object | undefined; hasProblems: boolean }

/** Offers to undo the paste while it is the last change. `before`: the last change before it. */
function report({ key }: EntityView, text: string, { before, hasProblems }: Report) {
  const change = lastChange(key)
  const undo = () => (lastChange(key) === change ? undoLast(key) : notify('info', sheetTexts.changedSince))
  notify(hasProblems ? 'warning' : 'success', text, change === before ? undefined : { label: 'Undo', run: undo })
}
