import { type Column, columnName, columnsOf, isKey, isRelationship, isTypeAttribute } from '@cadmus/model/columns'
import { visibleText } from '@cadmus/model/display'
import { reorderColumnsEdits } from '@cadmus/model/edits/entity-actions'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { Enumeration } from '@cadmus/model/enumeration'
import { messages } from '@cadmus/model/messages'
import { sheetTexts } from '@cadmus/model/messages/sheet'
import { foldName } from '@cadmus/model/paths'
import {
  type CellLookups,
  columnsById,
  type SheetColumn as ModelColumn,
  sheetColumns,
} from '@cadmus/model/sheet/columns'
import {
  type CellBlock,
  invalidCells,
  offeredBlock,
  type SheetProblems,
  writeCells,
} from '@cadmus/model/sheet/write-cells'
import { typeWords } from '@cadmus/model/sheet/words'
import { Columns3, ListX, Spline, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useEnumerations } from '../../api/use-enumerations.ts'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { explain } from '../../commands/glossary.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { MenuEntry } from '../../ui/MenuEntries.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { TabTools } from '../../ui/Tabs.tsx'
import { returnInput } from '../../ui/return-input.ts'
import { Sheet } from '../../ui/sheet/Sheet.tsx'
import type { SheetColumn } from '../../ui/sheet/SheetRow.tsx'
import { newRow } from '../../ui/sheet/sheet-state.ts'
import { AttributeName } from './AttributeName.tsx'
import { recordCells } from './cell-history.ts'
import { refusedCells, refusedIn, setRefusedCells, useRefusedCells } from '../../drafts/cell-problems.ts'
import { sheetRows } from '../../drafts/entity-draft.ts'
import { inheritedColumns, type InheritedRows, useInheritedRows } from './inherited.ts'
import { useCellMarks } from '../../problems/cell-marks.ts'
import { suggestTargets } from '../../drafts/named-targets.ts'
import { showNextEntity } from './next-entity.ts'
import { copyEntries } from './column-commands.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { type Folders, foldersIn, WithFolder } from './related.tsx'
import { copyColumns, pasteColumns, writeTyped } from './paste-columns.ts'
import { keyReason, removeColumns } from './remove-columns.ts'
import { useInheritedShown, useSheetLayout } from './sheet-layout.ts'
import { targetPlace } from './target-place.ts'
import { useRowSearch, useRowSelection } from './use-row-selection.ts'
import styles from './EntityDocument.module.css'

/** From this number on the rows are shown in pages (decisions §11). */
const pagedFrom = 500

/** The attributes and relationships in their order, edited in place; the key first. */
export function AttributeSheet({ view }: { view: EntityView }) {
  const { key, entity, draft, locked } = view
  const { content } = draft
  const inheritedShown = useInheritedShown()
  const inherited = useInheritedRows(view, inheritedShown.isShown)
  const all = useMemo(() => [...inherited.rows, ...sheetRows({ content })].toSorted(byKey), [inherited, content])
  const { selected, select, reveal, revealColumn, onRevealed } = useRowSelection(entity.id, all)
  const [search, setSearch] = useRowSearch(reveal)
  const term = foldName(search)
  const [searched, setSearched] = useState({ term, uids: new Set<string>() })
  // A row that is renamed remains until the next search.
  if (searched.term !== term) setSearched({ term, uids: new Set(matching(all, term).map(row => row.uid)) })
  const rows = useMemo(() => matching(all, term, searched.uids), [all, term, searched.uids])
  const layout = useSheetLayout(all)
  const enumerations = useEnumerations(entity.targetManifest, locked === null)
  const folders = useMemo(() => foldersIn({ entity, draft }), [entity, draft])
  const columns = useMemo(
    () => layout.columns.map(column => shownColumn(column, { entity, folders, inherited, enumerations })),
    [layout.columns, entity, folders, inherited, enumerations],
  )
  const refused = useRefusedCells(key)
  const problems = useMemo(
    () => merged(invalidCells(content, draft.base), refusedIn(refused, content)),
    [content, draft.base, refused],
  )
  const marks = useCellMarks(entity.id)
  const chosen = rows.filter(row => selected.has(row.uid))

  function write(rowIds: readonly string[], columnIds: readonly string[], texts: readonly (readonly string[])[]) {
    const now = entityStore.get(key)?.draft.content ?? content
    const present = new Map(columnsOf(now).map(row => [row.uid, row]))
    const lines = rowIds.map((id, at) => ({ id, row: present.get(id), texts: texts[at] ?? [] }))
    const written = lines.filter(({ id, row }) => id === newRow || row !== undefined)
    for (const { texts: lost } of lines.filter(line => !written.includes(line)))
      returnInput(lost.join(', '), columnIds.map(headerOf).join(', '), 'the row was deleted.')
    const block = {
      rows: written.map(({ row }) => row),
      columns: columnIds.map(id => columnsById.get(id)),
      texts: written.map(line => line.texts),
    }
    return writeTyped(view, block, writeBlock) ?? [...rowIds]
  }

  const writeBlock = (block: CellBlock, lookups: CellLookups) => recordCells(key, () => writeCellsOf(block, lookups))

  function writeCellsOf(block: CellBlock, lookups: CellLookups) {
    const now = entityStore.get(key)?.draft.content ?? content
    const problems = refusedIn(refusedCells(key), now)
    const result = writeCells(now, block, { problems, ...lookups })
    if (result.edits.length > 0) entityStore.edit(key, () => result.edits)
    setRefusedCells(key, result.problems, entityStore.get(key)?.draft.content ?? now)
    return result
  }

  async function remove(uids: ReadonlySet<string> = selected) {
    if (await removeColumns(view, [...uids])) select(new Set())
  }

  function entriesOfRow(row: Column): MenuEntry[] {
    return [
      ...(isRelationship(row)
        ? openEntries({ kind: 'entity', ...row.associatedEntity }, 'Open Associated Entity')
        : []),
      ...copyEntries(view, selected.has(row.uid) ? selected : new Set([row.uid])),
      {
        kind: 'item',
        id: 'delete',
        label: 'Delete',
        icon: Trash2,
        shortcut: 'mod+-',
        danger: true,
        disabled: locked ?? (isKey(row) && keyReason),
        run: () => void remove(selected.has(row.uid) ? selected : new Set([row.uid])),
      },
    ]
  }

  return (
    <div className={styles['tab']}>
      <TabTools>
        <div className={styles['search']}>
          <SearchBox label="Search type attributes" value={search} onSearch={setSearch} />
        </div>
        <Menu
          trigger={<IconButton label="Columns" icon={Columns3} data-tour="columns" />}
          entries={columnEntries(layout, content.extendsEntity && inheritedShown)}
        />
      </TabTools>
      <Sheet
        label="Type attributes"
        columns={columns}
        widths={layout.widths}
        onResize={layout.resize}
        rows={rows}
        rowId={row => row.uid}
        rowName={columnName}
        rowKind={row => (isRelationship(row) ? 'relationship' : 'attribute')}
        isPinned={isKey}
        fixed={{ rows: inherited.declaredBy, reason: sheetTexts.inherited }}
        selected={selected}
        onSelect={select}
        reveal={reveal}
        revealColumn={revealColumn}
        onRevealed={onRevealed}
        locked={locked}
        growing={locked === null && term === '' ? 'New attribute' : null}
        problems={problems}
        marks={marks}
        onWrite={write}
        onRevert={(uid, column) => {
          const cells = new Map(refused.get(uid))
          cells.delete(column)
          recordCells(key, () => setRefusedCells(key, new Map(refused).set(uid, cells), content))
        }}
        onTakeOffers={id => {
          const column = columnsById.get(id)
          if (column) writeTyped(view, offeredBlock(content, problems, column), writeBlock)
        }}
        clipboard={{
          movesRows: true,
          copy: (copied, data, isCut) =>
            copyColumns(content, { ...copied, isCut, problems, inherited: inherited.rows }, data),
          paste: async (place, data) => pasteColumns(view, place, data, writeBlock),
        }}
        onDelete={() => void remove()}
        undeletable={locked ?? (chosen.every(isKey) && keyReason)}
        onReorder={
          locked !== null || term !== ''
            ? undefined
            : ids => entityStore.edit(key, current => reorderColumnsEdits(current, ids))
        }
        onOpen={row => {
          if (isRelationship(row) && row.associatedEntity.id >= 0)
            openAt({ kind: 'entity', ...row.associatedEntity }, targetPlace(row))
        }}
        onNeighbour={(step, { row, column }) => {
          const index = rows.findIndex(({ uid }) => uid === row)
          const name = rows[index] && columnName(rows[index])
          void showNextEntity(entity, step, { column, name, index: row === newRow ? rows.length : index })
        }}
        entriesFor={row => {
          const declaring = inherited.declaredBy.get(row.uid)
          return declaring ? openEntries({ kind: 'entity', ...declaring }, `Open ${declaring.name}`) : entriesOfRow(row)
        }}
        filter={term}
        pagedFrom={pagedFrom}
        empty={<EmptyState icon={ListX} text={messages.empty.typeAttributes} />}
      />
    </div>
  )
}

/** Keys first. */
function byKey(one: Column, other: Column): number {
  return Number(isKey(other)) - Number(isKey(one))
}

/** Rows that match the search, or did when it was typed. The key is shown beside matches. */
function matching(all: readonly Column[], term: string, matched?: ReadonlySet<string>): readonly Column[] {
  if (term === '') return all
  const isNamed = (row: Column) =>
    [columnName(row), isRelationship(row) ? row.associatedEntity.name : ''].some(text => foldName(text).includes(term))
  const isFound = (row: Column) => isNamed(row) || matched?.has(row.uid) === true
  const rows = all.filter(row => isKey(row) || isFound(row))
  return rows.every(isKey) ? rows.filter(isFound) : rows
}

/** The problems of invalid values, and of texts that were refused instead of them. */
function merged(invalid: SheetProblems, refused: SheetProblems): SheetProblems {
  const all = new Map(invalid)
  for (const [uid, cells] of refused) all.set(uid, new Map([...(invalid.get(uid) ?? []), ...cells]))
  return all
}

function headerOf(id: string): string {
  return columnsById.get(id)?.header ?? id
}

type Shown = {
  entity: EntityAnswer
  folders: Folders
  inherited: InheritedRows
  enumerations: readonly Enumeration[]
}

function shownColumn(column: ModelColumn, { entity, folders, inherited, enumerations }: Shown): SheetColumn<Column> {
  const { declaredBy } = inherited
  const { id, header, kind, isMultiline, text, applies, options } = column
  const isUnknown = ({ uid }: Column) => declaredBy.has(uid) && !inheritedColumns.includes(id)
  return {
    id,
    header,
    hint: explain(header),
    flag: kind === 'flag',
    mono: column.isCode,
    lines: isMultiline,
    fills: isMultiline,
    text: row => (isUnknown(row) ? '' : text(row)),
    cell: cellOf(id, folders),
    options: row =>
      id === 'choices' ? enumerations.map(({ name }) => name) : row ? options(row) : id === 'dataType' ? typeWords : [],
    isFree: id === 'choices',
    find: kind === 'reference' ? async text => suggestTargets(text, entity) : undefined,
    opens: kind === 'reference',
    isEditable: row => !declaredBy.has(row.uid) && applies(row),
  }
}

function cellOf(id: string, folders: Folders): SheetColumn<Column>['cell'] {
  if (id === 'name') return row => <ColumnName row={row} />
  if (id === 'references') return row => isRelationship(row) && <Reference row={row} folders={folders} />
  return undefined
}

function ColumnName({ row }: { row: Column }) {
  if (isTypeAttribute(row)) return <AttributeName name={row.name} isKey={isKey(row)} />
  return (
    <>
      <Spline size={14} aria-hidden className={styles['relationship']} />
      <span className="visually-hidden">Relationship </span>
      {visibleText(row.foreignKeyTypeAttribute)}
    </>
  )
}

/** Links to the attribute that a foreign key references. */
function Reference({ row, folders }: { row: EntityAttribute; folders: Folders }) {
  const { associatedEntity: target, associatedEntityTypeAttribute: attribute } = row
  const name = `${target.name}.${attribute}`
  // An entity missing from the store has no page.
  if (target.id < 0) return visibleText(name)
  return (
    <WithFolder folder={folders.get(target.id)}>
      <DocumentLink document={{ kind: 'entity', ...target }} place={targetPlace(row)} inRow>
        {name}
      </DocumentLink>
    </WithFolder>
  )
}

function columnEntries(
  { isShown, toggle, fitAll }: ReturnType<typeof useSheetLayout>,
  inherited: ReturnType<typeof useInheritedShown> | null,
): MenuEntry[] {
  return [
    ...sheetColumns.map((column): MenuEntry => ({
      kind: 'item',
      id: column.id,
      label: column.header,
      checked: isShown(column),
      staysOpen: true,
      disabled: column.isFixed && 'It is always shown.',
      run: () => toggle(column),
    })),
    ...(inherited
      ? [
          { kind: 'separator' as const, id: 'rows' },
          {
            kind: 'item' as const,
            id: 'inherited',
            label: 'Extended attributes',
            checked: inherited.isShown,
            staysOpen: true,
            run: inherited.toggle,
          },
        ]
      : []),
    { kind: 'separator', id: 'widths' },
    { kind: 'item', id: 'fit', label: 'Fit columns to content', run: fitAll },
  ]
}
