import { databaseTypes, databaseTypeTable, type DatabaseType } from '../database-types.ts'
import type { Problem } from '../problem.ts'
import { identifierSize, reservedWords } from '../reserved-words.ts'
import { warning, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Tables and columns whose names a database of the licence reserves or cannot take at their length. */
export function identifiers(subject: Subject): Problem[] {
  const allowed = subject.options.databaseTypes ?? databaseTypes
  const known = new Map<string, readonly Finding[]>()
  // A thousand entities share a few names: each is looked at once.
  const findingsOf = (name: string) => {
    const findings = known.get(name) ?? findingsFor(name, allowed)
    known.set(name, findings)
    return findings
  }
  return subject.declaring.flatMap(entity => [
    ...findingsOf(entity.name).map(({ code, message }) => warning(code, message, subject.pathOf(entity))),
    ...subject
      .declaredBy(entity)
      .flatMap(attribute =>
        findingsOf(attribute.name).map(({ code, message }) =>
          warning(code, message, subject.pathTo(entity, attribute)),
        ),
      ),
  ])
}

type Finding = { code: string; message: string }

function findingsFor(name: string, allowed: readonly DatabaseType[]): Finding[] {
  const word = name.trim().toLowerCase()
  const reserved = allowed.filter(type => reservedWords[type].has(word)).map(labelOf)
  const tooLong = allowed.filter(type => isTooLong(name.trim(), type)).map(labelOf)
  return [
    ...(reserved.length > 0 ? [{ code: 'reservedWord', message: texts.reserved(name, reserved) }] : []),
    ...(tooLong.length > 0 ? [{ code: 'nameTooLong', message: texts.tooLong(name, tooLong) }] : []),
  ]
}

function isTooLong(name: string, type: DatabaseType): boolean {
  const limit = databaseTypeTable[type].identifierLength
  // No unit of UTF-16 takes more than three bytes: most names need no counting.
  return name.length * 3 > limit && identifierSize(name, type) > limit
}

function labelOf(type: DatabaseType): string {
  return databaseTypeTable[type].label
}
