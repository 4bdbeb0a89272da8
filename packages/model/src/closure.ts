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

/**
 * The closure of a manifest. Throws nothing: what is missing in the source is left out, a cycle is reported in the answer. However
 * deep sub-manifests lie in one another, the stack does not grow.
 */
export function closureOf(root: ManifestNode, source: ModelSource): Closure {
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
  readonly #seen = new Set<number>()
  /** The way from the root to where the walk is: which manifests, how far in each, and the place of each on it. */
  readonly #way: { manifest: ManifestNode; looked: number }[] = []
  readonly #places = new Map<number, number>()

  constructor(source: ModelSource) {
    this.#source = source
  }

  enter(manifest: ManifestNode): void {
    const { id } = manifest
    const place = this.#places.get(id)
    if (place !== undefined && this.cycle.length === 0) {
      this.cycle = [...this.#way.slice(place).map(step => step.manifest.id), id]
    }
    if (this.#seen.has(id)) return
    this.#seen.add(id)
    this.#places.set(id, this.#way.length)
    this.#way.push({ manifest, looked: 0 })
    this.manifests.push(manifest)
    for (const member of manifest.entities) this.#addMember(member.id, id)
  }

  /** The next manifest to enter: the first below the last entered that was not looked at; undefined at the end. */
  next(): ManifestNode | undefined {
    for (let last = this.#way.at(-1); last; last = this.#way.at(-1)) {
      const { subManifests } = last.manifest
      while (last.looked < subManifests.length) {
        const child = this.#source.manifests.get(subManifests[last.looked++] ?? 0)
        if (child) return child
      }
      this.#way.pop()
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
