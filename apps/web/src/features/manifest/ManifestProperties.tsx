import { mayEditManifest } from '@cadmus/model/locks'
import { useManifest } from '../../api/manifests.ts'
import { PropertyTable, type Property } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useViewedManifestVersion, viewManifestVersion } from './viewed-version.ts'

export function ManifestProperties({ id }: { id: number }) {
  const { data, error } = useManifest(id, useViewedManifestVersion(id))
  // The document shows the error.
  if (!data && error) return null
  if (!data) return <Skeleton lines={4} />
  const { name, path, isDefault, versions, currentVersion, latestVersion } = data.manifest
  const verdict = mayEditManifest(data.manifest)
  const version: Property =
    isDefault || versions.length < 2
      ? { id: 'version', label: 'Version', editor: 'shown', value: currentVersion, mono: true }
      : {
          id: 'version',
          label: 'Version',
          editor: 'select',
          mono: true,
          value: currentVersion,
          options: versions.map(value => ({ value, label: value })),
          onApply: value => viewManifestVersion(id, value === latestVersion ? undefined : value),
        }
  const properties: Property[] = [
    { id: 'name', label: 'Name', editor: 'shown', value: name },
    version,
    { id: 'path', label: 'Path', editor: 'shown', value: path, mono: true },
  ]
  return (
    <PropertyTable
      groups={[{ id: 'manifest', title: 'Manifest', properties }]}
      locked={verdict.allowed ? null : verdict.reason}
    />
  )
}
