import type { Enumeration } from '@cadmus/model/enumeration'
import { useManifest } from './manifests.ts'

const none: readonly Enumeration[] = []

/** The enumerations that attributes of an entity of the manifest can have; none before they are read. */
export function useEnumerations(manifest: { id: number } | null, enabled: boolean): readonly Enumeration[] {
  const { data } = useManifest(manifest?.id ?? 0, undefined, enabled && manifest !== null)
  return data?.manifest.enumerations ?? none
}
