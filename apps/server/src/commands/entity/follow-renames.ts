import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import type { Db } from '../../store/database.ts'
import { referrersOf } from '../../store/entity-reference.ts'
import { entitiesByIds, setEntityContent, type StoredEntity } from '../../store/entity.ts'
import { entityChanged } from '../audit.ts'
import { type Change, LostRace, type Work } from '../change.ts'

/** Old folded name to new name of every column that kept its uid and changed its name. */
type Renames = ReadonlyMap<string, string>

export function renamesOf(before: EntityContent, after: EntityContent): Renames {
  const names = new Map(columns(before))
  const renamed = columns(after).flatMap(([uid, name]) => {
    const old = names.get(uid)
    return old === undefined || old === name ? [] : [[foldName(old), name] as const]
  })
  return new Map(renamed)
}

/** Where renames show: the entity itself and those that inherit from it, each with the columns that it does not hide by its own. */
export type Heirs = ReadonlyMap<number, Renames>

/**
 * Relationships of others that point at a renamed attribute follow it, also where they reach it through an entity that inherits
 * it.
 */
export async function followRenames(
  tx: Db,
  { organisationId, actor }: Change,
  work: Work,
  { entity: renamed, heirs }: { entity: StoredEntity; heirs: Heirs },
): Promise<void> {
  const names = [...(heirs.get(renamed.id)?.values() ?? [])]
  const referrers = (await referrersOf(tx, organisationId, [...heirs.keys()])).filter(
    ({ attributeUid, fromId }) => attributeUid !== '' && fromId !== renamed.id,
  )
  const entities = await entitiesByIds(
    tx,
    organisationId,
    referrers.map(({ fromId }) => fromId),
  )
  for (const entity of [...entities.values()].toSorted((a, b) => a.id - b.id)) {
    const content = pointedAnew(entity.content, heirs)
    if (content === entity.content) continue
    const change = { id: entity.id, from: entity.content_hash, content, path: entity.path }
    const hash = await setEntityContent(tx, organisationId, change, actor)
    if (hash === undefined) throw new LostRace()
    work.tell(entityChanged(entity, { ...entity, hash }, messages.followedRename(renamed.name, names)))
  }
}

export async function heirsOf(tx: Db, organisationId: number, id: number, renames: Renames): Promise<Heirs> {
  const heirs = new Map([[id, renames]])
  let open = [id]
  while (open.length > 0) {
    const links = (await referrersOf(tx, organisationId, open)).filter(link => link.attributeUid === '')
    const children = await entitiesByIds(
      tx,
      organisationId,
      links.map(link => link.fromId),
    )
    open = []
    for (const { fromId, toId } of links) {
      const child = children.get(fromId)
      if (!child || heirs.has(fromId)) continue
      const own = new Set(columns(child.content).map(([, name]) => foldName(name)))
      heirs.set(fromId, new Map([...(heirs.get(toId) ?? [])].filter(([name]) => !own.has(name))))
      open.push(fromId)
    }
  }
  return heirs
}

/** The content with its target attributes under their new names; the same object where nothing points there. */
export function pointedAnew(content: EntityContent, heirs: Heirs): EntityContent {
  let isChanged = false
  const anew = (entityId: number, attribute: string) => {
    const name = heirs.get(entityId)?.get(foldName(attribute))
    if (name !== undefined && name !== attribute) isChanged = true
    return name ?? attribute
  }
  const entityAttributes = content.entityAttributes.map(item => ({
    ...item,
    associatedEntityTypeAttribute: anew(item.associatedEntity.id, item.associatedEntityTypeAttribute),
    alternativeTargets: item.alternativeTargets.map(({ entity, attribute }) => ({
      entity,
      attribute: anew(entity.id, attribute),
    })),
  }))
  return isChanged ? { ...content, entityAttributes } : content
}

function columns({ typeAttributes, entityAttributes }: EntityContent): [uid: string, name: string][] {
  return [
    ...typeAttributes.map(({ uid, name }): [string, string] => [uid, name]),
    ...entityAttributes.map((item): [string, string] => [item.uid, item.foreignKeyTypeAttribute]),
  ]
}
