import { removeRelationshipEdits } from '@cadmus/model/edits/entity-actions'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { Spline, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { listedNames } from '../../commands/entity-words.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { confirm } from '../../workbench/confirm.ts'
import { entityStore } from './entity-store.ts'
import type { EntityView } from './entity-view.ts'
import { foldersIn, type Folders, WithFolder } from './related.tsx'
import { targetPlace } from './target-place.ts'
import { useRowSelection } from './use-row-selection.ts'
import styles from './EntityDocument.module.css'

const columnsOf = (folders: Folders): readonly Column<EntityAttribute>[] => [
  { id: 'associated', header: 'Associated Entity', cell: row => <AssociatedLink row={row} folders={folders} /> },
  {
    id: 'target',
    header: 'Target Entity Attribute',
    cell: row => <AssociatedLink row={row} folders={folders} attribute />,
    width: '24%',
  },
  { id: 'foreignKey', header: 'Foreign Key Type Attribute', cell: row => row.foreignKeyTypeAttribute, width: '25%' },
  { id: 'dataType', header: 'Foreign Key Data Type', cell: row => row.foreignKeyDataType, mono: true, width: '22%' },
]

/** Links to the associated entity, or to the attribute that the foreign key references. */
type AssociatedLinkProps = { row: EntityAttribute; folders: Folders; attribute?: boolean }

function AssociatedLink({ row, folders, attribute = false }: AssociatedLinkProps) {
  const { associatedEntity, associatedEntityTypeAttribute } = row
  const name = attribute ? associatedEntityTypeAttribute : associatedEntity.name
  // An entity missing from the store has no page.
  if (associatedEntity.id < 0) return visibleText(name)
  return (
    <WithFolder folder={attribute ? undefined : folders.get(associatedEntity.id)}>
      <DocumentLink document={{ kind: 'entity', ...associatedEntity }} place={attribute ? targetPlace(row) : {}} inRow>
        {name}
      </DocumentLink>
    </WithFolder>
  )
}

/** The relationships, with search, selection and deletion. */
export function RelationshipsTable({ view }: { view: EntityView }) {
  const { key, entity, draft, locked } = view
  const [search, setSearch] = useState('')
  const all = useMemo(
    () => draft.content.entityAttributes.toSorted((one, other) => one.position - other.position),
    [draft.content.entityAttributes],
  )
  const folders = useMemo(() => foldersIn({ entity, draft }), [entity, draft])
  const columns = useMemo(() => columnsOf(folders), [folders])
  const { selected, select, reveal, onRevealed } = useRowSelection(entity.id, 'entityAttribute', all)
  const [revealed, setRevealed] = useState<string | null>(null)
  // Clear the search so that the revealed row is visible.
  if (reveal !== revealed) {
    setRevealed(reveal)
    if (reveal !== null) setSearch('')
  }
  const term = foldName(search)
  const rows = all.filter(row =>
    [row.foreignKeyTypeAttribute, row.associatedEntity.name].some(text => foldName(text).includes(term)),
  )

  async function remove(uids: ReadonlySet<string> = selected) {
    const chosen = rows.filter(row => uids.has(row.uid))
    const text = listedNames(chosen.map(row => `${row.foreignKeyTypeAttribute} to ${row.associatedEntity.name}`))
    const question = { title: messages.confirm.deleteEntityAttributes, text, confirmLabel: 'Delete', danger: true }
    if (chosen.length === 0 || !(await confirm(question))) return
    entityStore.edit(key, () => chosen.flatMap(({ uid }) => removeRelationshipEdits(uid)))
    select(new Set())
    notify('success', messages.entityAttributesDeleted)
  }

  return (
    <div className={styles['tab']}>
      <div className={styles['search']}>
        <SearchBox label="Search relationships" value={search} onSearch={setSearch} />
      </div>
      <DataTable
        label="Relationships"
        minWidth={all.some(row => folders.has(row.associatedEntity.id)) ? '520px' : '440px'}
        columns={columns}
        rows={rows}
        rowId={row => row.uid}
        rowName={row => `${row.foreignKeyTypeAttribute} to ${row.associatedEntity.name}`}
        selected={selected}
        onSelect={select}
        renames
        reveal={reveal}
        onRevealed={onRevealed}
        onOpen={({ associatedEntity }) => {
          if (associatedEntity.id >= 0) openAt({ kind: 'entity', ...associatedEntity })
        }}
        filter={term}
        onDelete={locked ? undefined : () => void remove()}
        undeletable={locked ?? false}
        entriesFor={row => [
          ...openEntries({ kind: 'entity', ...row.associatedEntity }, 'Open Associated Entity'),
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
