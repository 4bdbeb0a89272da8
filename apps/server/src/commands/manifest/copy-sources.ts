import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { conflict } from '../../errors/api-error.ts'
import { inBatches } from '../../store/batches.ts'
import { entityPartsByIds } from '../../store/resolved-rows.ts'
import type { Tx } from '../../store/database.ts'
import { withCurrentNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, type StoredEntity } from '../../store/entity.ts'

const batchSize = 25
const attempts = 5

/** A source has been detached from a deleted entity since it was read; its copy would keep the dangling reference. */
class SourcesChanged extends Error {}

/** Runs an operation that copies entities, and repeats it if the sources changed in between. */
export async function retryIfSourcesChanged<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof SourcesChanged)) throw error
    }
  }
  throw conflict(messages.changesTooOften)
}

/**
 * Checks that the sources are unchanged. They are read before the name lock is taken; a deletion in between detaches them, but not their
 * unpublished copies. Call it under the lock, after which deletions see the copies.
 */
export async function checkUnchanged(tx: Tx, organisationId: number, sources: readonly StoredEntity[]): Promise<void> {
  // Predefined entities refer only to each other.
  const own = sources.filter(source => source.organisation_id === organisationId)
  const ids = own.map(({ id }) => id)
  const rows = new Map((await entityPartsByIds(tx, organisationId, ids)).map(row => [row.id, row]))
  const changed = own.filter(({ id, content_hash }) => rows.get(id)?.content_hash !== content_hash)
  for (const part of inBatches(changed, batchSize)) {
    const partIds = part.map(({ id }) => id)
    const stored = await entitiesByIds(tx, organisationId, partIds)
    const now = new Map((await withCurrentNames(tx, organisationId, stored.values())).map(item => [item.id, item]))
    if (part.some(({ id, content }) => !stillRefersTo(now.get(id)?.content, content))) throw new SourcesChanged()
  }
}

/** Whether the entity still has all references it had when it was read. */
function stillRefersTo(now: EntityContent | undefined, before: EntityContent): boolean {
  if (!now) return false
  const present = new Set(targetsOf(now))
  return targetsOf(before).every(target => present.has(target))
}

function targetsOf({ extendsEntity, entityAttributes }: EntityContent): string[] {
  return [
    `${extendsEntity?.id ?? 0}`,
    ...entityAttributes.flatMap(({ uid, associatedEntity, associatedEntityTypeAttributeUid, alternativeTargets }) => [
      `${uid} ${associatedEntity.id} ${associatedEntityTypeAttributeUid ?? ''}`,
      ...alternativeTargets.map(({ entity, attributeUid }) => `${uid} ${entity.id} ${attributeUid ?? ''}`),
    ]),
  ]
}
