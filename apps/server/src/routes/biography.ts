import { type Column, columnName, columnsOf } from '@cadmus/model/columns'
import { type biographyKinds, getAttributeBiography } from '@cadmus/model/contract/biography'
import type { CallAnswer } from '@cadmus/model/contract/call'
import { causeSchema } from '@cadmus/model/edits/edit-forms'
import { isEqual } from '@cadmus/model/equal'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { columnNames } from '@cadmus/sql/column-names'
import { requireEntity } from '../commands/entity/entity-state.ts'
import { notFound } from '../errors/api-error.ts'
import { handle, type Route } from '../http/route.ts'
import { columnLog, type ColumnLog, type ColumnStep } from '../store/attribute-log.ts'
import { firstInManifests, firstVersion } from '../store/attribute-versions.ts'
import type { Db } from '../store/database.ts'
import { entityNode, type StoredEntity, withAncestors } from '../store/entity.ts'

export const biographyRoutes: Route[] = [
  handle(getAttributeBiography, async ({ params: { id, uid } }, { context, organisation }) => {
    const db = context.store.of(organisation.id)
    const entity = await requireEntity(db, organisation.id, id)
    const log = await columnLog(db, organisation.id, id, uid)
    const isPresent = columnsOf(entity.content).some(column => column.uid === uid)
    if (!isPresent && log.steps.length === 0) throw notFound('The attribute')
    const { events, formerNames } = lifeOf(log)
    const arrival = log.steps.findLast(({ entry, added }) => added !== null && entry.target_id === id)
    const place = { entity, uid, since: arrival?.entry.at ?? '' }
    return {
      names: isPresent ? await namesIn(db, organisation.id, entity, uid) : null,
      formerNames: formerNames.toReversed(),
      since: {
        entity: await firstVersion(db, entity.organisation_id, place),
        ...(await firstInManifests(db, organisation.id, place)),
      },
      events: events.toReversed(),
      more: log.more,
    }
  }),
]

async function namesIn(db: Db, organisationId: number, entity: StoredEntity, uid: string) {
  const family = await withAncestors(db, organisationId, [entity])
  const attributes = resolvedAttributes(entityNode(entity), id => family.get(id))
  const own = attributes.find(each => (each.kind === 'type' ? each.attribute : each.relationship).uid === uid)
  if (!own) return null
  const columns = attributes.map(({ name }) => name)
  return { api: own.name, sql: columnNames(columns, own.name) }
}

type Answer = CallAnswer<typeof getAttributeBiography>
type Event = Answer['events'][number]
type Life = Pick<Answer, 'events' | 'formerNames'>

/** Replays the steps, oldest first. */
function lifeOf({ steps, start }: ColumnLog): Life {
  const life: Life = { events: [], formerNames: [] }
  let state: Column | null = start
  for (const [index, step] of steps.entries()) {
    const { added, change, entry } = step
    const before: Column | null = state
    const after: Column | null = added ?? (state && { ...state, ...change })
    const previous = index === 0 ? undefined : steps[index - 1]
    const isMove = added !== null && previous !== undefined && isDeparture(previous, step)
    // A move is one event of the two entities.
    if (isMove) life.events.pop()
    const kind = isMove ? 'moved' : kindOf(step, index > 0 || start !== null)
    life.events.push(eventOf(step, kind, isMove ? previous.entry.name : null, before))
    if (before && after && columnName(before) !== columnName(after))
      life.formerNames.push({ name: columnName(before), until: entry.at })
    state = after
  }
  return life
}

function isDeparture(previous: ColumnStep, { entry }: ColumnStep): boolean {
  const { change_id: change, target_id: target } = previous.entry
  return previous.removed && !previous.added && change === entry.change_id && target !== entry.target_id
}

function kindOf({ removed, added }: ColumnStep, existed: boolean): (typeof biographyKinds)[number] {
  if (removed) return added ? 'changed' : 'removed'
  if (added) return existed ? 'returned' : 'added'
  return 'changed'
}

function eventOf(step: ColumnStep, kind: Event['kind'], from: string | null, before: Column | null): Event {
  const { sequence, target_id: id, name, at, user_name: actor, description, cause } = step.entry
  const after: object = step.added ?? step.change
  const isWhole = step.added !== null
  const fields = isWhole && before === null ? [] : Object.keys(after).filter(field => field !== 'position')
  const changes = fields.flatMap(field => {
    const [was, is]: unknown[] = [before && Reflect.get(before, field), Reflect.get(after, field)]
    if (before === null) return [{ field, after: is }]
    return isEqual(was, is) ? [] : [{ field, before: was, after: is }]
  })
  return {
    sequence,
    kind,
    entity: { id, name },
    from,
    at,
    actor: { name: actor },
    description,
    cause: cause === null ? null : causeSchema.parse(JSON.parse(cause)),
    changes,
  }
}
