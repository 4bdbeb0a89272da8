import { Skeleton } from '../../ui/Skeleton.tsx'
import { ManifestGroup } from '../../commands/ManifestGroup.tsx'
import { useConfigurationView, viewVersion } from './configuration-view.ts'

export function ConfigurationProperties({ id }: { id: number }) {
  const { view, error } = useConfigurationView(id)
  // The document shows the error.
  if (!view && error) return null
  if (!view) return <Skeleton lines={4} />
  return <ManifestGroup manifest={view.manifest} locked={view.locked} onVersion={version => viewVersion(id, version)} />
}
