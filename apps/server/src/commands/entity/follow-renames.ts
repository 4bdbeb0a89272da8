import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { foldName } from '@cadmus/model/paths'
import { mapReferences } from '@cadmus/model/references'
import type { Db } from '../../store/database.ts'
import { columnsOf, type Column } from '../../store/entity-column.ts'
import { referrersOf, renameTargets } from '../../store/entity-reference.ts'
import { withCurrentNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, setEntityContent, type StoredEntity } from '../../store/entity.ts'
import { entityChanged } from '../audit.ts'
import { type Change, WriteConflict, type Work } from '../change.ts'

/** Current column by old folded name, for columns with the same uid and a new name. */
type Renames = ReadonlyMap<string, Column>

export function renamesOf(before: EntityContent, after: EntityContent): Renames {
  const names = new Map(columnsOf(before).map(({ uid, name }) => [uid, name]))
  const renamed = columnsOf(after).flatMap(column => {
    const old = names.get(column.uid)
    return old === undefined || old === column.name ? [] : [[foldName(old), column] as const]
  })
  return new Map(renamed)
}

/** Entities affected by renames: the entity itself and its subtypes, each with the columns it does not override. */
export type Affected = ReadonlyMap<number, Renames>

/**
 * References by uid need no change when their target is renamed. References by name only, from imports and format 1, get the uid before the
 * name changes; this includes references through a subtype.
 */
export async function followRenames(
  tx: Db,
  { organisationId, actor }: Change,
  work: Work,
  { entity: renamed, affected }: { entity: StoredEntity; affected: Affected },
): Promise<void> {
  const names = [...(affected.get(renamed.id)?.values() ?? [])].map(({ name }) => name)
  const referrers = (await referrersOf(tx, organisationId, [...affected.keys()])).filter(
    ({ attributeUid, fromId }) => attributeUid !== '' && fromId !== renamed.id,
  )
  for (const [id, renames] of affected) {
    const names = [...renames].map(([old, { name }]) => [old, name] as const)
    await renameTargets(tx, organisationId, id, new Map(names))
  }
  const entities = await entitiesByIds(
    tx,
    organisationId,
    referrers.map(({ fromId }) => fromId),
  )
  const inOrder = [...entities.values()].toSorted((a, b) => a.id - b.id)
  for (const entity of await withCurrentNames(tx, organisationId, inOrder)) {
    const content = withCurrentTargets(entity.content, affected)
    if (content === entity.content) continue
    const change = { id: entity.id, from: entity, content, path: entity.path }
    const hash = await setEntityContent(tx, organisationId, change, actor)
    if (hash === undefined) throw new WriteConflict()
    work.audit(entityChanged(entity, { content, hash }, messages.followedRename(renamed.name, names)))
  }
}

export async function affectedBy(tx: Db, organisationId: number, id: number, renames: Renames): Promise<Affected> {
  const affected = new Map([[id, renames]])
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
      if (!child || affected.has(fromId)) continue
      const own = new Set(columnsOf(child.content).map(({ name }) => foldName(name)))
      affected.set(fromId, new Map([...(affected.get(toId) ?? [])].filter(([name]) => !own.has(name))))
      open.push(fromId)
    }
  }
  return affected
}

/**
 * The content with uids and new names for target attributes known by name only; the same object without such
 * attributes.
 */
export function withCurrentTargets(content: EntityContent, affected: Affected): EntityContent {
  let isChanged = false
  const changed = mapReferences(content, {
    entity: reference => reference,
    column(column, { id }) {
      const renamed = column.uid === undefined ? affected.get(id)?.get(foldName(column.name)) : undefined
      if (renamed) isChanged = true
      return renamed ?? column
    },
  })
  return isChanged ? changed : content
}
