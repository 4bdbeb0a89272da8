import type { AggregateQuery } from '../configuration.ts'
import type { EntityNode } from '../entity.ts'
import { foldName } from '../paths.ts'
import type { Problem } from '../problem.ts'
import type { DataType } from '../type-attribute.ts'
import { error, type Subject } from './subject.ts'
import { texts } from './texts.ts'

/** Aggregate queries refer to existing entities and fields; SUM and AVG need numbers. */
export function aggregateQueries(subject: Subject): Problem[] {
  const queries = subject.options.configuration?.configurationBuild.aggregateQueries ?? []
  if (queries.length === 0) return []
  const byName = new Map(subject.resolvedModel.entities.map(entity => [foldName(entity.name), entity]))
  const path = subject.manifestPath(subject.resolvedModel.root)
  return queries.flatMap(query => {
    const entity = byName.get(foldName(query.entity))
    if (!entity) return [error('aggregateEntity', texts.aggregateEntity(query.name, query.entity), path)]
    return columnMessages(query, entity, subject).map(([code, message]) => error(code, message, path))
  })
}

const numeric: readonly DataType[] = ['integer', 'double', 'float']

function columnMessages(
  query: AggregateQuery,
  entity: EntityNode,
  subject: Subject,
): [code: string, message: string][] {
  return query.columns.flatMap(({ field, type }): [string, string][] => {
    const attribute = subject.attributeOf(entity, field)
    if (!attribute) return [['aggregateField', texts.aggregateField(query.name, entity.name, field)]]
    const isSum = type === 'SUM' || type === 'AVG'
    if (!isSum || numeric.includes(attribute.dataType)) return []
    return [['aggregateType', texts.aggregateType(query.name, type, attribute.name, attribute.dataType)]]
  })
}
