import { PropertyTable, type Property } from '../../ui/PropertyTable.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useConfigurationView, viewVersion } from './configuration-view.ts'

export function ConfigurationProperties({ id }: { id: number }) {
  const { view, error } = useConfigurationView(id)
  // The document shows the error.
  if (!view && error) return null
  if (!view) return <Skeleton lines={4} />
  const { name, path, isDefault, versions, currentVersion, latestVersion } = view.manifest
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
          onApply: value => viewVersion(id, value === latestVersion ? undefined : value),
        }
  const properties: Property[] = [
    { id: 'name', label: 'Name', editor: 'shown', value: name },
    version,
    { id: 'path', label: 'Path', editor: 'shown', value: path, mono: true },
  ]
  return <PropertyTable groups={[{ id: 'manifest', title: 'Manifest', properties }]} locked={view.locked} />
}
