import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { Spline, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import { DocumentLink, openAt, openEntries, rowLinkIcon } from '../../commands/DocumentLink.tsx'
import { explain } from '../../commands/glossary.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { TabTools } from '../../ui/Tabs.tsx'
import { fittedColumn } from '../../ui/text-width.ts'
import { copyEntries } from './column-commands.ts'
import type { EntityView } from './entity-view.ts'
import { foldersIn, type Folders, WithFolder } from './related.tsx'
import { removeColumns } from './remove-columns.ts'
import { targetPlace } from './target-place.ts'
import { useRowSearch, useRowSelection } from './use-row-selection.ts'
import styles from './EntityDocument.module.css'

const columnsOf = (rows: readonly EntityAttribute[], folders: Folders): readonly Column<EntityAttribute>[] => {
  const fitted = (header: string, text: (row: EntityAttribute) => string, beside = 0) => ({
    header,
    hint: explain(header),
    width: fittedColumn(header, rows.map(text), { beside }),
  })
  const withFolder = ({ associatedEntity: { id, name } }: EntityAttribute) =>
    [name, folders.get(id)].filter(text => text !== undefined).join(' ')
  return [
    {
      id: 'associated',
      ...fitted('Associated Entity', withFolder, rowLinkIcon),
      cell: row => <AssociatedLink row={row} folders={folders} />,
    },
    {
      id: 'target',
      ...fitted('Target Entity Attribute', row => row.associatedEntityTypeAttribute, rowLinkIcon),
      cell: row => <AssociatedLink row={row} folders={folders} attribute />,
    },
    {
      id: 'foreignKey',
      ...fitted('Foreign Key Type Attribute', row => row.foreignKeyTypeAttribute),
      cell: row => row.foreignKeyTypeAttribute,
    },
    {
      id: 'dataType',
      header: 'Foreign Key Data Type',
      hint: explain('Foreign Key Data Type'),
      cell: row => row.foreignKeyDataType,
      mono: true,
    },
  ]
}

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
  const { entity, draft, locked } = view
  const all = useMemo(
    () => draft.content.entityAttributes.toSorted((one, other) => one.position - other.position),
    [draft.content.entityAttributes],
  )
  const folders = useMemo(() => foldersIn({ entity, draft }), [entity, draft])
  const columns = useMemo(() => columnsOf(all, folders), [all, folders])
  const { selected, select, reveal, onRevealed } = useRowSelection(entity.id, all)
  const [search, setSearch] = useRowSearch(reveal)
  const term = foldName(search)
  const rows = all.filter(row =>
    [row.foreignKeyTypeAttribute, row.associatedEntity.name].some(text => foldName(text).includes(term)),
  )

  async function remove(uids: ReadonlySet<string> = selected) {
    const chosen = rows.flatMap(({ uid }) => (uids.has(uid) ? [uid] : []))
    if (await removeColumns(view, chosen)) select(new Set())
  }

  return (
    <div className={styles['tab']}>
      <TabTools>
        <div className={styles['search']}>
          <SearchBox label="Search relationships" value={search} onSearch={setSearch} />
        </div>
      </TabTools>
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
          ...copyEntries(view, selected.has(row.uid) ? selected : new Set([row.uid])),
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
