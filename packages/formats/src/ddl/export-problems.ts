import type { DatabaseType } from '@cadmus/model/database-types'
import { exportFormats } from '@cadmus/model/export-formats'
import { entityIn, type Problem, rowIn } from '@cadmus/model/problem'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { validate } from '@cadmus/model/validate'
import { keyedLength } from '@cadmus/sql/column-types'
import { namingRules } from '@cadmus/sql/databases'
import { newSchemaNotes } from '@cadmus/sql/schema-notes'
import type { SqlTable } from '@cadmus/sql/read/sql-model'
import type { ImportedEntity, ImportedModel } from '../imported-model.ts'
import { placedModel } from '../placed-model.ts'

/** For which an imported model is checked besides its own. */
const commonDatabase = 'postgresql'
const [schema] = exportFormats

/** Differences of all exported schemas from what a script says, by code of the note. */
const differences: ReadonlyMap<string, string | null> = new Map([
  ['lengthGiven', `A text without max length that is compared is limited to ${keyedLength} characters in exports.`],
  ['targetNotUnique', null],
  ['keyPairs', null],
])

export type ExportProblem = Pick<Problem, 'severity' | 'message'> & {
  line: number
  table: SqlTable | undefined
  /** Of the column, where the message does not say it. */
  name?: string | undefined
}

/**
 * The errors for which schema exports would refuse the model of these tables, warnings about keys, and what exports would write otherwise,
 * with their lines.
 */
export function exportProblems(
  model: ImportedModel,
  tables: readonly SqlTable[],
  database: DatabaseType,
): ExportProblem[] {
  const placed = placedModel(model)
  const about = ({ severity, message, path }: Pick<Problem, 'severity' | 'message' | 'path'>) => ({
    severity,
    message,
    ...placeOf(path, model.entities, tables),
  })
  const notes = newSchemaNotes()(placed, [commonDatabase], { applyAutoIncrement: true })
  return [
    ...problemsOf(placed, database)
      .filter(({ severity, code }) => severity === 'error' || code === 'keyType')
      .map(about),
    ...notes.flatMap(note => {
      const text = differences.get(note.code)
      if (text === undefined) return []
      const problem = about(note)
      const name = `${problem.table?.name}.${note.path.at(-1)?.name}`
      return [text === null ? problem : { ...problem, message: text, name }]
    }),
  ]
}

function problemsOf(model: ResolvedModel, database: DatabaseType): Problem[] {
  const databases = namingRules([...new Set([database, commonDatabase] as const)])
  return validate(model, { target: schema.wireName, databases })
}

/**
 * The errors for which schema exports would refuse these entities of a model without the others. `entity`: the path of the one that it is
 * about, '' for none.
 */
export function refusalsWithout(
  model: Pick<ImportedModel, 'name' | 'manifests' | 'database'>,
  entities: readonly ImportedEntity[],
): { message: string; entity: string }[] {
  const paths = new Set(entities.map(({ corpusPath }) => corpusPath))
  // Paths in the file begin with a slash; what is left out is outside of it.
  const outside = (path: string) => (paths.has(path) ? path : path.slice(path.lastIndexOf('/') + 1))
  const reference = <R extends { path: string }>(one: R): R => ({ ...one, path: outside(one.path) })
  const rest: ImportedModel = {
    name: model.name,
    report: [],
    manifests: model.manifests.map(manifest => ({
      ...manifest,
      entities: manifest.entities.filter(path => paths.has(path)),
    })),
    entities: entities.map(entity => ({
      ...entity,
      extendsEntity: entity.extendsEntity && outside(entity.extendsEntity),
      entityAttributes: entity.entityAttributes.map(item => ({
        ...item,
        associatedEntity: reference(item.associatedEntity),
        alternativeTargets: item.alternativeTargets.map(target => ({ ...target, entity: reference(target.entity) })),
      })),
    })),
  }
  return problemsOf(placedModel(rest), model.database ?? commonDatabase).flatMap(({ severity, message, path }) => {
    if (severity !== 'error') return []
    const index = (entityIn(path)?.id ?? 0) - 1
    return [{ message, entity: entities[index]?.corpusPath ?? '' }]
  })
}

/** The table that a problem is about, and the line of it or its column. Ids of entities are their places in the model. */
function placeOf(path: Problem['path'], entities: readonly ImportedEntity[], tables: readonly SqlTable[]) {
  const index = (entityIn(path)?.id ?? 0) - 1
  const [entity, table] = [entities[index], tables[index]]
  const uid = rowIn(path)?.uid
  const row = [...(entity?.typeAttributes ?? []), ...(entity?.entityAttributes ?? [])].find(one => one.uid === uid)
  const column = row === undefined ? undefined : table?.columns[row.position]
  return { table, line: column?.line ?? table?.line ?? 0 }
}
