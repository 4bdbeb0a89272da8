import type { EntityNode } from '../entity.ts'
import { limits } from '../limits.ts'
import type { Problem } from '../problem.ts'
import { boundedName, entityName, manifestName } from '../rules/names.ts'
import { type NamingRules, type Subject, warning } from './subject.ts'
import { texts } from '../messages/validation.ts'

/** Imported names are accepted even if they break a rule, and reported here. */
export function manifestNames(subject: Subject): Problem[] {
  return subject.resolvedModel.manifests.flatMap(manifest =>
    broken(manifest.name, manifestName(manifest.name), subject.manifestPath(manifest)),
  )
}

/** Names of an entity and its attributes. */
export function entityNames(entity: EntityNode, subject: Subject): Problem[] {
  return [
    ...broken(entity.name, entityName(entity.name), subject.pathOf(entity)),
    ...subject.declaredBy(entity).flatMap(attribute => {
      const problem = boundedName(attribute.name, limits.attributeName)
      return problem === undefined ? [] : broken(attribute.name, problem, subject.pathTo(entity, attribute))
    }),
  ]
}

function broken(name: string, problem: string | undefined, path: Problem['path']): Problem[] {
  return problem === undefined ? [] : [warning('name', texts.brokenName(name, problem), path)]
}

/** Names of an entity's table and columns that are reserved or too long in a licensed database. */
export function identifiers(entity: EntityNode, subject: Subject): Problem[] {
  const allowed = subject.options.databases ?? []
  const problems = (name: string, path: () => Problem['path']) =>
    findingsFor(name, allowed).map(({ code, message }) => warning(code, message, path()))
  return [
    ...problems(entity.name, () => subject.pathOf(entity)),
    ...subject
      .declaredBy(entity)
      .flatMap(attribute => problems(attribute.name, () => subject.pathTo(entity, attribute))),
  ]
}

// Shared by the many names without findings.
const nothing: readonly Finding[] = []

type Finding = { code: string; message: string }

function findingsFor(name: string, allowed: readonly NamingRules[]): readonly Finding[] {
  const trimmed = name.trim()
  const word = trimmed.toLowerCase()
  if (!allowed.some(one => one.reserved.has(word) || isTooLong(trimmed, one))) return nothing
  const reserved = allowed.filter(one => one.reserved.has(word)).map(({ label }) => label)
  const tooLong = allowed.filter(one => isTooLong(trimmed, one)).map(({ label }) => label)
  return [
    ...(reserved.length > 0 ? [{ code: 'reservedWord', message: texts.reserved(name, reserved) }] : []),
    ...(tooLong.length > 0 ? [{ code: 'nameTooLong', message: texts.tooLong(name, tooLong) }] : []),
  ]
}

function isTooLong(name: string, { limit, size }: NamingRules): boolean {
  // Most names need no counting.
  return name.length * 3 > limit && size(name) > limit
}
