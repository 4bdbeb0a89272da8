import type { EntityRequest } from '@cadmus/model/contract/entity'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { invalid, type ApiError, type FieldError } from '../../http/errors.ts'

/** How a problem's place is called in the body of the call that made it. */
export type ErrorPlaces = (problem: Problem) => string

/** 400 with every problem under its place in the request; the message is the first one's. */
export function invalidEntity(problems: readonly Problem[], places: ErrorPlaces): ApiError {
  const errors: FieldError[] = problems.map(problem => ({ path: places(problem), message: problem.message }))
  return invalid(errors[0]?.message ?? 'The entity is not valid.', errors)
}

/** Places in a create or update body: `entity.typeAttributes.2.name`. */
export function placesInRequest({ entity }: EntityRequest, content: EntityContent): ErrorPlaces {
  const typeAttributes = indexes(
    entity.typeAttributes,
    item => item.name,
    content.typeAttributes,
    item => item.name,
  )
  const entityAttributes = indexes(
    entity.entityAttributes,
    item => item.foreignKeyAttribute.typeAttributeName,
    content.entityAttributes,
    item => item.foreignKeyTypeAttribute,
  )
  return problem => {
    const step = problem.path.at(-1)
    const field = problem.field ?? ''
    if (step?.kind === 'typeAttribute') return `entity.typeAttributes.${typeAttributes.get(step.uid) ?? 0}.${field}`
    if (step?.kind === 'entityAttribute')
      return `entity.entityAttributes.${entityAttributes.get(step.uid) ?? 0}.${relationshipField(field)}`
    return `entity.${field}`
  }
}

/** Places in the body of a relationship call. */
export const placesInRelationship: ErrorPlaces = problem => relationshipField(problem.field ?? '')

/** Places in a content as it is stored. */
export const placesInContent: ErrorPlaces = ({ path, field = '' }) => {
  const step = path.at(-1)
  if (step?.kind === 'typeAttribute') return `typeAttributes.${step.name}.${field}`
  return step?.kind === 'entityAttribute' ? `entityAttributes.${step.name}.${field}` : field
}

/** A relationship's fields are called otherwise in requests than in answers. */
function relationshipField(field: string): string {
  if (field === 'foreignKeyTypeAttribute') return 'foreignKeyAttribute.typeAttributeName'
  if (field === 'foreignKeyDataType') return 'foreignKeyAttribute.dataType'
  return field === 'associatedEntity' ? 'associatedEntityId' : field
}

/** Uid to index in the request: by uid where it says one, else by name; of two with one name the later is the later. */
function indexes<R extends { uid?: string | undefined }, C extends { uid: string }>(
  requested: readonly R[],
  requestedName: (item: R) => string,
  made: readonly C[],
  madeName: (item: C) => string,
): Map<string, number> {
  const open = new Map(requested.map((item, index) => [index, item]))
  const found = new Map<string, number>()
  const claim = (uid: string, isIt: (item: R) => boolean) => {
    const index = [...open].find(([, item]) => isIt(item))?.[0]
    if (index === undefined) return
    open.delete(index)
    found.set(uid, index)
  }
  for (const { uid } of made) claim(uid, item => item.uid === uid)
  for (const item of made) {
    if (!found.has(item.uid)) claim(item.uid, other => foldName(requestedName(other)) === foldName(madeName(item)))
  }
  return found
}
