import { largeModel } from './src/testing/large-model.ts'
import { databaseStatements } from './src/script.ts'
import { migrationPlan } from './src/migrate/plan.ts'
import { migrationScript } from './src/migrate/script.ts'
import { schemaDifference } from './src/migrate/difference.ts'
import { resolveModel } from '../model/src/resolved-model.ts'
const before = largeModel()
const entities = [...before.byId.values()].map(e => ({ ...e, name: e.name + 'x', typeAttributes: e.typeAttributes.map((a, i) => i === 0 ? a : i === 7 ? { ...a, maxLength: 200 } : i === 8 ? { ...a, name: a.name + 'y' } : a) }))
const after = resolveModel(before.root, { manifests: new Map([[before.root.id, before.root]]), entities: new Map(entities.map(e => [e.id, e])) })
for (const db of ['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'] as const) {
  const o = { applyAutoIncrement: true }
  const a = databaseStatements(before, db, o).schema, b = databaseStatements(after, db, o).schema
  const times: number[] = [], t2: number[] = []
  for (let i = 0; i < 12; i++) {
    const t = performance.now(); const plan = migrationPlan(a, b, db); times.push(performance.now() - t)
    const u = performance.now(); migrationScript(plan, db, []); t2.push(performance.now() - u)
  }
  times.sort((x, y) => x - y); t2.sort((x, y) => x - y)
  console.log(db, 'plan best', times[0].toFixed(0), 'median', times[6].toFixed(0), 'script', t2[6].toFixed(0))
}
