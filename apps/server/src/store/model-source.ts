import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { entityForm, manifestForm } from '@cadmus/model/content'
import type { EntityNode } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import type { ManifestNode } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { comparisonSideTexts } from '@cadmus/model/messages/comparison-sides'
import { newNamesOfModel } from '@cadmus/model/names-of-model'
import { isDefaultPath } from '@cadmus/model/paths'
import type { ModelSource } from '@cadmus/model/resolved-model'
import { readStored, type StoredForm } from '@cadmus/model/stored/stored-form'
import { ApiError } from '../errors/api-error.ts'
import { idBatch, inBatches } from './statements.ts'
import { bodiesOf, lengthsOf } from './content.ts'
import type { Db } from './database.ts'
import { ownScopes } from './entity-scopes.ts'
import { readScopes } from './entity.ts'
import type { ManifestSnapshot } from './manifest-snapshot.ts'
import type { ManifestRow } from './manifest.ts'
import { referencesIn } from './open-reference.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'
import { entityPartsByIds, manifestsBelow } from './resolved-rows.ts'

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

  /** Limits the characters of contents read from now on, for a model that is held together with others. */
  limitReading(characters: number): void {
    this.#entities.limitReading(characters)
  }

  /** Returns the latest state of the manifest. `only`: without other members, unless these refer to them. */
  async latest(db: Db, organisationId: number, root: ManifestRow, only?: ReadonlySet<number>): Promise<LoadedModel> {
    const rows = await manifestsBelow(db, organisationId, root)
    const manifests = await this.#manifests.read(db, organisationId, rows.map(partOf))
    const members = await this.#members.read(
      db,
      organisationId,
      rows.map(({ id }) => id),
    )
    const read = only ? members.filter(({ id }) => only.has(id)) : members
    const entities = await this.#entities.read(db, organisationId, read)
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

  /** Adds the existing entities among the ids to a current state, with their ancestors. */
  async extended(
    db: Db,
    organisationId: number,
    { root, source: { manifests, entities } }: LoadedModel,
    ids: readonly number[],
  ): Promise<LoadedModel> {
    const all = new Map(entities)
    await this.#add(db, organisationId, all, ids)
    await this.#addParents(db, organisationId, all)
    const added = new Map([...all].filter(([id]) => !entities.has(id)))
    const scoped = await this.#scoped.waitForEnd(db, organisationId, added, this.#entities.size)
    return { root, source: { manifests, entities: new Map([...entities, ...scoped]) } }
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

type Text = string | null
const visibleRow = sql<Text>`case when entity.import_id = 0 then entity.id || ' ' || entity.content_hash || ' ' || entity.path end`
type Batch = { text: string; rows: readonly string[]; parts: readonly NodePart[] }

/** Reads the entities listed by manifests, reusing the objects of unchanged rows. */
export class MemberParts {
  #batches: readonly Batch[] = []

  /** Number of cached characters of the texts, as rows and as parts. */
  get size(): number {
    return this.#batches.reduce((sum, { text }) => sum + 2 * text.length, 0)
  }

  /** Returns each entity once. */
  async read(db: Db, organisationId: number, manifestIds: readonly number[]): Promise<NodePart[]> {
    const batches: Batch[] = []
    for (const ids of inBatches(manifestIds, idBatch)) {
      const text = await textOf(db, organisationId, ids)
      const before = this.#batches[batches.length]
      batches.push(before?.text === text ? before : batchOf(text, before))
    }
    this.#batches = batches
    const members = new Map(batches.flatMap(({ parts }) => parts.map(part => [part.id, part] as const)))
    return [...members.values()]
  }
}

async function textOf(db: Db, organisationId: number, manifestIds: readonly number[]): Promise<string> {
  const row = await memberRows(db, organisationId, manifestIds).executeTakeFirst()
  return row?.rows ?? ''
}

/**
 * Aggregates the members into one text: a thousand rows would cost the store and its driver more. Each entity is looked
 * up by its whole key in a subquery: with a join, PostgreSQL scans all entities, per member as long as it has no
 * statistics. For the same reason invisible rows are excluded by `case`: a condition would select another index.
 */
export function memberRows(db: Db, organisationId: number, manifestIds: readonly number[]) {
  const [own, library] = [organisationId, 0].map(organisation => entityRow(db, organisation, organisationId))
  const row = sql`case manifest_member.entity_organisation_id when 0 then ${library} else ${own} end`
  return db
    .selectFrom('manifest_member')
    .select(sql<Text>`string_agg(${row}, ${sql.val(mark)})`.as('rows'))
    .where('manifest_member.organisation_id', 'in', [organisationId, 0])
    .where('manifest_member.manifest_id', 'in', manifestIds)
}

function entityRow(db: Db, organisation: number, readingOrganisation: number) {
  return db
    .selectFrom('entity')
    .select(visibleRow.as('row'))
    .where('entity.organisation_id', '=', organisation)
    .whereRef('entity.id', '=', sql.ref('manifest_member.entity_id'))
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [readingOrganisation]))
}

function batchOf(text: string, before: Batch | undefined): Batch {
  const rows = text === '' ? [] : text.split(mark)
  const parts = rows.map((row, index) => {
    const reused = before?.rows[index] === row ? before.parts[index] : undefined
    return reused ?? parsedPart(row)
  })
  return { text, rows, parts }
}

/** Format: id, hash, path, separated by spaces; the path may contain spaces. */
function parsedPart(row: string): NodePart {
  const first = row.indexOf(' ')
  const second = row.indexOf(' ', first + 1)
  return { id: Number(row.slice(0, first)), hash: row.slice(first + 1, second), path: row.slice(second + 1) }
}

/**
 * Separates the parts of aggregated rows. Random per process, so that names and paths cannot contain it, and short,
 * because it is repeated for each field.
 */
export const mark = randomBytes(9).toString('base64url')

/**
 * Splits an aggregated text into the fields of all its rows; empty for no text. Returns a flat list, because ten
 * thousand small arrays would be costly.
 */
export function markedFields(text: string | null | undefined): string[] {
  return text ? text.split(mark) : []
}

/** Null if all together exceed the memory limit; the store omits them then. */
const maxSize = limits.modelContents
const scopes = sql<Text>`case when sum(octet_length(scopes)) over () <= ${maxSize} then scopes end`

type CachedScopes = { stored: EntityNode; text: string; scoped: EntityNode }

/** Predefined entities with an organisation's own scopes. Unchanged ones are identical objects. */
class ScopedNodes {
  #cached = new Map<number, CachedScopes>()
  #size = 0

  /** Number of cached characters of scopes. */
  get size(): number {
    return this.#size
  }

  /**
   * Replaces entities that have own scopes; `held` is the size of the entities. Throws 400 if the total exceeds the
   * limit.
   */
  async waitForEnd(
    db: Db,
    organisationId: number,
    entities: ReadonlyMap<number, EntityNode>,
    held: number,
  ): Promise<ReadonlyMap<number, EntityNode>> {
    const predefined = [...entities.values()].filter(({ path }) => isDefaultPath(path)).map(({ id }) => id)
    const cached = new Map<number, CachedScopes>()
    let size = 0
    for (const part of inBatches(predefined, idBatch)) {
      const rows = await ownScopes(db, organisationId, part)
        .select(['entity_id', scopes.as('text')])
        .execute()
      for (const { entity_id: id, text } of rows) {
        size += text?.length ?? maxSize
        checkSize(held + size, entities.size)
        const stored = entities.get(id)
        if (stored && text !== null) cached.set(id, this.#scoped(stored, text))
      }
    }
    this.#cached = cached
    this.#size = size
    if (cached.size === 0) return entities
    return new Map(Array.from(entities, ([id, stored]) => [id, cached.get(id)?.scoped ?? stored]))
  }

  #scoped(stored: EntityNode, text: string): CachedScopes {
    const previous = this.#cached.get(stored.id)
    if (previous?.stored === stored && previous.text === text) return previous
    return { stored, text, scoped: { ...stored, operationScopes: readScopes(text) } }
  }
}

/** Position and content hash of a node. */
type NodePart = { id: number; path: string; hash: string }

type Cached<C> = { hash: string; path: string; length: number; node: C & { id: number; path: string } }

const atOnce = 200
/** Up to this number of new nodes, sizes are not checked. */
const few = 4

/** A cache of entities or manifests: nodes with unchanged hash and path are identical objects. */
class StoredNodes<C extends object> {
  readonly #form: StoredForm<C>
  readonly #cached = new Map<number, Cached<C>>()
  #size = 0
  #mayRead = Number.POSITIVE_INFINITY

  constructor(form: StoredForm<C>) {
    this.#form = form
  }

  /** Number of cached characters of contents. */
  get size(): number {
    return this.#size
  }

  limitReading(characters: number): void {
    this.#mayRead = characters
  }

  /**
   * Returns the nodes by id, in the order of the parts. `beside` are nodes of the same model already read. Throws 400
   * before reading if the total exceeds the limit.
   */
  async read(
    db: Db,
    organisationId: number,
    parts: readonly NodePart[],
    beside: ReadonlyMap<number, unknown> = new Map(),
  ): Promise<Map<number, Cached<C>['node']>> {
    const changedParts = parts.filter(({ id, hash, path }) => {
      const cached = this.#cached.get(id)
      return cached?.hash !== hash || cached.path !== path
    })
    if (changedParts.length > few) {
      const lengths = await lengthsOf(db, organisationId, changedParts)
      const cached = [...beside.keys(), ...parts.map(({ id }) => id)]
      checkSize(this.#sizeWith(cached, changedParts, lengths), beside.size + parts.length)
      const read = changedParts.reduce((sum, { hash }) => sum + (lengths.get(hash) ?? 0), 0)
      if (read > this.#mayRead) throw tooLargeTogether(read + limits.modelContents - this.#mayRead)
    }
    for (const part of inBatches(changedParts, atOnce)) {
      const bodies = await bodiesOf(db, organisationId, part)
      for (const one of part) this.#store(one, bodies.get(one.hash))
    }
    const nodes = new Map<number, Cached<C>['node']>()
    for (const { id } of parts) {
      const cached = this.#cached.get(id)
      if (cached) nodes.set(id, cached.node)
    }
    return nodes
  }

  /** Drops all other nodes. */
  keepOnly(ids: { has(id: number): boolean }): void {
    for (const id of this.#cached.keys()) if (!ids.has(id)) this.#drop(id)
  }

  #sizeWith(ids: readonly number[], changedParts: readonly NodePart[], lengths: ReadonlyMap<string, number>): number {
    const newSizes = new Map(changedParts.map(({ id, hash }) => [id, lengths.get(hash) ?? 0]))
    return ids.reduce((sum, id) => sum + (newSizes.get(id) ?? this.#cached.get(id)?.length ?? 0), 0)
  }

  #store({ id, hash, path }: NodePart, body: string | undefined): void {
    if (body === undefined) throw new Error('A referenced content is missing.')
    this.#drop(id)
    const content = readStored(this.#form, JSON.parse(body))
    this.#cached.set(id, { hash, path, length: body.length, node: { ...content, id, path } })
    this.#size += body.length
    this.#mayRead -= body.length
  }

  #drop(id: number): void {
    this.#size -= this.#cached.get(id)?.length ?? 0
    this.#cached.delete(id)
  }
}

/** 400 for states that exceed a thread's memory together. */
export function tooLargeTogether(size: number): ApiError {
  const [megabytes = 0, limit = 0] = [size, limits.modelContents].map(bytes => Math.ceil(bytes / 1024 / 1024))
  return new ApiError(400, 'too_large', comparisonSideTexts.tooLarge(megabytes, limit))
}

/** Throws 400 for models that exceed a thread's memory. */
function checkSize(size: number, count: number): void {
  if (size <= limits.modelContents) return
  const [megabytes, limit] = [size, limits.modelContents].map(bytes => Math.ceil(bytes / 1024 / 1024))
  throw new ApiError(400, 'too_large', messages.modelTooLarge(count, megabytes ?? 0, limit ?? 0))
}
