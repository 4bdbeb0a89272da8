import type { ResolvedModel } from './resolved-model.ts'
import type { EntityNode } from './entity.ts'
import type { ManifestNode } from './manifest.ts'
import type { ProblemStep } from './problem.ts'

/** Limit of steps in a path: sub-manifests may be nested by the thousand. */
const longestWay = 100

/**
 * Path from the root manifest to each manifest of the resolved model, the shortest one. For a deeply nested manifest it has the root and the
 * nearest manifests only.
 */
export function manifestPlaces({ root, manifests }: ResolvedModel): ReadonlyMap<number, readonly ProblemStep[]> {
  const byId = new Map(manifests.map(manifest => [manifest.id, manifest]))
  const places = new Map<number, readonly ProblemStep[]>()
  const open: [ManifestNode, readonly ProblemStep[]][] = [[root, []]]
  // The list grows while it is iterated.
  for (const [manifest, above] of open) {
    if (places.has(manifest.id)) continue
    const shown = above.length < longestWay ? above : [...above.slice(0, 1), ...above.slice(2)]
    const place: readonly ProblemStep[] = [...shown, manifestStep(manifest)]
    places.set(manifest.id, place)
    for (const id of manifest.subManifests) {
      const child = byId.get(id)
      if (child) open.push([child, place])
    }
  }
  return places
}

export function manifestStep({ id, uid, name }: ManifestNode): ProblemStep {
  return { kind: 'manifest', id, uid, name }
}

export function entityStep({ id, uid, name, path }: EntityNode): ProblemStep {
  return { kind: 'entity', id, uid, name, path }
}
