import type { CallAnswer, CallInput } from '@cadmus/model/contract/call'
import { readEntityStates as readCall } from '@cadmus/model/contract/edits'
import type { EntityContent } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import { callApi } from './client.ts'
import { type ChangedTogether, knownEntityStates, type LoggedChange, rememberEntityStates } from './edit-log.ts'
import { entityQuery, type LoadedEntity, receivedEntity } from './entities.ts'
import { putNewest } from './query-client.ts'
import type { Scope } from './scope.ts'

/** `change`: of the entity, from the first to the last of its entries in the log, or the newest one of the caller. */
export type RequestedEntity = CallInput<typeof readCall>['body']['entities'][number]

/** A change of an entity with the contents before and after it, and what the same request changed. */
export type EntityChange = {
  entries: readonly LoggedChange[]
  before: EntityContent | null
  after: EntityContent | null
  others: readonly ChangedTogether[]
}

type EntityStates = LoadedEntity & { change: EntityChange | null }

type Answer = CallAnswer<typeof readCall>

/** Reads entities at once, for all that show them, and one change of each. Those that do not exist are left out. */
export async function readEntityStates(
  requested: readonly RequestedEntity[],
  scope: Scope,
): Promise<ReadonlyMap<number, EntityStates>> {
  const all = new Map<number, EntityStates>()
  for (let start = 0; start < requested.length;) {
    const entities = requested.slice(start, start + limits.readStates.entities)
    const { states, read, others } = await callApi(readCall, { body: { entities } }, { scope })
    for (const { entity, etag, change } of states) {
      const loaded: LoadedEntity = { entity: receivedEntity(entity), etag }
      await putNewest(entityQuery(entity.id, undefined, scope).queryKey, loaded)
      const whole = others && change && { ...change, others: othersOf(entity.id, change, others) }
      const [entry, ...more] = whole?.entries ?? []
      if (whole && entry && more.length === 0) rememberEntityStates(entity.id, entry.sequence, whole, scope)
      all.set(entity.id, { ...loaded, change: whole })
    }
    start += read
  }
  return all
}

/** Reads the states of changes at once, for those that need them one by one: a save of many entities names each of them in each. */
export async function readChanges(changes: readonly { id: number; sequence: number }[], scope: Scope): Promise<void> {
  const unread = changes.filter(({ id, sequence }) => !knownEntityStates(id, sequence, scope))
  if (unread.length < 2) return
  await readEntityStates(
    unread.map(({ id, sequence }) => ({ id, change: { sequence, last: sequence } })),
    scope,
  )
}

function othersOf(
  id: number,
  { entries }: { entries: readonly LoggedChange[] },
  others: NonNullable<Answer['others']>,
) {
  const changes = new Set(entries.map(({ changeId }) => changeId))
  const isOwn = (document: ChangedTogether['document']) =>
    document.id === id && (document.kind === 'entity' || document.kind === 'scopes')
  return others.filter(({ changeId, document }) => changes.has(changeId) && !isOwn(document))
}
