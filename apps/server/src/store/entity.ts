import { canonicalJson, entityForm } from '@cadmus/model/content'
import { cardSize } from '@cadmus/model/diagram/card-rows'
import { type EntityContent, type EntityNode, noScopes } from '@cadmus/model/entity'
import { defaults } from '@cadmus/model/limits'
import { type OperationScopes, operationScopesSchema } from '@cadmus/model/operations'
import { folderOf, foldName } from '@cadmus/model/paths'
import { entityTexts } from '@cadmus/model/search/search-texts'
import { readStored } from '@cadmus/model/stored/stored-form'
import { sql } from 'kysely'
import { yieldToEventLoop } from '../event-loop.ts'
import type { Actor } from './audit.ts'
import { idBatch, inBatches, rowsInBatches, storable } from './statements.ts'
import { hashOf, putContents } from './content.ts'
import { adjustEntityCounters } from './counters.ts'
import type { Db } from './database.ts'
import { columnsOf, insertColumns, replaceColumns } from './entity-column.ts'
import { insertReferences, replaceReferences } from './entity-reference.ts'
import { partsOf } from './search-parts.ts'
import { insertSearchTexts, replaceSearchTexts } from './search-text.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'
import type { Tables } from './tables.ts'

export type EntityRow = Tables['entity']

/**
 * The current state of an entity. For a predefined one, `content` includes the organisation's own operation scopes and
 * `content_hash` is the hash of that content, which need not be stored.
 */
export type StoredEntity = EntityRow & {
  content: EntityContent
  /** The organisation's own scopes as text; null if it set none. */
  own_scopes: string | null
}

/** An entity about to be stored. `manifestId` is its owner. */
export type NewEntity = {
  id: number
  path: string
  content: EntityContent
  manifestId?: number
  version?: string
  corpusPath?: string | null
  importId?: number
}

const batch = 200
/** Contents per statement; each may be large. */
const contentBatch = 25

export function entityNode({ id, path, content }: Pick<StoredEntity, 'id' | 'path' | 'content'>): EntityNode {
  return { ...content, id, path }
}

/** Returns an entity of the organisation or the library, excluding running imports. */
export async function entityById(db: Db, organisationId: number, id: number): Promise<StoredEntity | undefined> {
  const [entity] = await read(db, organisationId, [id])
  return entity
}

/** Size of an entity's current content in bytes, without loading it; 0 for another organisation's. */
export async function contentSizeOf(db: Db, organisationId: number, id: number): Promise<number> {
  const row = await db
    .selectFrom('entity')
    .innerJoin('content', join =>
      join
        .onRef('content.organisation_id', '=', 'entity.organisation_id')
        .onRef('content.hash', '=', 'entity.content_hash'),
    )
    .select(sql<number>`octet_length(body)`.as('size'))
    .where('entity.organisation_id', '=', organisationId)
    .where('entity.id', '=', id)
    .executeTakeFirst()
  return Number(row?.size ?? 0)
}

export async function entitiesByIds(
  db: Db,
  organisationId: number,
  ids: Iterable<number>,
): Promise<Map<number, StoredEntity>> {
  const entities = await rowsInBatches([...new Set(ids)], contentBatch, part => read(db, organisationId, part))
  return new Map(entities.map(entity => [entity.id, entity]))
}

/** Returns only the rows, without contents. */
export async function entityRowsByIds(
  db: Db,
  organisationId: number,
  ids: Iterable<number>,
): Promise<Map<number, EntityRow>> {
  const rows = await rowsInBatches([...new Set(ids)], idBatch, part =>
    db
      .selectFrom('entity')
      .selectAll()
      .where('organisation_id', 'in', [organisationId, 0])
      .where('id', 'in', part)
      .where('import_id', '=', 0)
      .where('manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
      .execute(),
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** Returns the entities and all existing ancestors, for resolving inherited attributes. */
export async function withAncestors(
  db: Db,
  organisationId: number,
  entities: Iterable<StoredEntity>,
): Promise<Map<number, EntityNode>> {
  const nodes = new Map([...entities].map(entity => [entity.id, entityNode(entity)]))
  for (let open = parentsOf(nodes.values()); open.some(id => !nodes.has(id));) {
    const missing = open.filter(id => !nodes.has(id))
    const result = await entitiesByIds(db, organisationId, missing)
    for (const entity of result.values()) nodes.set(entity.id, entityNode(entity))
    open = parentsOf([...result.values()].map(entityNode))
  }
  return nodes
}

/**
 * Whether an entity owned or listed by the manifest has the name, case-insensitively; 0 = entities without manifest.
 */
export async function isEntityNameTaken(
  db: Db,
  organisationId: number,
  manifestId: number,
  name: string,
  exceptId = -1,
): Promise<boolean> {
  const named = db
    .selectFrom('entity')
    .select('entity.id')
    .where('entity.import_id', '=', 0)
    .where('entity.name_folded', '=', foldName(storable(name)))
    .where('entity.id', '!=', exceptId)
  const owned = await named
    .where('entity.organisation_id', '=', organisationId)
    .where('entity.manifest_id', '=', manifestId)
    .executeTakeFirst()
  if (owned !== undefined || manifestId === 0) return owned !== undefined
  const member = await named
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .innerJoin('manifest_member', join =>
      join
        .onRef('manifest_member.entity_id', '=', 'entity.id')
        .on('manifest_member.organisation_id', '=', organisationId)
        .on('manifest_member.manifest_id', '=', manifestId),
    )
    .executeTakeFirst()
  return member !== undefined
}

/**
 * Stores new entities with contents and references; returns their content hashes in the same order. Call
 * `updateResolved` once all their references exist.
 */
export async function insertEntities(
  db: Db,
  organisationId: number,
  entities: readonly NewEntity[],
  actor: Pick<Actor, 'userName'>,
): Promise<string[]> {
  const hashes = await putContents(
    db,
    organisationId,
    entities.map(entity => canonicalJson(entity.content)),
  )
  const rows = entities.map((entity, index) => {
    const { id, path, content, manifestId = 0, corpusPath = null, importId = 0, version } = entity
    const columns = contentColumns(content, path)
    const hash = hashes[index] ?? ''
    const newEntity = {
      id,
      uid: content.uid,
      columns,
      hash,
      manifestId,
      corpusPath,
      importId,
      resolved: 1 as const,
      version,
    }
    return newEntityRow(organisationId, newEntity, actor)
  })
  for (const part of inBatches(rows, batch)) await db.insertInto('entity').values(part).execute()
  const columns = entities.map(({ id, content }) => ({ id, columns: columnsOf(content) }))
  await insertColumns(db, organisationId, columns)
  const texts = entities.values().map(({ id, content }) => ({ id, parts: partsOf(entityTexts(content)) }))
  await insertSearchTexts(db, organisationId, 'entity', texts)
  await insertReferences(db, organisationId, entities)
  const folders = rows.filter(row => row.import_id === 0).map(row => row.folder)
  await adjustEntityCounters(db, organisationId, folders, 1)
  return hashes
}

type ContentChange = {
  id: number
  /** The state the change is based on. */
  from: Pick<EntityRow, 'content_hash' | 'latest_version' | 'path'>
  content: EntityContent
  path: string
}

/**
 * Sets the current content of an entity, with name, type and references. Undefined on a write conflict: nothing was
 * changed, and the change must be repeated on the new state.
 */
export async function setEntityContent(
  tx: Db,
  organisationId: number,
  change: ContentChange,
  actor: Pick<Actor, 'userName'>,
): Promise<string | undefined> {
  return (await setEntityContents(tx, organisationId, [change], actor))?.[0]
}

/** Like `setEntityContent`, for several distinct entities: all or none. Returns their hashes in the same order. */
export async function setEntityContents(
  tx: Db,
  organisationId: number,
  changes: readonly ContentChange[],
  actor: Pick<Actor, 'userName'>,
): Promise<string[] | undefined> {
  const bodies: string[] = []
  for (const { content } of changes) {
    bodies.push(canonicalJson(content))
    await yieldToEventLoop()
  }
  const hashes = await putContents(tx, organisationId, bodies)
  for (const [index, change] of changes.entries()) {
    const { id, from, content, path } = change
    const row = { id, from, hash: hashes[index] ?? '', columns: contentColumns(content, path) }
    if (!(await setEntityRow(tx, organisationId, row, actor))) return undefined
  }
  await replaceColumns(
    tx,
    organisationId,
    changes.map(({ id, content }) => ({ id, columns: columnsOf(content) })),
  )
  await replaceReferences(tx, organisationId, changes)
  const texts = changes.map(({ id, content }) => ({ id, texts: entityTexts(content) }))
  await replaceSearchTexts(tx, organisationId, 'entity', texts)
  return hashes
}

type RowChange = Pick<ContentChange, 'id' | 'from'> & { hash: string; columns: ContentColumns }

/** Refers to a stored content. Returns false on a write conflict. */
export async function setEntityRow(
  tx: Db,
  organisationId: number,
  { id, from, hash, columns }: RowChange,
  actor: Pick<Actor, 'userName'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entity')
    .set({
      ...columns,
      content_hash: hash,
      updated_at: new Date().toISOString(),
      updated_by: actor.userName,
    })
    .where('organisation_id', '=', organisationId)
    .where('id', '=', id)
    .where('content_hash', '=', from.content_hash)
    // The content may have been frozen since; the change must not go into the next version.
    .where('latest_version', '=', from.latest_version)
    // The manifest may have been renamed since, which changes the path.
    .where('path', '=', from.path)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function read(db: Db, organisationId: number, ids: readonly number[]): Promise<StoredEntity[]> {
  const rows = await db
    .selectFrom('entity')
    .innerJoin('content', join =>
      join
        .onRef('content.organisation_id', '=', 'entity.organisation_id')
        .onRef('content.hash', '=', 'entity.content_hash'),
    )
    .leftJoin('entity_scopes', join =>
      join.onRef('entity_scopes.entity_id', '=', 'entity.id').on('entity_scopes.organisation_id', '=', organisationId),
    )
    .selectAll('entity')
    .select(['content.body', 'entity_scopes.scopes as own_scopes'])
    .where('entity.organisation_id', 'in', [organisationId, 0])
    .where('entity.id', 'in', ids)
    .where('entity.import_id', '=', 0)
    .where('entity.manifest_id', 'not in', manifestsPendingDeletion(db, [organisationId]))
    .execute()
  const entities: StoredEntity[] = []
  for (const { body, own_scopes: ownScopes, ...row } of rows) {
    await yieldToEventLoop()
    const content = entityContentOf(row.content_hash, body)
    if (ownScopes === null || row.organisation_id !== 0) entities.push({ ...row, content, own_scopes: null })
    else entities.push(withOwnScopes(row, content, ownScopes))
  }
  return entities
}

function withOwnScopes(row: EntityRow, content: EntityContent, ownScopes: string): StoredEntity {
  const own = { ...content, operationScopes: readScopes(ownScopes) }
  const hash = hashOf(canonicalJson(own))
  return { ...row, scopes: ownScopes, content_hash: hash, content: own, own_scopes: ownScopes }
}

function parentsOf(nodes: Iterable<EntityNode>): number[] {
  return [...nodes].flatMap(({ extendsEntity }) => (extendsEntity && extendsEntity.id > 0 ? [extendsEntity.id] : []))
}

type Row = Tables['entity']

/** The properties of a content that are repeated in the entity's row. */
export type ContentColumns = Pick<
  Row,
  'name' | 'name_folded' | 'path' | 'folder' | 'type' | 'extends_id' | 'scopes' | 'card_rows' | 'card_key_rows'
>

export function contentColumns(content: EntityContent, path: string): ContentColumns {
  const name = storable(content.name)
  const place = storable(path)
  const { rows, keyRows } = cardSize(content)
  return {
    name,
    name_folded: foldName(name),
    path: place,
    folder: folderOf(place),
    type: content.type,
    extends_id: content.extendsEntity && content.extendsEntity.id > 0 ? content.extendsEntity.id : 0,
    scopes: writeScopes(content.operationScopes),
    card_rows: rows,
    card_key_rows: keyRows,
  }
}

type NewRow = {
  id: number
  uid: string
  columns: ContentColumns
  hash: string
  manifestId: number
  corpusPath: string | null
  importId: number
  resolved: 0 | 1
  version?: string | undefined
}

/** Builds the row of a new entity; the only place that does. */
export function newEntityRow(organisationId: number, newEntity: NewRow, actor: Pick<Actor, 'userName'>): Row {
  const now = new Date().toISOString()
  return {
    organisation_id: organisationId,
    id: newEntity.id,
    uid: newEntity.uid,
    ...newEntity.columns,
    content_hash: newEntity.hash,
    latest_version: newEntity.version ?? defaults.version,
    manifest_id: newEntity.manifestId,
    corpus_path: storable(newEntity.corpusPath ?? '') || null,
    resolved: newEntity.resolved,
    import_id: newEntity.importId,
    hidden: 0,
    created_at: now,
    updated_at: now,
    updated_by: actor.userName,
  }
}

const maxCacheSize = 16_000_000
const cache = new Map<string, { content: EntityContent; size: number }>()
let cacheSize = 0

/** Parses the content of an entity, with a cache by hash. The result is shared: never modify it. */
export function entityContentOf(hash: string, body: string): EntityContent {
  const cached = cache.get(hash)
  if (cached) {
    cache.delete(hash)
    cache.set(hash, cached)
    return cached.content
  }
  const content = readStored(entityForm, JSON.parse(body))
  cache.set(hash, { content, size: body.length })
  cacheSize += body.length
  for (const [oldest, { size }] of cache) {
    if (cacheSize <= maxCacheSize) break
    cache.delete(oldest)
    cacheSize -= size
  }
  return content
}

/** The stored form of scopes; '' if there are none. */
export function writeScopes(scopes: OperationScopes): string {
  return Object.values(scopes).every(list => list.length === 0) ? '' : JSON.stringify(scopes)
}

export function readScopes(text: string): OperationScopes {
  return text === '' ? noScopes : operationScopesSchema.parse(JSON.parse(text))
}
