import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import type { Property } from '../ui/property.ts'
import { PropertyTable } from '../ui/PropertyTable.tsx'

type ManifestGroupProps = {
  manifest: Pick<ManifestAnswer, 'name' | 'path' | 'isDefault' | 'versions' | 'currentVersion' | 'latestVersion'>
  locked: string | null
  /** undefined: the latest version. */
  onVersion: (version: string | undefined) => void
}

/** The properties of a manifest; its version can be chosen if there are several. */
export function ManifestGroup({ manifest, locked, onVersion }: ManifestGroupProps) {
  const { name, path, isDefault, versions, currentVersion, latestVersion } = manifest
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
          onApply: value => onVersion(value === latestVersion ? undefined : value),
        }
  const properties: Property[] = [
    { id: 'name', label: 'Name', editor: 'shown', value: name },
    version,
    { id: 'path', label: 'Path', editor: 'shown', value: path, mono: true },
  ]
  return <PropertyTable groups={[{ id: 'manifest', title: 'Manifest', properties }]} locked={locked} />
}
