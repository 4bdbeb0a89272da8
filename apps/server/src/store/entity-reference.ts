import { type CardLink, cardLinks } from '@cadmus/model/diagram/card-rows'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import { idBatch, inBatches, rowsInBatches, storable } from './statements.ts'
import type { Db } from './database.ts'
import { deleteOpenReferences, insertOpenReferences, openReferencesOf } from './open-reference.ts'
import type { Tables } from './tables.ts'

export type Reference = {
  /** The relationship's uid; '' for inheritance. */
  attributeUid: string
  /** -1 = a target that is not in the store. */
  toId: number
  /** Columns of the relationship list; null for inheritance and further targets. */
  shown: { foreignKey: string; target: string; place: number } | null
  /** Its link in a diagram; null for inheritance. */
  link: Pick<CardLink, 'row' | 'ends'> | null
}

/** The references of an entity: its base entity and the targets of its relationships. */
export function referencesOf(content: EntityContent): Reference[] {
  const links = new Map(cardLinks(content).map(link => [link.uid, link]))
  const references = content.entityAttributes.flatMap((item, place): Reference[] => {
    const { uid: attributeUid, foreignKeyTypeAttribute, associatedEntityTypeAttribute } = item
    const shown = { foreignKey: foreignKeyTypeAttribute, target: associatedEntityTypeAttribute, place }
    const { row = 0, ends = 0 } = links.get(attributeUid) ?? {}
    const link = { row, ends }
    return [
      { attributeUid, toId: item.associatedEntity.id, shown, link },
      ...item.alternativeTargets.map(({ entity }) => ({ attributeUid, toId: entity.id, shown: null, link })),
    ]
  })
  if (content.extendsEntity)
    references.unshift({ attributeUid: '', toId: content.extendsEntity.id, shown: null, link: null })
  const distinct = new Map<string, Reference>()
  for (const reference of references) {
    const key = `${reference.attributeUid} ${reference.toId}`
    if (!distinct.has(key)) distinct.set(key, reference)
  }
  return [...distinct.values()]
}

export function referenceRow(
  organisationId: number,
  fromId: number,
  { attributeUid, toId, shown, link }: Reference,
): Tables['entity_reference'] {
  return {
    organisation_id: organisationId,
    from_id: fromId,
    attribute_uid: attributeUid,
    to_id: toId,
    foreign_key: storable(shown?.foreignKey ?? ''),
    target: storable(shown?.target ?? ''),
    place: shown?.place ?? 0,
    card_row: link?.row ?? 0,
    link_ends: link?.ends ?? 0,
  }
}

export async function insertReferences(
  db: Db,
  organisationId: number,
  entities: readonly { id: number; content: EntityContent }[],
): Promise<void> {
  const rows = entities.flatMap(({ id, content }) =>
    referencesOf(content).map(reference => referenceRow(organisationId, id, reference)),
  )
  for (const part of inBatches(rows, idBatch)) await db.insertInto('entity_reference').values(part).execute()
  await insertOpenReferences(
    db,
    organisationId,
    entities.flatMap(({ id, content }) => openReferencesOf(content).map(open => ({ fromId: id, ...open }))),
  )
}

/** Updates the references and `resolved` marks of entities to match their contents. */
export async function replaceReferences(
  db: Db,
  organisationId: number,
  entities: readonly { id: number; content: EntityContent }[],
): Promise<void> {
  const ids = entities.map(({ id }) => id)
  for (const part of inBatches(ids, idBatch)) {
    await db
      .deleteFrom('entity_reference')
      .where('organisation_id', '=', organisationId)
      .where('from_id', 'in', part)
      .execute()
  }
  await deleteOpenReferences(db, organisationId, ids)
  await insertReferences(db, organisationId, entities)
  await updateResolved(db, organisationId, ids)
}

/** Returns the entities of the organisation that refer to these, by inheritance or a relationship. */
export async function referrersOf(
  db: Db,
  organisationId: number,
  entityIds: readonly number[],
): Promise<{ fromId: number; attributeUid: string; toId: number }[]> {
  return rowsInBatches(entityIds, idBatch, part =>
    db
      .selectFrom('entity_reference')
      .select(['from_id as fromId', 'attribute_uid as attributeUid', 'to_id as toId'])
      .where('organisation_id', '=', organisationId)
      .where('to_id', 'in', part)
      .execute(),
  )
}

export type ReferenceRow = Pick<
  Tables['entity_reference'],
  'from_id' | 'attribute_uid' | 'to_id' | 'foreign_key' | 'place'
>

/**
 * Returns the reference rows of custom entities to these, with the other targets of the same relationships. Excludes the
 * entities of `exceptManifest`, which saves reading thousands of internal references.
 */
export async function referenceRowsTo(
  db: Db,
  organisationId: number,
  entityIds: readonly number[],
  exceptManifest = -1,
): Promise<ReferenceRow[]> {
  const result = new Map<string, ReferenceRow>()
  for (const part of inBatches(entityIds, idBatch)) {
    const rows = await db
      .selectFrom('entity_reference')
      .innerJoin('entity_reference as hit', join =>
        join
          .onRef('hit.organisation_id', '=', 'entity_reference.organisation_id')
          .onRef('hit.from_id', '=', 'entity_reference.from_id')
          .onRef('hit.attribute_uid', '=', 'entity_reference.attribute_uid'),
      )
      .innerJoin('entity as source', join =>
        join.onRef('source.organisation_id', '=', 'hit.organisation_id').onRef('source.id', '=', 'hit.from_id'),
      )
      .select([
        'entity_reference.from_id',
        'entity_reference.attribute_uid',
        'entity_reference.to_id',
        'entity_reference.foreign_key',
        'entity_reference.place',
      ])
      .where('hit.organisation_id', '=', organisationId)
      .where('entity_reference.organisation_id', '=', organisationId)
      .where('hit.to_id', 'in', part)
      .where('source.organisation_id', '=', organisationId)
      .where('source.manifest_id', '!=', exceptManifest)
      .execute()
    for (const row of rows) result.set(`${row.from_id} ${row.attribute_uid} ${row.to_id}`, row)
  }
  return [...result.values()]
}

/** Marks each entity as resolved if all its references exist. */
export async function updateResolved(db: Db, organisationId: number, entityIds: readonly number[]): Promise<void> {
  for (const part of inBatches(entityIds, idBatch)) {
    const open = await openReferrers(db, organisationId, part)
    await mark(
      db,
      organisationId,
      part.filter(id => !open.has(id)),
      1,
    )
    await mark(
      db,
      organisationId,
      part.filter(id => open.has(id)),
      0,
    )
  }
}

async function openReferrers(db: Db, organisationId: number, part: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('entity_reference')
    .leftJoin('entity', join =>
      join.onRef('entity.id', '=', 'entity_reference.to_id').on('entity.organisation_id', 'in', [organisationId, 0]),
    )
    .select('entity_reference.from_id')
    .distinct()
    .where('entity_reference.organisation_id', '=', organisationId)
    .where('entity_reference.from_id', 'in', part)
    .where('entity.id', 'is', null)
    .execute()
  return new Set(rows.map(row => row.from_id))
}

async function mark(db: Db, organisationId: number, ids: readonly number[], resolved: 0 | 1): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('entity')
    .set({ resolved })
    .where('organisation_id', '=', organisationId)
    .where('id', 'in', ids)
    .where('resolved', '!=', resolved)
    .execute()
}

/**
 * Updates the target column names in referrers' rows after columns of `toId` were renamed. `renames` maps old folded
 * names to new names.
 */
export async function renameTargets(
  db: Db,
  organisationId: number,
  toId: number,
  renames: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = await db
    .selectFrom('entity_reference')
    .select(['attribute_uid', 'target'])
    .where('organisation_id', '=', organisationId)
    .where('to_id', '=', toId)
    .where('target', '!=', '')
    .execute()
  // Grouped before the first update, because two names may be swapped.
  const groups = Map.groupBy(rows, ({ target }) => renames.get(foldName(target)))
  for (const [name, group] of groups) {
    if (name === undefined) continue
    for (const part of inBatches(group, idBatch)) {
      await db
        .updateTable('entity_reference')
        .set({ target: name })
        .where('organisation_id', '=', organisationId)
        .where('to_id', '=', toId)
        .where('target', '!=', '')
        .where(
          'attribute_uid',
          'in',
          part.map(row => row.attribute_uid),
        )
        .execute()
    }
  }
}
