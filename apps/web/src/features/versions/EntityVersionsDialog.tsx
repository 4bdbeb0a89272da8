import { messages } from '@cadmus/model/messages'
import { addEntityVersion, deleteEntityVersion, useEntity, useEntityVersions } from '../../api/entities.ts'
import { ManageVersionsDialog } from './ManageVersionsDialog.tsx'

export type EntityVersionsDialogProps = { entity: { id: number; name: string; path: string }; onClose: () => void }

export function EntityVersionsDialog({ entity, onClose }: EntityVersionsDialogProps) {
  const { data, error, refetch } = useEntityVersions(entity.id)
  const latest = useEntity(entity.id).data?.entity.latestVersion ?? data?.[0]?.VERSION ?? ''
  return (
    <ManageVersionsDialog
      document={{ kind: 'entity', id: entity.id, name: entity.name, path: entity.path }}
      field="Entity Version"
      columns={[
        { id: 'name', header: 'Name' },
        { id: 'description', header: 'Description' },
      ]}
      rows={data?.map(row => ({ version: row.VERSION, cells: { name: row.NAME, description: row.DESCRIPTION } }))}
      readError={error && !data ? { error, retry: () => void refetch() } : undefined}
      latest={latest}
      created={messages.entityVersionCreated}
      failed={messages.failed.entityVersion}
      add={(version, form) => addEntityVersion(entity.id, version, form)}
      remove={version => deleteEntityVersion(entity.id, version)}
      onClose={onClose}
    />
  )
}
