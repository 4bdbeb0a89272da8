import { messages } from '@cadmus/model/messages'
import * as z from 'zod'
import { addManifestVersion, deleteManifestVersion, useManifest, useManifestVersions } from '../../api/manifests.ts'
import { ManageVersionsDialog } from './ManageVersionsDialog.tsx'

export type ManifestVersionsDialogProps = { manifest: { id: number; name: string; path: string }; onClose: () => void }

const contentSchema = z.object({ entities: z.array(z.number()), subManifests: z.array(z.number()) })

export function ManifestVersionsDialog({ manifest, onClose }: ManifestVersionsDialogProps) {
  const { data, error, refetch } = useManifestVersions(manifest.id)
  const latest = useManifest(manifest.id).data?.manifest.latestVersion ?? data?.[0]?.VERSION ?? ''
  return (
    <ManageVersionsDialog
      document={{ kind: 'manifest', id: manifest.id, name: manifest.name, path: manifest.path }}
      field="Manifest Version"
      columns={[
        { id: 'entities', header: 'Entities' },
        { id: 'subManifests', header: 'Sub-Manifests' },
      ]}
      rows={data?.map(row => ({ version: row.VERSION, cells: countsOf(row.CONTENT) }))}
      readError={error && !data ? { error, retry: () => void refetch() } : undefined}
      latest={latest}
      created={messages.manifestVersionCreated}
      failed={messages.failed.manifestVersion}
      add={(version, form) => addManifestVersion(manifest.id, version, form)}
      remove={version => deleteManifestVersion(manifest.id, version)}
      onClose={onClose}
    />
  )
}

function countsOf(content: string): { entities: string; subManifests: string } {
  const { entities, subManifests } = contentSchema.parse(JSON.parse(content))
  return { entities: String(entities.length), subManifests: String(subManifests.length) }
}
