import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { defaults } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { customEntityPath, foldName } from '@cadmus/model/paths'
import { newUid } from '@cadmus/model/uid'
import { invalid, notFound } from '../../errors/api-error.ts'
import { inBatches } from '../../store/batches.ts'
import type { AuditChange } from '../../store/audit.ts'
import { entityPartsByIds } from '../../store/resolved-rows.ts'
import type { Tx } from '../../store/database.ts'
import type { NewEntity, StoredEntity } from '../../store/entity.ts'
import { addColumnUids, byFoldedName, copyEntity } from '../entity/copy-entity.ts'
import { entityCreated } from '../audit.ts'
import type { Ids } from '../change.ts'

const batchSize = 100

/**
 * Current names of the entities to list in place; 404 for one deleted since it was read. Call it under the name lock, which deletions and
 * renames take too.
 */
export async function currentNames(tx: Tx, organisationId: number, ids: readonly number[]): Promise<string[]> {
  const rows = new Map((await entityPartsByIds(tx, organisationId, ids)).map(row => [row.id, row]))
  return ids.map(id => {
    const row = rows.get(id)
    if (!row) throw notFound(`The entity ${id}`)
    return row.name
  })
}

/** Refuses a repeated name, or one in use in the manifest. */
export function checkNames(names: readonly string[], present: readonly string[], field: string): void {
  const used = new Set(present.map(foldName))
  for (const name of names) {
    if (used.has(foldName(name))) {
      const message = messages.entityExists(name)
      throw invalid(message, [{ path: field, message }])
    }
    used.add(foldName(name))
  }
}

type Owner = { id: number; name: string }

/**
 * Independent copies, each for its manifest. Relationships are redirected to entities of the same name in the destination, including the
 * copies; a copied parent is replaced by its copy.
 */
export async function copiesOf(
  sources: readonly StoredEntity[],
  ownerOf: (source: StoredEntity) => Owner,
  resolvedModel: readonly EntityReference[],
  ids: Ids,
): Promise<NewEntity[]> {
  const copies = new Map<number, EntityReference>()
  const columns = new Map<string, string>()
  const many = sources.length > batchSize
  for (const part of inBatches(sources, batchSize)) {
    for (const source of part) {
      const { id, name } = source
      const path = customEntityPath(ownerOf(source).name, name)
      copies.set(id, { id: ids.next(), uid: newUid(), name, path })
      addColumnUids(source.content, columns)
    }
    if (many) await nextTurn()
  }
  const entitiesByName = byFoldedName([...resolvedModel, ...copies.values()])
  const made: NewEntity[] = []
  for (const part of inBatches(sources, batchSize)) {
    for (const source of part) {
      const self = copies.get(source.id)
      if (self === undefined) continue
      const content = copyEntity(source.content, { self, copies, entitiesByName, columns })
      made.push({ id: self.id, path: self.path, content, manifestId: ownerOf(source).id })
    }
    if (many) await nextTurn()
  }
  return made
}

/** Audit entries of new entities, in the order of their hashes. */
export function creations(
  entities: readonly NewEntity[],
  hashes: readonly string[],
  describe: (entity: NewEntity) => string,
): AuditChange[] {
  return entities.map((entity, index) => {
    const { id, path, content, version = defaults.version } = entity
    const thing = { id, path, name: content.name, latest_version: version }
    return entityCreated(thing, hashes[index] ?? '', describe(entity))
  })
}
