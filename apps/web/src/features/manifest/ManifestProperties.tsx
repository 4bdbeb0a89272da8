import { mayEditManifest } from '@cadmus/model/locks'
import { useManifest } from '../../api/manifests.ts'
import { ManifestGroup } from '../../commands/ManifestGroup.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useViewedManifestVersion, viewManifestVersion } from './viewed-version.ts'

export function ManifestProperties({ id }: { id: number }) {
  const { data, error } = useManifest(id, useViewedManifestVersion(id))
  // The document shows the error.
  if (!data && error) return null
  if (!data) return <Skeleton lines={4} />
  const verdict = mayEditManifest(data.manifest)
  return (
    <ManifestGroup
      manifest={data.manifest}
      locked={verdict.allowed ? null : verdict.reason}
      onVersion={version => viewManifestVersion(id, version)}
    />
  )
}
