import type { EntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { mapReferences, type TargetColumn } from '@cadmus/model/references'
import { ancestry } from '../../store/ancestry.ts'
import type { Db } from '../../store/database.ts'
import { columnsByNames, columnsOf } from '../../store/entity-column.ts'
import { storable } from '../../store/storable.ts'

/**
 * The content with the uid of every target attribute that it knew by name only, as far as it is there: the target's own one, else
 * the nearest ancestor's. Call it with references as they are today. `self` is the entity's own id, whose columns are the content's.
 */
export async function withPinnedTargets(
  db: Db,
  organisationId: number,
  content: EntityContent,
  self: number,
): Promise<EntityContent> {
  const open = openTargets(content)
  if (open.length === 0) return content
  const family = await ancestry(
    db,
    organisationId,
    open.map(({ entity }) => entity.id).filter(id => id !== self),
  )
  const names = open.map(({ column }) => storable(column.name))
  const found = await columnsByNames(db, organisationId, family.keys(), names)
  const uids = new Map(found.map(({ entityId, name, uid }) => [`${entityId} ${name}`, uid]))
  for (const { name, uid } of columnsOf(content)) uids.set(`${self} ${name}`, uid)
  const parents = new Map([...family, [self, content.extendsEntity?.id ?? 0]])
  return mapReferences(content, {
    entity: reference => reference,
    column: (column, { id }) => ({ ...column, uid: column.uid ?? uidIn(uids, parents, id, storable(column.name)) }),
  })
}

function openTargets(content: EntityContent): { entity: EntityReference; column: TargetColumn }[] {
  const open: { entity: EntityReference; column: TargetColumn }[] = []
  mapReferences(content, {
    entity: reference => reference,
    column(column, entity) {
      if (column.uid === undefined && column.name !== '' && entity.id > 0) open.push({ entity, column })
      return column
    },
  })
  return open
}

function uidIn(
  uids: ReadonlyMap<string, string>,
  parents: ReadonlyMap<number, number>,
  entityId: number,
  name: string,
): string | undefined {
  const passed = new Set<number>()
  for (let id = entityId; id > 0 && !passed.has(id); id = parents.get(id) ?? 0) {
    const uid = uids.get(`${id} ${name}`)
    if (uid !== undefined) return uid
    passed.add(id)
  }
  return undefined
}
