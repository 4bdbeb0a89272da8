import { ancestorsOf } from '@cadmus/model/inherit'
import { mayLoseColumns } from '@cadmus/model/lost-columns'
import { nextPosition } from '@cadmus/model/edits/entity-actions'
import type { EntityContent } from '@cadmus/model/entity'
import { type Column, columnsOf, isKey } from '@cadmus/model/columns'
import { keysIn } from '@cadmus/model/merge/entity'
import { demoteKey, keysAbove, withInheritedKey } from '@cadmus/model/one-key'
import { columnLoss } from '../commands/entity/column-loss.ts'
import type { Context } from '../context.ts'
import { entitiesByIds, type StoredEntity } from '../store/entity.ts'
import { listOrganisations } from '../store/organisation.ts'
import { planned, type PlannedEntity } from './plan-library.ts'

const library = 0

/** Keeps attributes that were removed from the folder while an organisation still refers to them, or may refer to them. */
export async function keepReferencedColumns(
  context: Context,
  entities: readonly PlannedEntity[],
): Promise<PlannedEntity[]> {
  const { store, log } = context
  const ids = entities.map(({ id }) => id)
  const stored = await entitiesByIds(store.of(library), library, ids)
  const losing = entities.flatMap(entity => {
    const current = stored.get(entity.id)
    return current && mayLoseColumns(current.content, entity.content) ? [{ current, next: entity.content }] : []
  })
  const referenced = new Map<number, Set<string>>()
  const organisations = losing.length === 0 ? [] : await listOrganisations(store.shared)
  for (const { id: organisationId } of organisations) {
    for (const step of losing) {
      const uids = await referencedColumns(context, organisationId, step)
      const existing = referenced.get(step.current.id) ?? new Set()
      referenced.set(step.current.id, new Set([...existing, ...uids]))
    }
  }
  const retained = entities.map(entity => {
    const [uids, current] = [referenced.get(entity.id), stored.get(entity.id)]
    if (!uids || uids.size === 0 || !current) return entity
    const { content, names } = withColumns(entity.content, current, uids)
    log.warn({ path: entity.path, attributes: names }, 'library: referenced attributes kept')
    return planned({ ...entity, content })
  })
  return referenced.size === 0 ? retained : withSingleKeys(retained, log)
}

type Step = { current: StoredEntity; next: EntityContent }

/** Uids of removed columns to which the organisation refers; all of them if its references cannot be read. */
async function referencedColumns({ store, log }: Context, organisationId: number, step: Step): Promise<string[]> {
  try {
    const loss = await columnLoss(store.of(organisationId), organisationId, { ...step, onReferences: () => undefined })
    return (loss?.items ?? []).flatMap(({ target: { attribute } }) => attribute?.uid ?? [])
  } catch (error) {
    log.error({ organisationId, path: step.current.path, err: error }, 'reading references to the library failed')
    const remaining = new Set(columnsOf(step.next).map(({ uid }) => uid))
    return columnsOf(step.current.content).flatMap(({ uid }) => (remaining.has(uid) ? [] : uid))
  }
}

/** Restores one key per entity: a retained key may occur in addition to an inherited key or to a key of the folder. */
function withSingleKeys(entities: readonly PlannedEntity[], log: Context['log']): PlannedEntity[] {
  const nodes = new Map(entities.map(({ id, path, content }) => [id, { ...content, id, path }]))
  const lookup = (id: number) => nodes.get(id)
  const changed = new Map<number, EntityContent>()
  // A parent's keys decide on those of its subtypes.
  const ordered = [...nodes.values()].map(node => ({ node, depth: ancestorsOf(node, lookup).length }))
  for (const { node } of ordered.toSorted((a, b) => a.depth - b.depth)) {
    const { id, path, ...content } = node
    const keys = keysAbove(content, lookup)
    const { subtype, message } = withInheritedKey(content, { name: content.name, keys, isReferredTo: () => true })
    if (message === undefined) continue
    log.warn({ path }, `library: ${message}`)
    changed.set(id, subtype)
    nodes.set(id, { ...subtype, id, path })
  }
  return entities.map(entity => {
    const content = changed.get(entity.id)
    return content ? planned({ ...entity, content }) : entity
  })
}

function withColumns(content: EntityContent, { content: before }: StoredEntity, uids: ReadonlySet<string>) {
  const isReferenced = ({ uid }: { uid: string }) => uids.has(uid)
  const attributes = before.typeAttributes.filter(isReferenced)
  const relationships = before.entityAttributes.filter(isReferenced)
  const retained = new Set([...attributes, ...relationships].map(({ uid }) => uid))
  const others = <T extends { uid: string }>(items: readonly T[]) => items.filter(({ uid }) => !retained.has(uid))
  // An entity has one key, so a former key becomes an ordinary attribute.
  const isKeyed = columnsOf(content).some(item => isKey(item) && !retained.has(item.uid))
  let position = nextPosition(content)
  const last = <T extends Column>(item: T): T => ({
    ...(isKeyed && isKey(item) ? demoteKey(item, keysIn(columnsOf(before))) : item),
    position: position++,
  })
  return {
    names: [...attributes.map(({ name }) => name), ...relationships.map(item => item.foreignKeyTypeAttribute)],
    content: {
      ...content,
      typeAttributes: [...others(content.typeAttributes), ...attributes.map(last)],
      entityAttributes: [...others(content.entityAttributes), ...relationships.map(last)],
    },
  }
}
