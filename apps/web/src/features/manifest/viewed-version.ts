import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const viewed = createStore<{ versions: ReadonlyMap<number, string> }>()(() => ({ versions: new Map() }))

/** Which old version of a manifest is viewed; undefined: the latest. */
export function useViewedManifestVersion(id: number): string | undefined {
  return useStore(viewed, state => state.versions.get(id))
}

export function viewManifestVersion(id: number, version: string | undefined): void {
  viewed.setState(state => {
    const versions = new Map(state.versions)
    if (version === undefined) versions.delete(id)
    else versions.set(id, version)
    return { versions }
  })
}
