import { reorderAttributesEdits } from '@cadmus/model/edits/entity-actions'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { isPrimaryKey, type TypeAttribute } from '@cadmus/model/type-attribute'
import { ListX, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { attributeRows } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { AttributeName } from './AttributeName.tsx'
import type { EntityView } from './entity-view.ts'
import { keyReason, removeAttributes } from './remove-attributes.ts'
import { useRowSelection } from './use-row-selection.ts'
import styles from './EntityDocument.module.css'

const columns: readonly Column<TypeAttribute>[] = [
  { id: 'name', header: 'Name', cell: row => <AttributeName name={row.name} isKey={isPrimaryKey(row)} /> },
  { id: 'type', header: 'Type', cell: row => row.dataType, mono: true, width: '140px' },
]

/** The key first, then the other attributes in order, with search, selection, deletion and reordering. */
export function TypeAttributesTable({ view }: { view: EntityView }) {
  const { key, entity, draft, locked } = view
  const [search, setSearch] = useState('')
  const all = useMemo(() => attributeRows(draft), [draft])
  const { selected, select, reveal, onRevealed } = useRowSelection(entity.id, 'typeAttribute', all)
  const [revealed, setRevealed] = useState<string | null>(null)
  // Clear the search so that the revealed row is visible.
  if (reveal !== revealed) {
    setRevealed(reveal)
    if (reveal !== null) setSearch('')
  }
  const term = foldName(search)
  const { rows, shown } = useMemo(() => filterRows(all, term), [all, term])

  const keyOnly = rows.filter(row => selected.has(row.uid)).every(isPrimaryKey)

  async function remove(chosen: ReadonlySet<string> = selected) {
    const uids = rows.flatMap(({ uid }) => (chosen.has(uid) ? [uid] : []))
    if (await removeAttributes(view, uids)) select(new Set())
  }

  return (
    <div className={styles['tab']}>
      <div className={styles['search']}>
        <SearchBox label="Search type attributes" value={search} onSearch={setSearch} />
      </div>
      <DataTable
        label="Type attributes"
        columns={columns}
        rows={shown}
        rowId={row => row.uid}
        rowName={row => row.name}
        isPinned={isPrimaryKey}
        selected={selected}
        onSelect={select}
        renames
        reveal={reveal}
        onRevealed={onRevealed}
        filter={term}
        onDelete={locked ? undefined : () => void remove()}
        undeletable={locked ?? (keyOnly && keyReason)}
        onReorder={
          locked || term !== ''
            ? undefined
            : ids => entityStore.edit(key, content => reorderAttributesEdits(content, ids))
        }
        entriesFor={row => [
          {
            kind: 'item',
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            danger: true,
            disabled: locked ?? (isPrimaryKey(row) && keyReason),
            run: () => void remove(selected.has(row.uid) ? selected : new Set([row.uid])),
          },
        ]}
        empty={<EmptyState icon={ListX} text={messages.empty.typeAttributes} />}
      />
    </div>
  )
}

/** Rows that match the search. The key is shown beside matches. */
function filterRows(all: readonly TypeAttribute[], term: string) {
  if (term === '') return { rows: all, shown: all }
  const isNamed = (row: TypeAttribute) => foldName(row.name).includes(term)
  const rows = all.filter(row => isPrimaryKey(row) || isNamed(row))
  return { rows, shown: rows.every(isPrimaryKey) ? rows.filter(isNamed) : rows }
}
