import { messages } from '../messages.ts'
import type { ManifestNode } from '../manifest.ts'

type Named = Pick<ManifestNode, 'id' | 'name' | 'subManifests'>

/** Whether `child` may become a sub-manifest of `parent`: not itself, not twice, and not where it already contains the parent. */
export function subManifest(
  child: Named,
  { parent, lookup }: { parent: Named; lookup: (id: number) => Named | undefined },
): string | undefined {
  if (child.id === parent.id) return messages.sameSubManifest
  if (parent.subManifests.includes(child.id)) return messages.subManifestExists(child.name)
  return contains(child, parent.id, lookup) ? messages.subManifestCycle(child.name, parent.name) : undefined
}

function contains(start: Named, wanted: number, lookup: (id: number) => Named | undefined): boolean {
  const seen = new Set([start.id])
  const open = [...start.subManifests]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === wanted) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(lookup(id)?.subManifests ?? []))
  }
  return false
}
