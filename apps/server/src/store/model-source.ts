import type { ModelSource } from '@cadmus/model/closure'
import { upgradeEntityContent, upgradeManifestContent } from '@cadmus/model/content'
import type { EntityNode } from '@cadmus/model/entity'
import type { ManifestNode } from '@cadmus/model/manifest'
import { newNamesOfModel } from '@cadmus/model/names-of-model'
import { entityPartsByIds, manifestsBelow } from './closure-rows.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'
import type { ManifestSnapshot } from './manifest-snapshot.ts'
import { MemberParts } from './member-parts.ts'
import { referencesIn } from './open-reference.ts'
import { ScopedNodes } from './scoped-nodes.ts'
import { StoredNodes, type NodePart } from './stored-nodes.ts'

/** A manifest with all that may be looked at below it. */
export type LoadedModel = { root: ManifestNode; source: ModelSource }

/**
 * Reads a manifest again and again, each time as the store has it: what stands where, and under which hash, is asked each time; a
 * content whose hash is known is neither read nor parsed again. A node of which nothing changed is the very same object as before.
 * Reads whole contents: for large manifests not on the thread that answers requests.
 */
export class ModelReader {
  readonly #manifests = new StoredNodes(upgradeManifestContent)
  readonly #entities = new StoredNodes(upgradeEntityContent)
  readonly #scoped = new ScopedNodes()
  readonly #members = new MemberParts()
  readonly #withNames = newNamesOfModel()
  readonly #referred = new WeakMap<EntityNode, readonly number[]>()

  /** Characters of all contents that it holds, and of what tells where they stand. */
  get size(): number {
    return this.#manifests.size + this.#entities.size + this.#scoped.size + this.#members.size
  }

  /** The manifest as it is now. */
  async latest(db: Db, organisationId: number, root: ManifestRow): Promise<LoadedModel> {
    const rows = await manifestsBelow(db, organisationId, root)
    const manifests = await this.#manifests.read(db, organisationId, rows.map(partOf))
    const members = await this.#members.read(
      db,
      organisationId,
      rows.map(({ id }) => id),
    )
    const entities = await this.#entities.read(db, organisationId, members)
    await this.#addParents(db, organisationId, entities)
    const targets = [...entities.values()].flatMap(entity => this.#referredFrom(entity))
    await this.#add(db, organisationId, entities, targets)
    await this.#addParents(db, organisationId, entities)
    this.#entities.keepOnly(entities)
    const seen = await this.#scoped.over(db, organisationId, entities, this.#entities.size)
    return this.#model(root.id, manifests, seen)
  }

  /** The manifest exactly as it was when the version was frozen. */
  async version(db: Db, organisationId: number, rootId: number, snapshot: ManifestSnapshot): Promise<LoadedModel> {
    const manifests = await this.#manifests.read(db, organisationId, snapshot.manifests)
    return this.#model(rootId, manifests, await this.#entities.read(db, organisationId, snapshot.entities))
  }

  async #addParents(db: Db, organisationId: number, entities: Map<number, EntityNode>): Promise<void> {
    for (let size = -1; size !== entities.size;) {
      size = entities.size
      const parents = [...entities.values()].flatMap(({ extendsEntity }) => extendsEntity?.id ?? [])
      await this.#add(db, organisationId, entities, parents)
    }
  }

  /** Adds those of the entities that are there. */
  async #add(db: Db, organisationId: number, entities: Map<number, EntityNode>, ids: readonly number[]): Promise<void> {
    const wanted = new Set(ids.filter(id => id > 0 && !entities.has(id)))
    const parts = await entityPartsByIds(db, organisationId, [...wanted])
    for (const [id, node] of await this.#entities.read(db, organisationId, parts.map(partOf), entities))
      entities.set(id, node)
  }

  #referredFrom(entity: EntityNode): readonly number[] {
    const known = this.#referred.get(entity)
    if (known) return known
    const ids = referencesIn(entity).map(({ id }) => id)
    this.#referred.set(entity, ids)
    return ids
  }

  #model(
    rootId: number,
    manifests: ReadonlyMap<number, ManifestNode>,
    entities: ReadonlyMap<number, EntityNode>,
  ): LoadedModel {
    const root = manifests.get(rootId)
    if (root === undefined) throw new Error('The manifest is not in its own model.')
    this.#manifests.keepOnly(manifests)
    this.#entities.keepOnly(entities)
    return { root, source: { manifests, entities: this.#withNames(entities) } }
  }
}

function partOf({ id, path, content_hash: hash }: { id: number; path: string; content_hash: string }): NodePart {
  return { id, path, hash }
}
