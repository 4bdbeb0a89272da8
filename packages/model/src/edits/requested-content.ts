import type * as z from 'zod'
import { contentFromRequest, entityRequestOf } from '../apply-request.ts'
import {
  changedConfiguration,
  configurationChangeSchema,
  readConfiguration,
  type Configuration,
} from '../configuration.ts'
import { entityUpdate } from '../contract/entity-shapes.ts'
import { isEqual, isRecord } from '../equal.ts'
import type { EntityContent } from '../entity.ts'
import { contentTexts } from '../messages/values.ts'
import { entityFields } from '../fields/entity.ts'
import { readOnlyNames } from '../fields/field.ts'
import { messages } from '../messages.ts'
import type { ConfigurationEdit } from './configuration-edits.ts'
import { isUid } from '../uid.ts'
import { applyEntityEdits, type EntityEdit } from './entity-edits.ts'

// Applies requested edits to their base under the rules of the documented update bodies: the same bounds, the same
// read-only properties. `entityProblems` and the rules of configurations are applied afterwards.

type FieldProblem = { path: string; message: string }
export type Requested<C> = { content: C; problems: readonly FieldProblem[] }

/** `edited`: the content with the edits as requested, whose lists have the order that the client sees. */
type RequestedEntity = Requested<EntityContent> & { edited: EntityContent }

/**
 * `earlier`: former states; items restored from them keep what requests cannot set (traits). Yields
 * between its steps, so that the caller can serve others: an entity may have thousands of attributes.
 */
export function* entityFromEdits(
  base: EntityContent,
  edits: readonly EntityEdit[],
  earlier: readonly EntityContent[] = [],
): Generator<void, RequestedEntity> {
  let edited = base
  for (let start = 0; start < edits.length; start += editsAtOnce) {
    edited = applyEntityEdits(edited, edits.slice(start, start + editsAtOnce))
    yield
  }
  if (isEqual(edited, base)) return { edited, content: base, problems: [] }
  const body = entityUpdate.safeParse(entityRequestOf(edited, ''))
  yield
  if (!body.success) return { edited, content: base, problems: body.error.issues.map(problemInBody) }
  const requested = contentFromRequest(body.data, base)
  yield
  const states = [base, ...earlier]
  const content = {
    ...requested,
    typeAttributes: restored(
      withOrigins(requested.typeAttributes, edited.typeAttributes, base.typeAttributes),
      states,
      state => state.typeAttributes,
    ),
    entityAttributes: restored(
      withOrigins(requested.entityAttributes, edited.entityAttributes, base.entityAttributes),
      states,
      state => state.entityAttributes,
    ),
  }
  yield
  return { edited, content, problems: readOnlyProblems({ base, edited, content }) }
}

const editsAtOnce = 20

export function configurationFromEdits(
  base: Configuration,
  edits: readonly ConfigurationEdit[],
): Requested<Configuration> {
  const changes = edits.flatMap(edit => edit.changes)
  const others = changes.filter(({ path }) => !isField(base, path))
  if (others.length > 0)
    return { content: base, problems: others.map(({ path }) => ({ path: path.join('.'), message: messages.noField })) }
  const body = changes.reduce<unknown>((state, { path, value }) => withField(state, path, value), {})
  const change = configurationChangeSchema.safeParse(body)
  if (!change.success) return { content: base, problems: change.error.issues.map(problemOf) }
  return { content: changedConfiguration(base, change.data, readConfiguration(change.data)), problems: [] }
}

function withField(state: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const fields = isRecord(state) ? state : {}
  return { ...fields, [key]: withField(fields[key], rest, value) }
}

function isField(base: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return !isRecord(base)
  return isRecord(base) && Object.hasOwn(base, key) && isField(base[key], rest)
}

type Item = { uid: string; position: number; traits: unknown[]; copiedFrom: string | null }

/** Added items may name the item that they were copied from. */
function withOrigins<T extends Item>(items: readonly T[], edited: readonly T[], base: readonly T[]): T[] {
  const existing = new Set(base.map(({ uid }) => uid))
  const origins = new Map(edited.map(({ uid, copiedFrom }) => [uid, copiedFrom]))
  return items.map(item => {
    const origin = existing.has(item.uid) ? null : origins.get(item.uid)
    return origin && isUid(origin) ? { ...item, copiedFrom: origin } : item
  })
}

function restored<T extends Item>(
  items: readonly T[],
  states: readonly EntityContent[],
  listOf: (state: EntityContent) => readonly T[],
): T[] {
  const former = Map.groupBy(
    states.flatMap(state => listOf(state)),
    ({ uid }) => uid,
  )
  const plain = (item: T) => ({ ...item, traits: [], copiedFrom: null, position: 0 })
  return items.map(item => {
    const same = former.get(item.uid)?.find(one => isEqual(plain(one), plain(item)))
    return same ? { ...item, traits: same.traits, copiedFrom: same.copiedFrom } : item
  })
}

type Sides = { base: EntityContent; edited: EntityContent; content: EntityContent }

/** Reports values that the edits set but requests cannot set. */
function readOnlyProblems({ base, edited, content }: Sides): FieldProblem[] {
  const own = readOnlyNames(entityFields).filter(name => !isEqual(edited[name], base[name]))
  return [
    ...own.map(name => ({ path: name, message: messages.readOnly(name) })),
    ...itemProblems('typeAttributes', { base, edited, content }),
    ...itemProblems('entityAttributes', { base, edited, content }),
  ]
}

function itemProblems(list: 'typeAttributes' | 'entityAttributes', { base, edited, content }: Sides): FieldProblem[] {
  const before = new Map<string, Item>(base[list].map(item => [item.uid, item]))
  const after = new Map<string, Item>(content[list].map(item => [item.uid, item]))
  return edited[list].flatMap((item: Item, index) => {
    // Bodies replace a uid that is invalid or in use.
    if (!after.has(item.uid)) return [{ path: `${list}.${index}.uid`, message: contentTexts.unusableUid }]
    return (
      (['traits', 'copiedFrom'] as const)
        // An added item without them gets those of an earlier state.
        .filter(name => before.has(item.uid) || item[name]?.length)
        // Traits of a changed item are dropped, whether or not its edits contain traits.
        .filter(name => ![before.get(item.uid), after.get(item.uid)].some(one => one && isEqual(one[name], item[name])))
        .map(name => ({ path: `${list}.${index}.${name}`, message: messages.readOnly(name) }))
    )
  })
}

/** Maps a problem in the content to the body, which has the content below `entity`. */
function problemInBody({ path, message }: z.core.$ZodIssue): FieldProblem {
  return { path: (path[0] === 'entity' ? path.slice(1) : path).join('.'), message }
}

function problemOf({ path, message }: z.core.$ZodIssue): FieldProblem {
  return { path: path.join('.'), message }
}
