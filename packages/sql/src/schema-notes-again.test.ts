import { changingModel, closureIn, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { databaseTypes } from '@cadmus/model/database-types'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { validate } from '@cadmus/model/validate'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newSchemaNotes, schemaNotes } from './schema-notes.ts'
import { databaseScript } from './script.ts'

it('Issue part 3: notes that are found again after a change are those that one finds who knows nothing', () => {
  let told = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
      const random = seededRandom(seed)
      const model = changingModel(arbitraryModel(seed, { size: 12 }))
      const again = newSchemaNotes()
      for (let step = 0; step < 12; step += 1) {
        const closure = closureIn(model)
        const { configuration, databaseTypes: types = databaseTypes } = model.options
        const applyAutoIncrement = configuration?.configurationBuild.sqlConfiguration.applyAutoIncrement ?? true
        const known = validate(closure, model.options)
        const notes = again(closure, types, { applyAutoIncrement }, known)
        expect(notes).toEqual(schemaNotes(closure, types, { applyAutoIncrement }, known))
        told += notes.length
        for (let change = random.between(1, 2); change > 0; change -= 1) random.pick(modelChanges)(model, random)
      }
    }),
    { numRuns: 25 },
  )
  expect(told).toBeGreaterThan(100)
})

it.each(databaseTypes)('the notes for %s are those of its script, each once', type => {
  const options = { applyAutoIncrement: true }
  for (let seed = 1; seed <= 30; seed += 1) {
    const closure = closureIn(changingModel(arbitraryModel(seed, { size: 12 })))
    const said = schemaNotes(closure, [type], options).map(({ path, message }) => JSON.stringify([path, message]))
    expect(new Set(said)).toEqual(
      new Set(databaseScript(closure, type, options).notes.map(({ path, message }) => JSON.stringify([path, message]))),
    )
  }
})
