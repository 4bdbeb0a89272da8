import type { EntityNode } from './entity.ts'
import type { ManifestNode } from './manifest.ts'

/** Manifests and entities by id, as input of exports, validations and versions of a manifest. */
export type ModelSource = {
  manifests: ReadonlyMap<number, ManifestNode>
  /** Members of the manifests, with all existing ancestors and relationship targets. */
  entities: ReadonlyMap<number, EntityNode>
}

/** A manifest with its sub-manifests, each manifest and entity once, in depth-first order, parents before children. */
export type ResolvedModel = {
  root: ManifestNode
  manifests: readonly ManifestNode[]
  entities: readonly EntityNode[]
  /** Manifest id by entity id: the first manifest with the entity. */
  owner: ReadonlyMap<number, number>
  /** Members, and all existing ancestors and targets outside; for resolving references. */
  byId: ReadonlyMap<number, EntityNode>
  /** Manifest ids of a sub-manifest cycle in order; empty without one. */
  cycle: readonly number[]
}

/**
 * Resolves a manifest with its sub-manifests. Never throws: missing items are omitted, a cycle is reported in the result. Iterative, because sub-manifests
 * may be nested deeply.
 */
export function resolveModel(root: ManifestNode, source: ModelSource): ResolvedModel {
  const walk = new Walk(source)
  walk.enter(root)
  for (let next = walk.next(); next; next = walk.next()) walk.enter(next)
  const { manifests, entities, owner, cycle } = walk
  return { root, manifests, entities, owner, byId: source.entities, cycle }
}

class Walk {
  readonly manifests: ManifestNode[] = []
  readonly entities: EntityNode[] = []
  readonly owner = new Map<number, number>()
  cycle: readonly number[] = []
  readonly #source: ModelSource
  readonly #visited = new Set<number>()
  /** Path from the root to the current manifest, with the number of visited children of each. */
  readonly #path: { manifest: ManifestNode; nextChild: number }[] = []
  readonly #places = new Map<number, number>()

  constructor(source: ModelSource) {
    this.#source = source
  }

  enter(manifest: ManifestNode): void {
    const { id } = manifest
    const place = this.#places.get(id)
    if (place !== undefined && this.cycle.length === 0) {
      this.cycle = [...this.#path.slice(place).map(step => step.manifest.id), id]
    }
    if (this.#visited.has(id)) return
    this.#visited.add(id)
    this.#places.set(id, this.#path.length)
    this.#path.push({ manifest, nextChild: 0 })
    this.manifests.push(manifest)
    for (const member of manifest.entities) this.#addMember(member.id, id)
  }

  /** The next manifest to visit: the first unvisited child of the innermost one; undefined at the end. */
  next(): ManifestNode | undefined {
    for (let last = this.#path.at(-1); last; last = this.#path.at(-1)) {
      const { subManifests } = last.manifest
      while (last.nextChild < subManifests.length) {
        const child = this.#source.manifests.get(subManifests[last.nextChild++] ?? 0)
        if (child) return child
      }
      this.#path.pop()
      this.#places.delete(last.manifest.id)
    }
    return undefined
  }

  #addMember(id: number, manifestId: number): void {
    const entity = this.#source.entities.get(id)
    if (!entity || this.owner.has(id)) return
    this.owner.set(id, manifestId)
    this.entities.push(entity)
  }
}
