import { messages } from '../messages.ts'

type Named = { id: number; name: string }
type Ids = { has: (id: number) => boolean }

/**
 * Whether `child` may become a sub-manifest of `parent`: not itself, not twice, and not if it contains the parent. `above`: the parent's
 * ancestors.
 */
export function subManifest(
  child: Named,
  { parent, listed, above }: { parent: Named; listed: Ids; above: Ids },
): string | undefined {
  if (child.id === parent.id) return messages.sameSubManifest
  if (listed.has(child.id)) return messages.subManifestExists(child.name)
  return above.has(child.id) ? messages.subManifestCycle(child.name, parent.name) : undefined
}
