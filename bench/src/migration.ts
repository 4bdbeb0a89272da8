import { databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import type { EntityNode } from '@cadmus/model/entity'
import { resolveModel } from '@cadmus/model/resolved-model'
import { compareModels } from '@cadmus/model/comparison/compare-models'
import { newConfiguration } from '@cadmus/model/configuration'
import { migrationPlan } from '@cadmus/sql/migrate/plan'
import { databaseStatements } from '@cadmus/sql/script'
import { largeModel } from '@cadmus/sql/testing/large-model'
import { machine, timed } from './machine.ts'

/**
 * Measures migrations: `node bench/src/migration.ts`. 1,000 entities with 20,000 attributes, of which each table, an attribute's name and
 * another one's length change; the comparison of the same, and the plan for each database, by thread time. Best and median of 15.
 */
const before = largeModel()
const entities = before.entities.map(changed)
const after = resolveModel(before.root, {
  manifests: new Map([[before.root.id, before.root]]),
  entities: new Map(entities.map(entity => [entity.id, entity])),
})

console.log(`${machine()}\n`)
console.log('| What | Best | Median |\n|---|---|---|')
const configuration = newConfiguration('Shop')
report('comparison', () =>
  compareModels({ resolvedModel: before, configuration }, { resolvedModel: after, configuration }),
)
for (const type of databaseTypes) {
  const [old, now] = [before, after].map(model => databaseStatements(model, type, { applyAutoIncrement: true }).schema)
  if (old && now) report(`plan for ${databaseTypeTable[type].label}`, () => migrationPlan(old, now, type))
}

function changed(entity: EntityNode): EntityNode {
  const typeAttributes = entity.typeAttributes.map((attribute, at) => {
    if (at === 7) return { ...attribute, maxLength: 200 }
    return at === 8 ? { ...attribute, name: `${attribute.name}New` } : attribute
  })
  return { ...entity, name: `${entity.name}New`, typeAttributes }
}

function report(what: string, work: () => unknown): void {
  const { best, median } = timed(15, work)
  console.log(`| ${what} | ${best.toFixed(0)} ms | ${median.toFixed(0)} ms |`)
}
