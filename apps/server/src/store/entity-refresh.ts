import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { mapReferences } from '@cadmus/model/references'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { columnsByUids } from './entity-column.ts'
import { entityRowsByIds } from './entity.ts'
import { referencesIn } from './open-reference.ts'
import { unseenManifests } from './unseen.ts'

/** What is referred to is called today; undefined where it is gone. */
export type ReferenceLookup = {
  entity: (reference: EntityReference) => EntityReference | undefined
  column: (uid: string | undefined, entityId: number) => string | undefined
}

/** Looks up all that the contents refer to. */
export async function referenceLookup(
  db: Db,
  organisationId: number,
  contents: readonly EntityContent[],
): Promise<ReferenceLookup> {
  const references = contents.flatMap(referencesIn)
  const ids = references.map(({ id }) => id).filter(id => id > 0)
  const rows = await entityRowsByIds(db, organisationId, ids)
  const lost = references.flatMap(({ id, uid }) => (uid === undefined || rows.has(id) ? [] : [uid]))
  const again = await entitiesByUids(db, organisationId, lost)
  const columns = Map.groupBy(await columnsByUids(db, organisationId, contents.flatMap(columnUidsIn)), item => item.uid)
  return {
    entity({ id, uid }) {
      const row = rows.get(id)
      if (row) return { id, uid: row.uid, name: row.name, path: row.path }
      return uid === undefined ? undefined : again.get(uid)
    },
    column(uid, entityId) {
      const found = uid === undefined ? undefined : columns.get(uid)
      // An inherited attribute is an ancestor's. Of two owners, which only old imports made, the target itself counts.
      return (found?.find(column => column.entityId === entityId) ?? found?.[0])?.name
    },
  }
}

/** The content with every reference under the names of today; one whose entity is gone keeps its name, and its id is -1. */
export function refreshed(content: EntityContent, lookup: ReferenceLookup): EntityContent {
  return mapReferences(content, {
    entity: reference => lookup.entity(reference) ?? { ...reference, id: -1 },
    column: ({ name, uid }, { id }) => ({ uid, name: lookup.column(uid, id) ?? name }),
  })
}

/** The entities under the names of today: what is written anew must not bring back a name that was given up. */
export async function underTodaysNames<T extends { content: EntityContent }>(
  db: Db,
  organisationId: number,
  entities: Iterable<T>,
): Promise<T[]> {
  const all = [...entities]
  const contents = all.map(({ content }) => content)
  const lookup = await referenceLookup(db, organisationId, contents)
  return all.map(entity => ({ ...entity, content: refreshed(entity.content, lookup) }))
}

/** The content under the names that it was stored with, as an old version is shown; only the ids are those of today. */
export function located(content: EntityContent, lookup: ReferenceLookup): EntityContent {
  return mapReferences(content, {
    entity: reference => ({ ...reference, id: lookup.entity(reference)?.id ?? -1 }),
    column: column => column,
  })
}

/** Visible entities of the organisation and of the library by uid; an own one comes before a predefined one. */
export async function entitiesByUids(
  db: Db,
  organisationId: number,
  uids: Iterable<string>,
): Promise<Map<string, EntityReference>> {
  const found = new Map<string, EntityReference>()
  for (const part of inBatches([...new Set(uids)], 500)) {
    const rows = await db
      .selectFrom('entity')
      .select(['id', 'uid', 'name', 'path'])
      .where('organisation_id', 'in', [organisationId, 0])
      .where('uid', 'in', part)
      .where('import_id', '=', 0)
      .where('manifest_id', 'not in', unseenManifests(db, [organisationId]))
      .where('hidden', '=', 0)
      .orderBy('organisation_id')
      .execute()
    for (const { id, uid, name, path } of rows) found.set(uid, { id, uid, name, path })
  }
  return found
}

function columnUidsIn({ entityAttributes }: EntityContent): string[] {
  return entityAttributes
    .flatMap(item => [
      item.associatedEntityTypeAttributeUid,
      ...item.alternativeTargets.map(({ attributeUid }) => attributeUid),
    ])
    .filter(uid => typeof uid === 'string')
}
