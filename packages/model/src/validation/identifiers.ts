import { databaseTypes, databaseTypeTable, type DatabaseType } from '../database-types.ts'
import type { EntityNode } from '../entity.ts'
import type { Problem } from '../problem.ts'
import { identifierSize, reservedWords } from '../reserved-words.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Names of an entity's table and columns that are reserved or too long in a licensed database. */
export function identifiers(entity: EntityNode, subject: Subject): Problem[] {
  const allowed = subject.options.databaseTypes ?? databaseTypes
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

function findingsFor(name: string, allowed: readonly DatabaseType[]): readonly Finding[] {
  const trimmed = name.trim()
  const word = trimmed.toLowerCase()
  if (!allowed.some(type => reservedWords[type].has(word) || isTooLong(trimmed, type))) return nothing
  const reserved = allowed.filter(type => reservedWords[type].has(word)).map(labelOf)
  const tooLong = allowed.filter(type => isTooLong(trimmed, type)).map(labelOf)
  return [
    ...(reserved.length > 0 ? [{ code: 'reservedWord', message: texts.reserved(name, reserved) }] : []),
    ...(tooLong.length > 0 ? [{ code: 'nameTooLong', message: texts.tooLong(name, tooLong) }] : []),
  ]
}

function isTooLong(name: string, type: DatabaseType): boolean {
  const limit = databaseTypeTable[type].identifierLength
  // A UTF-16 code unit takes at most three bytes, so most names need no counting.
  return name.length * 3 > limit && identifierSize(name, type) > limit
}

function labelOf(type: DatabaseType): string {
  return databaseTypeTable[type].label
}
