import { databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import { databaseScript } from '@cadmus/sql/script'
import { largeModel } from '@cadmus/sql/testing/large-model'
import { machine, timed } from './machine.ts'

// Measures writing the database schema of a large model: `node bench/src/write-schema.ts`.

const resolvedModel = largeModel()
const attributes = resolvedModel.entities.flatMap(entity => entity.typeAttributes).length
const relationships = resolvedModel.entities.flatMap(entity => entity.entityAttributes).length

console.log(
  `${resolvedModel.entities.length} entities, ${attributes} attributes, ${relationships} relationships; ${machine()}\n`,
)
console.log('| Database | Script | Best of 20 | Median |\n|---|---|---|---|')
for (const type of databaseTypes) {
  const write = () => databaseScript(resolvedModel, type, { applyAutoIncrement: true })
  const size = (Buffer.byteLength(write().sql) / 1e6).toFixed(1)
  const { best, median } = timed(20, write)
  console.log(`| ${databaseTypeTable[type].label} | ${size} MB | ${best.toFixed(0)} ms | ${median.toFixed(0)} ms |`)
}
