import type { Group } from '@cadmus/model/group'
import { type Thing, things } from '@cadmus/model/import-things'
import { isPrimaryKey } from '@cadmus/model/type-attribute'
import { type ReportLine, textAt } from './cdm/report.ts'
import type { ImportedEntity, ImportedModel } from './imported-model.ts'

export type EntityCounts = Readonly<Record<'attributes' | 'relationships' | 'keys' | 'uniques' | 'indexes', number>>

/** What a file declares of a kind, what of it is in the model, and what the report lists instead. */
export type ThingCount = { thing: Thing; read: number; imported: number; listed: number }

/** A single finding of the report. `entity`: index of the one that it is about, -1 for the import as a whole. */
export type Finding = { entity: number } & Pick<ReportLine, 'level' | 'kind' | 'path' | 'message'>

/** Indexes are those beside the ones of relationships. */
export function countsOfEntity({ typeAttributes, entityAttributes, groups }: ImportedEntity): EntityCounts {
  const columns = [...typeAttributes, ...entityAttributes]
  const groupsOf = (kind: Group['kind']) => groups.filter(group => group.kind === kind).length
  const hasKey =
    typeAttributes.some(isPrimaryKey) || entityAttributes.some(item => item.foreignKeyPurpose === 'identifiedBy')
  return {
    attributes: typeAttributes.length,
    relationships: entityAttributes.length,
    keys: hasKey ? 1 : 0,
    uniques: columns.filter(({ unique }) => unique).length + groupsOf('unique'),
    indexes: typeAttributes.filter(({ indexed }) => indexed).length + groupsOf('index'),
  }
}

/** The sum of what scripts state; other files declare what they have in the model, and each loss that is listed. */
export function thingCounts(
  { counts, report, manifests }: Pick<ImportedModel, 'counts' | 'report' | 'manifests'>,
  entities: readonly EntityCounts[],
): ThingCount[] {
  const sum = (of: keyof EntityCounts) => entities.reduce((total, entity) => total + entity[of], 0)
  const taken: Partial<Record<Thing, number>> = counts?.taken ?? {
    table: entities.length,
    column: sum('attributes') + sum('relationships'),
    key: sum('keys'),
    foreignKey: sum('relationships'),
    unique: sum('uniques'),
    index: sum('indexes'),
    enumeration: manifests.reduce((total, { enumerations }) => total + enumerations.length, 0),
  }
  const lost = report.reduce((total, { kind, count = 1 }) => total + (kind === 'lost' ? count : 0), 0)
  const listed: Partial<Record<Thing, number>> = counts?.listed ?? { other: lost }
  return things.flatMap(thing => {
    const [imported, left] = [taken[thing] ?? 0, listed[thing] ?? 0]
    const read = counts?.declared[thing] ?? imported + left
    return read === 0 && imported === 0 && left === 0 ? [] : [{ thing, read, imported, listed: left }]
  })
}

/** The findings of all lines with the entities that they are about, in the order of the entities and the report. */
export function findingsByEntity(lines: readonly ReportLine[], corpusPaths: readonly string[]): Finding[] {
  const indexes = new Map(corpusPaths.map((path, index) => [relative(path), index]))
  const findings = lines.flatMap(line => findingsOf(line, indexes))
  return findings.toSorted((a, b) => a.entity - b.entity)
}

function findingsOf({ level, kind, ...line }: ReportLine, indexes: ReadonlyMap<string, number>): Finding[] {
  const { text, places } = line
  if (text === undefined || places === undefined)
    return [{ entity: entityAt(line, indexes), level, kind, path: line.path, message: line.message }]
  return places.map(place => ({
    entity: entityAt(place, indexes),
    level,
    kind,
    path: place.path,
    message: textAt(text, place),
  }))
}

/** A path below that of an entity is about it. */
function entityAt({ entity, path }: Pick<ReportLine, 'entity' | 'path'>, indexes: ReadonlyMap<string, number>): number {
  if (entity !== undefined) return indexes.get(relative(entity)) ?? -1
  for (let part = relative(path); part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('/')))) {
    const index = indexes.get(part)
    if (index !== undefined) return index
  }
  return -1
}

function relative(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path
}
