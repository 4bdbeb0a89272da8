import type { ModelSource } from '@cadmus/model/resolved-model'
import { entityForm, manifestForm } from '@cadmus/model/content'
import type { EntityNode } from '@cadmus/model/entity'
import type { ManifestNode } from '@cadmus/model/manifest'
import { newNamesOfModel } from '@cadmus/model/names-of-model'
import { entityPartsByIds, manifestsBelow } from './resolved-rows.ts'
import type { Db } from './database.ts'
import type { ManifestRow } from './manifest.ts'
import type { ManifestSnapshot } from './manifest-snapshot.ts'
import { MemberParts } from './member-parts.ts'
import { referencesIn } from './open-reference.ts'
import { ScopedNodes } from './scoped-nodes.ts'
import { StoredNodes, type NodePart } from './stored-nodes.ts'

/** A manifest with everything below it. */
export type LoadedModel = { root: ManifestNode; source: ModelSource }

/**
 * Reads the current state of a manifest repeatedly. Positions and hashes are queried each time; contents with a known
 * hash are neither read nor parsed again, and unchanged nodes are identical objects. Reads whole contents, so large
 * manifests must not be read on the request thread.
 */
export class ModelReader {
  readonly #manifests = new StoredNodes(manifestForm)
  readonly #entities = new StoredNodes(entityForm)
  readonly #scoped = new ScopedNodes()
  readonly #members = new MemberParts()
  readonly #withNames = newNamesOfModel()
  readonly #referred = new WeakMap<EntityNode, readonly number[]>()

  /** Number of cached characters of contents and positions. */
  get size(): number {
    return this.#manifests.size + this.#entities.size + this.#scoped.size + this.#members.size
  }

  /** Returns the latest state of the manifest. */
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
    const seen = await this.#scoped.waitForEnd(db, organisationId, entities, this.#entities.size)
    return this.#model(root.id, manifests, seen)
  }

  /** Returns the manifest as frozen in a version. */
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

  /** Adds the existing entities among the ids. */
  async #add(db: Db, organisationId: number, entities: Map<number, EntityNode>, ids: readonly number[]): Promise<void> {
    const requested = new Set(ids.filter(id => id > 0 && !entities.has(id)))
    const parts = await entityPartsByIds(db, organisationId, [...requested])
    for (const [id, node] of await this.#entities.read(db, organisationId, parts.map(partOf), entities))
      entities.set(id, node)
  }

  #referredFrom(entity: EntityNode): readonly number[] {
    const cached = this.#referred.get(entity)
    if (cached) return cached
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
    if (root === undefined) throw new Error('The model does not contain its manifest.')
    this.#manifests.keepOnly(manifests)
    this.#entities.keepOnly(entities)
    return { root, source: { manifests, entities: this.#withNames(entities) } }
  }
}

function partOf({ id, path, content_hash: hash }: { id: number; path: string; content_hash: string }): NodePart {
  return { id, path, hash }
}
