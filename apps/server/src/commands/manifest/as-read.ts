import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { conflict } from '../../errors/api-error.ts'
import { inBatches } from '../../store/batches.ts'
import { entityPartsByIds } from '../../store/closure-rows.ts'
import type { Tx } from '../../store/database.ts'
import { withCurrentNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, type StoredEntity } from '../../store/entity.ts'

const readAtOnce = 25
const attempts = 5

/** What was copied has let go of something since it was read: its copy would hold on to what is gone. */
class SourcesChanged extends Error {}

/** Does what copies entities, and does it anew with what they are then where they changed too much meanwhile. */
export async function copying<T>(run: () => Promise<T>): Promise<T> {
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
 * Sources are read before the names are held. Whoever deletes what they refer to makes them let go of it, and their copies, which
 * nobody saw yet, would not. Call it while the names are held: from then on the copies are told, too.
 */
export async function checkAsRead(tx: Tx, organisationId: number, sources: readonly StoredEntity[]): Promise<void> {
  // Predefined entities refer to predefined ones only.
  const own = sources.filter(source => source.organisation_id === organisationId)
  const ids = own.map(({ id }) => id)
  const rows = new Map((await entityPartsByIds(tx, organisationId, ids)).map(row => [row.id, row]))
  const changed = own.filter(({ id, content_hash }) => rows.get(id)?.content_hash !== content_hash)
  for (const part of inBatches(changed, readAtOnce)) {
    const partIds = part.map(({ id }) => id)
    const stored = await entitiesByIds(tx, organisationId, partIds)
    const now = new Map((await withCurrentNames(tx, organisationId, stored.values())).map(item => [item.id, item]))
    if (part.some(({ id, content }) => !stillRefersTo(now.get(id)?.content, content))) throw new SourcesChanged()
  }
}

/** Whether all that the entity referred to when it was read is what it refers to now. */
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
