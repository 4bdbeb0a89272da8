import { changingModel, closureIn, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import type { EntityNode } from '@cadmus/model/entity'
import { databaseTypes } from '@cadmus/model/database-types'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { aClosure, aKey, aList, anEntity, aRelationship } from '@cadmus/model/testing/builders'
import { validate } from '@cadmus/model/validate'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newSchemaNotes } from './schema-notes.ts'
import { schemaNotes } from './testing/schema-notes.ts'
import { databaseScript } from './script.ts'

const options = { applyAutoIncrement: true }

it('notes that are found again after a change are those that one finds who knows nothing', () => {
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

it('in a model of many tables as well, whatever comes, goes and changes its place among them', () => {
  const random = seededRandom(7)
  const model = changingModel(arbitraryModel(7, { size: 60 }))
  const again = newSchemaNotes()
  let before = new Set<unknown>()
  let kept = 0
  for (let step = 0; step < 40; step += 1) {
    const closure = closureIn(model)
    const types = step % 10 < 8 ? databaseTypes : databaseTypes.slice(1, 3)
    const notes = again(closure, types, options)
    expect(notes).toEqual(schemaNotes(closure, types, options))
    kept += notes.filter(note => before.has(note)).length
    before = new Set(notes)
    random.pick(modelChanges)(model, random)
  }
  expect(kept).toBeGreaterThan(100)
})

it.each(databaseTypes)('the notes for %s are those of its script, each once', type => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const closure = closureIn(changingModel(arbitraryModel(seed, { size: 12 })))
    const said = schemaNotes(closure, [type], options).map(({ path, message }) => JSON.stringify([path, message]))
    expect(new Set(said)).toEqual(
      new Set(databaseScript(closure, type, options).notes.map(({ path, message }) => JSON.stringify([path, message]))),
    )
  }
})

it('a table that nobody touched is looked at again where another one changed its name or its part of a key', () => {
  const keys = (length: number) =>
    aList(
      aKey({ name: 'one', dataType: 'string', maxLength: 900 }),
      ...Array.from({ length }, (_, index) => aKey({ name: `key${index}`, dataType: 'string' })),
    )
  const target = anEntity({ name: 'Target', typeAttributes: keys(1) })
  const link = aRelationship(target, { associatedEntityTypeAttribute: 'one', foreignKeyTypeAttribute: 'link' })
  const source = anEntity({ name: 'Source', entityAttributes: [link] })
  // One name to SQL Server.
  const [narrow, wide] = [anEntity({ name: 'A' }), anEntity({ name: '\uff21' })]
  const model = changingModel(aClosure([target, source, narrow, wide]))
  const again = newSchemaNotes()
  const look = (...entities: EntityNode[]) => {
    for (const entity of entities) model.entities.set(entity.id, entity)
    const closure = closureIn(model)
    const notes = again(closure, databaseTypes, options)
    expect(notes).toEqual(schemaNotes(closure, databaseTypes, options))
    return {
      link: notes.filter(({ code, path }) => code === 'keyShortened' && path.at(-1)?.name === 'link').length,
      renamed: notes.filter(({ code }) => code === 'renamed').map(({ path }) => path.at(-1)?.name),
    }
  }
  // Of three keys each has less room than of two, and the sentences say how much.
  const [before, after] = [look(), look({ ...target, typeAttributes: keys(2) })]
  expect([before.link, after.link, before.renamed]).toEqual([4, 4, ['\uff21']])
  expect(look({ ...narrow, name: 'B' }).renamed).toEqual([])
  expect(look(narrow).renamed).toEqual(['\uff21'])
})
