import type { EntityUpdate, RelationshipRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { invalid, type ApiError, type FieldError } from '../../errors/api-error.ts'

/** Maps a problem to its path in the request body. */
export type ErrorPlaces = (problem: Problem) => string

/** Limits the answer: a hostile request may cause thousands of problems. */
const maxReported = 100

/** A 400 error with all problems at their paths in the request; its message is that of the first problem. */
export function invalidEntity(problems: readonly Problem[], places: ErrorPlaces): ApiError {
  const errors: FieldError[] = problems
    .slice(0, maxReported)
    .map(problem => ({ path: places(problem), message: problem.message }))
  return invalid(errors[0]?.message ?? 'The entity is not valid.', errors)
}

/** A 400 error for a field of the entity itself; '' for the entity as a whole. */
export function invalidField(field: string, message: string, places: ErrorPlaces): ApiError {
  return invalid(message, [{ path: places({ severity: 'error', code: 'invalid', message, path: [], field }), message }])
}

/** Paths in a create or update body: `entity.typeAttributes.2.name`. */
export function placesInRequest(
  { typeAttributes = [], entityAttributes = [] }: Pick<EntityUpdate['entity'], 'typeAttributes' | 'entityAttributes'>,
  content: EntityContent,
): ErrorPlaces {
  const attribute = once(() => indexes(typeAttributes, content.typeAttributes))
  const relationship = once(() =>
    indexes(
      entityAttributes.map(item => ({ uid: item.uid, name: item.foreignKeyTypeAttribute })),
      content.entityAttributes.map(item => ({ uid: item.uid, name: item.foreignKeyTypeAttribute })),
    ),
  )
  const inRelationship = (index: number, field: string) =>
    `entity.entityAttributes.${index}.${relationshipField(field, entityAttributes[index]?.sentAs)}`
  return problem => {
    const step = problem.path.at(-1)
    const field = problem.field ?? ''
    if (step?.kind === 'typeAttribute') return `entity.typeAttributes.${attribute()(step.uid)}.${field}`
    if (step?.kind === 'entityAttribute') return inRelationship(relationship()(step.uid), field)
    return field === '' ? 'entity' : `entity.${field}`
  }
}

/** Paths by index, as in `typeAttributes.2.name`; items that the content does not contain are named. */
export function placesByIndex({ typeAttributes, entityAttributes }: EntityContent): ErrorPlaces {
  return problem => {
    const step = problem.path.at(-1)
    if (step?.kind !== 'typeAttribute' && step?.kind !== 'entityAttribute') return problem.field ?? ''
    const [list, items] =
      step.kind === 'typeAttribute' ? ['typeAttributes', typeAttributes] : ['entityAttributes', entityAttributes]
    const index = items.findIndex(({ uid }) => uid === step.uid)
    return `${list}.${index === -1 ? step.name : index}.${problem.field ?? ''}`
  }
}

/** Computed on first use, because most requests have no problem. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** Paths in the body of a relationship call. */
export function placesInRelationship(request?: RelationshipRequest): ErrorPlaces {
  return problem => relationshipField(problem.field ?? '', request?.sentAs)
}

/** Paths in a stored content. */
export const placesInContent: ErrorPlaces = ({ path, field = '' }) => {
  const step = path.at(-1)
  if (step?.kind === 'typeAttribute') return `typeAttributes.${step.name}.${field}`
  return step?.kind === 'entityAttribute' ? `entityAttributes.${step.name}.${field}` : field
}

/** Requests name some fields of a relationship differently from answers: the name that was sent, or the documented one. */
function relationshipField(field: string, sentAs: Readonly<Record<string, string>> = {}): string {
  const sent = sentAs[field]
  if (sent !== undefined) return sent
  if (field === 'foreignKeyTypeAttribute') return 'foreignKeyAttribute.typeAttributeName'
  if (field === 'foreignKeyDataType') return 'foreignKeyAttribute.dataType'
  return field === 'associatedEntity' ? 'associatedEntityId' : field
}

type Requested = { uid?: string | undefined; name?: string | undefined }
type Made = { uid: string; name: string }

/** Index of each item in the request: by uid, otherwise by name; items with equal names are matched in order. */
function indexes(requested: readonly Requested[], made: readonly Made[]): (uid: string) => number {
  const byUid = new Map(requested.map((item, index) => [item.uid, index] as const).toReversed())
  const uids = new Set(made.map(item => item.uid))
  const twins = Map.groupBy(
    made.filter(item => !byUid.has(item.uid)),
    item => foldName(item.name),
  )
  const open = Map.groupBy(
    [...requested.entries()].filter(([, item]) => !uids.has(item.uid ?? '')),
    ([, item]) => foldName(item.name ?? ''),
  )
  const positions = new Map<string, number>()
  for (const [name, items] of twins)
    for (const [twin, { uid }] of items.entries()) positions.set(uid, open.get(name)?.[twin]?.[0] ?? 0)
  return uid => byUid.get(uid) ?? positions.get(uid) ?? 0
}
