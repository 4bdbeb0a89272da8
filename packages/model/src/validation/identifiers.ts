import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { type NamingRules, warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

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
