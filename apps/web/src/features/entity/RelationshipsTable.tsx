import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/visible-text'
import { Spline, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { deleteRelationship } from '../../api/entities.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { fail } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { useRowSelection } from './use-row-selection.ts'
import styles from './EntityDocument.module.css'

const columns: readonly Column<EntityAttribute>[] = [
  { id: 'associated', header: 'Associated Entity', cell: row => visibleText(row.associatedEntity.name) },
  { id: 'target', header: 'Target Entity Attribute', cell: row => row.associatedEntityTypeAttribute },
  { id: 'foreignKey', header: 'Foreign Key Type Attribute', cell: row => row.foreignKeyTypeAttribute },
  { id: 'dataType', header: 'Foreign Key Data Type', cell: row => row.foreignKeyDataType, mono: true, width: '170px' },
]

/** The relationships: search by foreign key or associated entity, choosing, deleting. Changes are stored at once. */
export function RelationshipsTable({ view }: { view: EntityView }) {
  const { key, entity, draft, locked } = view
  const [search, setSearch] = useState('')
  const { selected, select } = useRowSelection(entity.id, 'entityAttribute')
  const wanted = foldName(search)
  const all = draft.content.entityAttributes.toSorted((one, other) => one.position - other.position)
  const rows = all.filter(row =>
    [row.foreignKeyTypeAttribute, row.associatedEntity.name].some(text => foldName(text).includes(wanted)),
  )

  async function remove(uids: ReadonlySet<string> = selected) {
    const chosen = rows.filter(row => uids.has(row.uid))
    const text = chosen.map(row => `${row.foreignKeyTypeAttribute} to ${row.associatedEntity.name}`).join(', ')
    const question = { title: messages.confirm.deleteEntityAttributes, text, confirmLabel: 'Delete', danger: true }
    if (chosen.length === 0 || !(await confirm(question))) return
    try {
      let etag = draft.etag
      for (const row of chosen) {
        const place = { associatedEntityId: row.associatedEntity.id, foreignKey: row.foreignKeyTypeAttribute }
        // One after the other: each is a save of its own, on top of the one before.
        etag = await deleteRelationship({ id: entity.id, ...place, etag })
      }
      select(new Set())
      notify('success', messages.entityAttributesDeleted)
    } catch (failure) {
      fail(key, failure)
    }
  }

  return (
    <div className={styles['tab']}>
      <div className={styles['search']}>
        <SearchBox label="Search relationships" value={search} onSearch={setSearch} />
      </div>
      <DataTable
        label="Relationships"
        columns={columns}
        rows={rows}
        rowId={row => row.uid}
        rowName={row => `${row.foreignKeyTypeAttribute} to ${row.associatedEntity.name}`}
        selected={selected}
        onSelect={select}
        pressAdds
        onDelete={locked ? undefined : () => void remove()}
        entriesFor={row => [
          {
            kind: 'item',
            id: 'delete',
            label: 'Delete',
            icon: Trash2,
            danger: true,
            disabled: locked ?? false,
            run: () => void remove(selected.has(row.uid) ? selected : new Set([row.uid])),
          },
        ]}
        empty={<EmptyState icon={Spline} text={messages.empty.relationships} />}
      />
    </div>
  )
}
