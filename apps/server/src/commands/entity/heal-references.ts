import type { EntityContent } from '@cadmus/model/entity'
import { isEqual } from '@cadmus/model/equal'
import { messages } from '@cadmus/model/messages'
import { mapReferences } from '@cadmus/model/references'
import type { Db } from '../../store/database.ts'
import { entitiesByPaths } from '../../store/entity-paths.ts'
import { referenceLookup, refreshed } from '../../store/entity-refresh.ts'
import { entitiesByIds, setEntityContent, type StoredEntity } from '../../store/entity.ts'
import { referencesIn, waitingFor } from '../../store/open-reference.ts'
import { entityChanged, named } from '../audit.ts'
import { type Change, LostRace, type Work } from '../change.ts'
import { withPinnedTargets } from './pin-targets.ts'

/** References that waited for one of these entities point at it: by uid, or where none is known by path. */
export async function healReferences(
  tx: Db,
  change: Change,
  work: Work,
  arrived: readonly { id: number; uid: string; path: string }[],
): Promise<void> {
  const here = new Set(arrived.map(({ id }) => id))
  const waiting = await waitingFor(tx, change.organisationId, arrived)
  await healWaiting(
    tx,
    change,
    work,
    waiting.filter(id => !here.has(id)),
  )
}

/** What these entities refer to is looked for again. */
export async function healWaiting(tx: Db, change: Change, work: Work, waiting: readonly number[]): Promise<void> {
  const { organisationId, actor } = change
  const entities = [...(await entitiesByIds(tx, organisationId, waiting)).values()]
  for (const entity of entities.toSorted((a, b) => a.id - b.id)) {
    const found = await withFoundReferences(tx, organisationId, entity)
    if (isEqual(found, entity.content)) continue
    const write = { id: entity.id, from: entity.content_hash, content: found, path: entity.path }
    const hash = await setEntityContent(tx, organisationId, write, actor)
    if (hash === undefined) throw new LostRace()
    const description = messages.healed(entity.name, named(newTargets(entity.content, found)))
    work.tell(entityChanged(entity, { ...entity, hash }, description))
  }
}

/** What it refers to that it did not find before. */
function newTargets(before: EntityContent, after: EntityContent): string[] {
  const known = new Set(referencesIn(before).map(({ id }) => id))
  const found = referencesIn(after).filter(({ id }) => id > 0 && !known.has(id))
  return [...new Set(found.map(({ name }) => name))]
}

async function withFoundReferences(tx: Db, organisationId: number, { id, content }: StoredEntity) {
  const lookup = await referenceLookup(tx, organisationId, [content])
  const today = refreshed(content, lookup)
  const lost = referencesIn(today).filter(reference => reference.id < 1 && reference.uid === undefined)
  const paths = await entitiesByPaths(
    tx,
    organisationId,
    lost.map(({ path }) => path),
  )
  const found = mapReferences(today, {
    entity: reference =>
      (reference.id < 1 && reference.uid === undefined ? paths.get(reference.path) : undefined) ?? reference,
    column: column => column,
  })
  return withPinnedTargets(tx, organisationId, found, id)
}
