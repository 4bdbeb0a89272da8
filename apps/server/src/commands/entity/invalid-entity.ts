import type { EntityRequest } from '@cadmus/model/contract/entity-shapes'
import type { EntityContent } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'
import type { Problem } from '@cadmus/model/problem'
import { invalid, type ApiError, type FieldError } from '../../errors/api-error.ts'

/** How a problem's place is called in the body of the call that made it. */
export type ErrorPlaces = (problem: Problem) => string

/** Nobody reads more, and a hostile request may have thousands. */
const toldAtOnce = 100

/** 400 with every problem under its place in the request; the message is the first one's. */
export function invalidEntity(problems: readonly Problem[], places: ErrorPlaces): ApiError {
  const errors: FieldError[] = problems
    .slice(0, toldAtOnce)
    .map(problem => ({ path: places(problem), message: problem.message }))
  return invalid(errors[0]?.message ?? 'The entity is not valid.', errors)
}

/** Places in a create or update body: `entity.typeAttributes.2.name`. */
export function placesInRequest({ entity }: EntityRequest, content: EntityContent): ErrorPlaces {
  return problem => {
    const step = problem.path.at(-1)
    const field = problem.field ?? ''
    if (step?.kind === 'typeAttribute') {
      const requested = entity.typeAttributes.map(({ uid, name }) => ({ uid, name }))
      return `entity.typeAttributes.${indexOf(step.uid, requested, content.typeAttributes)}.${field}`
    }
    if (step?.kind === 'entityAttribute') {
      const requested = entity.entityAttributes.map(item => ({
        uid: item.uid,
        name: item.foreignKeyAttribute.typeAttributeName,
      }))
      const made = content.entityAttributes.map(item => ({ uid: item.uid, name: item.foreignKeyTypeAttribute }))
      return `entity.entityAttributes.${indexOf(step.uid, requested, made)}.${relationshipField(field)}`
    }
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

type Named<Uid> = { uid: Uid; name: string }

/** Where an item stands in the request: by uid where it says one, else by name; of two with one name the later is the later. */
function indexOf(uid: string, requested: readonly Named<string | undefined>[], made: readonly Named<string>[]): number {
  const byUid = requested.findIndex(item => item.uid === uid)
  if (byUid >= 0) return byUid
  const name = foldName(made.find(item => item.uid === uid)?.name ?? '')
  const known = new Set(requested.map(item => item.uid))
  const twins = made.filter(item => foldName(item.name) === name && !known.has(item.uid))
  const places = requested.flatMap((item, index) => (foldName(item.name) === name ? [index] : []))
  const uids = new Set(made.map(item => item.uid))
  const open = places.filter(index => !uids.has(requested[index]?.uid ?? ''))
  return open[twins.findIndex(item => item.uid === uid)] ?? 0
}
