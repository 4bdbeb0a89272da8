import type { Closure } from './closure.ts'
import type { EntityNode } from './entity.ts'
import type { ManifestNode } from './manifest.ts'
import type { ProblemStep } from './problem.ts'

/** The way from the root manifest to each manifest of the closure, the shortest where there are more. */
export function manifestPlaces({ root, manifests }: Closure): ReadonlyMap<number, readonly ProblemStep[]> {
  const byId = new Map(manifests.map(manifest => [manifest.id, manifest]))
  const places = new Map<number, readonly ProblemStep[]>()
  const open: [ManifestNode, readonly ProblemStep[]][] = [[root, []]]
  // New ones are added at the end while the list is walked.
  for (const [manifest, above] of open) {
    if (places.has(manifest.id)) continue
    const place: readonly ProblemStep[] = [...above, manifestStep(manifest)]
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
