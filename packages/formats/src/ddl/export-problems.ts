import type { DatabaseType } from '@cadmus/model/database-types'
import { exportFormats } from '@cadmus/model/export-formats'
import { entityIn, type Problem, rowIn } from '@cadmus/model/problem'
import { validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import type { SqlTable } from '@cadmus/sql/read/sql-model'
import type { ImportedEntity, ImportedModel } from '../imported-model.ts'
import { placedModel } from '../placed-model.ts'

/** For which an imported model is checked besides its own. */
const commonDatabase = 'postgresql'
const [schema] = exportFormats

/** The errors for which schema exports would refuse the model of these tables, and warnings about keys, with their lines. */
export function exportProblems(
  model: ImportedModel,
  tables: readonly SqlTable[],
  database: DatabaseType,
): (Pick<Problem, 'severity' | 'message'> & { line: number; table: SqlTable | undefined })[] {
  return problemsOf(model, database)
    .filter(({ severity, code }) => severity === 'error' || code === 'keyType')
    .map(({ severity, message, path }) => ({ severity, message, ...placeOf(path, model.entities, tables) }))
}

function problemsOf(model: ImportedModel, database: DatabaseType): Problem[] {
  const databases = namingRules([...new Set([database, commonDatabase] as const)])
  return validate(placedModel(model), { target: schema.wireName, databases })
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
  return problemsOf(rest, model.database ?? commonDatabase).flatMap(({ severity, message, path }) => {
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
