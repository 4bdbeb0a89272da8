import type { EntityReference } from '@cadmus/model/entity-attribute'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { visibleText } from '@cadmus/model/display'
import { useMemo } from 'react'
import { ListX } from 'lucide-react'
import { useEntity } from '../../api/entities.ts'
import { readFailure } from '../../api/read-failure.ts'
import { ambiguousFolders } from '../../commands/ambiguous-folders.ts'
import { DocumentLink, openAt, openEntries } from '../../commands/DocumentLink.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AttributeName } from './AttributeName.tsx'
import type { EntityView } from './entity-view.ts'
import { WithFolder, type Folders } from './related.tsx'
import styles from './EntityDocument.module.css'

type Row = { name: string; dataType: string; isPrimaryKey: boolean; declaredBy: EntityReference }

const columnsOf = (folders: Folders): readonly Column<Row>[] => [
  { id: 'name', header: 'Name', cell: row => <AttributeName name={row.name} isKey={row.isPrimaryKey} /> },
  { id: 'type', header: 'Type', cell: row => row.dataType, mono: true, width: '26%' },
  { id: 'from', header: 'From', cell: row => <Declaring row={row} folders={folders} />, width: '36%' },
]

function Declaring({ row: { declaredBy }, folders }: { row: Row; folders: Folders }) {
  if (declaredBy.id < 0) return visibleText(declaredBy.name)
  return (
    <WithFolder folder={folders.get(declaredBy.id)}>
      <DocumentLink document={{ kind: 'entity', ...declaredBy }} inRow>
        {declaredBy.name}
      </DocumentLink>
    </WithFolder>
  )
}

/** Attributes inherited from all ancestors and not redeclared; names compare case-insensitively. */
export function ExtendedAttributes({ view }: { view: EntityView }) {
  const { extendsEntity, typeAttributes, entityAttributes } = view.draft.content
  const parent = useEntity(extendsEntity?.id ?? 0)
  const { entity } = view
  const declaring = parent.data?.entity.resolvedAttributes
  const columns = useMemo(
    () => columnsOf(ambiguousFolders([entity, ...(declaring ?? []).map(row => row.declaredBy)])),
    [entity, declaring],
  )
  if (!extendsEntity) return null
  const readError = readFailure(parent, 'The extended entity could not be read.')
  if (readError) return <UnreadState failure={readError} />
  if (!parent.data) return <Skeleton />
  const own = [...typeAttributes.map(row => row.name), ...entityAttributes.map(row => row.foreignKeyTypeAttribute)]
  const ownNames = new Set(own.map(foldName))
  const rows = (parent.data.entity.resolvedAttributes ?? []).filter(row => !ownNames.has(foldName(row.name)))
  return (
    <div className={styles['tab']}>
      <div className={styles['note']}>
        <Alert kind="info">{messages.prompts.extendedAttributes(extendsEntity.name)}</Alert>
      </div>
      <DataTable
        label="Extended attributes"
        columns={columns}
        rows={rows}
        rowId={row => row.name}
        rowName={row => row.name}
        isPinned={row => row.isPrimaryKey}
        onOpen={({ declaredBy }) => {
          if (declaredBy.id >= 0) openAt({ kind: 'entity', ...declaredBy })
        }}
        entriesFor={({ declaredBy }) => openEntries({ kind: 'entity', ...declaredBy }, `Open ${declaredBy.name}`)}
        empty={<EmptyState icon={ListX} text={messages.empty.typeAttributes} />}
      />
    </div>
  )
}
