import { applyEntityEdits, type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import type { EntityAttribute, EntityReference } from '@cadmus/model/entity-attribute'
import { mapReferences, openTargets, pinnedTargets } from '@cadmus/model/references'
import { ancestry, type ReferenceLookup } from '../../store/entity-refresh.ts'
import type { Db } from '../../store/database.ts'
import { columnsByNames, columnsOf } from '../../store/entity-column.ts'
import type { NewEntity } from '../../store/entity.ts'
import { referencesIn } from '../../store/open-reference.ts'
import { storable } from '../../store/statements.ts'

/**
 * Adds uids to target attributes that have only a name, if the target or its nearest ancestor has such an attribute.
 * References must be current. `self`: id of the entity itself, whose columns are those of the content.
 */
export async function withPinnedTargets(
  db: Db,
  organisationId: number,
  content: EntityContent,
  self: number,
): Promise<EntityContent> {
  const made = new Map([[self, content]])
  const [resolveNames] = await pinnedTogether(db, organisationId, [content], new MadeColumns(made))
  return resolveNames ?? content
}

/**
 * Adds uids as `withPinnedTargets` does for entities created together. `made`: all of these, if `entities` is a part.
 */
export async function withPinnedEntities(
  db: Db,
  organisationId: number,
  entities: readonly NewEntity[],
  made = new MadeColumns(new Map(entities.map(({ id, content }) => [id, content]))),
): Promise<NewEntity[]> {
  const contents = entities.map(({ content }) => content)
  const resolveNames = await pinnedTogether(db, organisationId, contents, made)
  return entities.map((entity, index) => ({ ...entity, content: resolveNames[index] ?? entity.content }))
}

/** Columns of contents about to be stored; built on demand. */
export class MadeColumns {
  readonly contents: ReadonlyMap<number, EntityContent>
  readonly #uids = new Map<number, ReadonlyMap<string, string>>()

  constructor(contents: ReadonlyMap<number, EntityContent>) {
    this.contents = contents
  }

  uidsOf(id: number): ReadonlyMap<string, string> | undefined {
    const [cached, content] = [this.#uids.get(id), this.contents.get(id)]
    if (cached || !content) return cached
    const uids = new Map(columnsOf(content).map(({ name, uid }) => [name, uid]))
    this.#uids.set(id, uids)
    return uids
  }
}

async function pinnedTogether(
  db: Db,
  organisationId: number,
  contents: readonly EntityContent[],
  made: MadeColumns,
): Promise<EntityContent[]> {
  const open = contents.flatMap(openTargets)
  if (open.length === 0) return [...contents]
  const targets = [...new Set(open.map(({ entity }) => entity.id))]
  const parents = await ancestry(db, organisationId, targets, made.contents)
  const stored = [...parents.keys()].filter(id => !made.contents.has(id))
  const names = open.map(({ column }) => storable(column.name))
  const named = await columnsByNames(db, organisationId, stored, names)
  const uids = new Map(
    [...Map.groupBy(named, ({ entityId }) => entityId)].map(([id, columns]) => [
      id,
      new Map(columns.map(({ name, uid }) => [name, uid])),
    ]),
  )
  const source = (id: number) => {
    const parent = parents.get(id)
    return parent === undefined ? undefined : { uids: made.uidsOf(id) ?? uids.get(id) ?? new Map(), parent }
  }
  return contents.map(content => pinnedTargets(content, source))
}

type States = {
  mine: EntityContent
  /** The base with its stored names; `today`: with current names. */
  stored: EntityContent
  today: EntityContent
}

/**
 * Updates target attributes that the request names by a former name, if no attribute has that name now: the renamed
 * attribute is meant.
 */
export async function withFormerTargets(
  tx: Db,
  organisationId: number,
  id: number,
  { mine, stored, today }: States,
): Promise<EntityContent> {
  const former = byUid(stored)
  const current = byUid(today)
  const isFormer = (item: EntityAttribute) => {
    const old = former.get(item.uid)
    if (!old || item.associatedEntityTypeAttributeUid !== null || old.associatedEntityTypeAttributeUid === null)
      return false
    const isSameEntity = current.get(item.uid)?.associatedEntity.id === item.associatedEntity.id
    return isSameEntity && old.associatedEntityTypeAttribute === item.associatedEntityTypeAttribute
  }
  if (!mine.entityAttributes.some(isFormer)) return mine
  const resolveNames = byUid(await withPinnedTargets(tx, organisationId, mine, id))
  const entityAttributes = mine.entityAttributes.map(item => {
    const now = current.get(item.uid)
    const isThere = resolveNames.get(item.uid)?.associatedEntityTypeAttributeUid !== null
    if (!now || isThere || !isFormer(item)) return item
    const { associatedEntityTypeAttribute, associatedEntityTypeAttributeUid } = now
    return { ...item, associatedEntityTypeAttribute, associatedEntityTypeAttributeUid }
  })
  return { ...mine, entityAttributes }
}

/**
 * Updates a request that refers to entities by ids of its base, some of which have changed since. An id that no longer
 * resolves is not a change.
 */
export function withCurrentIds(
  edits: readonly EntityEdit[],
  today: EntityContent,
  { stored, lookup }: { stored: EntityContent; lookup: ReferenceLookup },
): readonly EntityEdit[] {
  const moved = new Map<number, EntityReference>()
  for (const reference of referencesIn(stored)) {
    const now = lookup.entity(reference) ?? { ...reference, id: -1 }
    if (reference.id > 0 && now.id !== reference.id) moved.set(reference.id, now)
  }
  if (moved.size === 0 || edits.length === 0) return edits
  const current = byUid(today)
  const edited = mapReferences(applyEntityEdits(today, edits), {
    entity: reference => moved.get(reference.id) ?? reference,
    column: column => column,
  })
  const entityAttributes = edited.entityAttributes.map(item => {
    const before = current.get(item.uid)
    const { associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid } = item
    if (uid !== null || before?.associatedEntity.id !== item.associatedEntity.id) return item
    if (before.associatedEntityTypeAttribute !== name) return item
    return { ...item, associatedEntityTypeAttributeUid: before.associatedEntityTypeAttributeUid }
  })
  return entityEditsBetween(today, { ...edited, entityAttributes })
}

function byUid({ entityAttributes }: EntityContent): Map<string, EntityAttribute> {
  return new Map(entityAttributes.map(item => [item.uid, item]))
}
