import type { EntityNode } from './entity.ts'
import type { ManifestNode } from './manifest.ts'

/** All that an export, a validation or a version of a manifest may look at, by id. */
export type ModelSource = {
  manifests: ReadonlyMap<number, ManifestNode>
  /** The members of the manifests and, as far as they exist, every ancestor and every target of a relationship. */
  entities: ReadonlyMap<number, EntityNode>
}

/** A manifest with its sub-manifests, each manifest and entity once, in the order in which they are met (depth first, parents before children). */
export type Closure = {
  root: ManifestNode
  manifests: readonly ManifestNode[]
  entities: readonly EntityNode[]
  /** Which manifest brought the entity in first: entity id to manifest id. */
  owner: ReadonlyMap<number, number>
  /** Members, and as far as they exist every ancestor and target outside: what references are looked up in. */
  byId: ReadonlyMap<number, EntityNode>
  /** Manifest ids of a sub-manifest cycle, in its order; empty where there is none. */
  cycle: readonly number[]
}

/** The closure of a manifest. Throws nothing: what is missing in the source is left out, a cycle is reported in the answer. */
export function closureOf(root: ManifestNode, source: ModelSource): Closure {
  const manifests: ManifestNode[] = []
  const entities: EntityNode[] = []
  const owner = new Map<number, number>()
  const seen = new Set<number>()
  const open: number[] = []
  let cycle: readonly number[] = []

  function visit(manifest: ManifestNode): void {
    const start = open.indexOf(manifest.id)
    if (start >= 0 && cycle.length === 0) cycle = [...open.slice(start), manifest.id]
    if (seen.has(manifest.id)) return
    seen.add(manifest.id)
    open.push(manifest.id)
    manifests.push(manifest)
    for (const member of manifest.entities) addMember(member.id, manifest.id)
    for (const id of manifest.subManifests) {
      const child = source.manifests.get(id)
      if (child) visit(child)
    }
    open.pop()
  }

  function addMember(id: number, manifestId: number): void {
    const entity = source.entities.get(id)
    if (!entity || owner.has(id)) return
    owner.set(id, manifestId)
    entities.push(entity)
  }

  visit(root)
  return { root, manifests, entities, owner, byId: source.entities, cycle }
}
