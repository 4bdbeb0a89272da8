import { changingModel, resolvedModelIn, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import type { EntityNode } from '@cadmus/model/entity'
import { databaseTypes } from '@cadmus/model/database-types'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { aResolvedModel, aKey, aList, anEntity, aRelationship } from '@cadmus/model/testing/builders'
import { validate } from '@cadmus/model/validate'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { namingRules } from './databases.ts'
import { newSchemaNotes } from './schema-notes.ts'
import { schemaNotes } from './testing/schema-notes.ts'
import { databaseScript } from './script.ts'

const options = { applyAutoIncrement: true }

it('notes after a change equal those without a cache', () => {
  let total = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
      const random = seededRandom(seed)
      const model = changingModel(arbitraryModel(seed, { size: 12 }))
      const notesOf = newSchemaNotes()
      for (let step = 0; step < 12; step += 1) {
        const resolvedModel = resolvedModelIn(model)
        const { configuration } = model.options
        const types = databaseTypes.filter(() => random.chance(0.6))
        const applyAutoIncrement = configuration?.configurationBuild.sqlConfiguration.applyAutoIncrement ?? true
        const known = validate(resolvedModel, { ...model.options, databases: namingRules(types) })
        const notes = notesOf(resolvedModel, types, { applyAutoIncrement }, known)
        expect(notes).toEqual(schemaNotes(resolvedModel, types, { applyAutoIncrement }, known))
        total += notes.length
        for (let change = random.between(1, 2); change > 0; change -= 1) random.pick(modelChanges)(model, random)
      }
    }),
    { numRuns: 25 },
  )
  expect(total).toBeGreaterThan(100)
})

it('notes after a change equal those without a cache in a model of many tables', () => {
  const random = seededRandom(7)
  const model = changingModel(arbitraryModel(7, { size: 60 }))
  const notesOf = newSchemaNotes()
  let before = new Set<unknown>()
  let reused = 0
  for (let step = 0; step < 40; step += 1) {
    const resolvedModel = resolvedModelIn(model)
    const types = step % 10 < 8 ? databaseTypes : databaseTypes.slice(1, 3)
    const notes = notesOf(resolvedModel, types, options)
    expect(notes).toEqual(schemaNotes(resolvedModel, types, options))
    reused += notes.filter(note => before.has(note)).length
    before = new Set(notes)
    random.pick(modelChanges)(model, random)
  }
  expect(reused).toBeGreaterThan(100)
})

it.each(databaseTypes)('the notes for %s equal those of its script, without repetition', type => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const resolvedModel = resolvedModelIn(changingModel(arbitraryModel(seed, { size: 12 })))
    const messages = schemaNotes(resolvedModel, [type], options).map(({ path, message }) =>
      JSON.stringify([path, message]),
    )
    expect(new Set(messages)).toEqual(
      new Set(
        databaseScript(resolvedModel, type, options).notes.map(({ path, message }) => JSON.stringify([path, message])),
      ),
    )
  }
})

it('notes on an unchanged table follow changes of names and keys of another one', () => {
  const keys = (length: number) =>
    aList(
      aKey({ name: 'one', dataType: 'string', maxLength: 900 }),
      ...Array.from({ length }, (_, index) => aKey({ name: `key${index}`, dataType: 'string' })),
    )
  const target = anEntity({ name: 'Target', typeAttributes: keys(1) })
  const link = aRelationship(target, { associatedEntityTypeAttribute: 'one', foreignKeyTypeAttribute: 'link' })
  const source = anEntity({ name: 'Source', entityAttributes: [link] })
  // SQL Server treats these names as equal.
  const [narrow, wide] = [anEntity({ name: 'A' }), anEntity({ name: '\uff21' })]
  const model = changingModel(aResolvedModel([target, source, narrow, wide]))
  const notesOf = newSchemaNotes()
  const update = (...entities: EntityNode[]) => {
    for (const entity of entities) model.entities.set(entity.id, entity)
    const resolvedModel = resolvedModelIn(model)
    const notes = notesOf(resolvedModel, databaseTypes, options)
    expect(notes).toEqual(schemaNotes(resolvedModel, databaseTypes, options))
    return {
      link: notes.filter(({ code, path }) => code === 'keyShortened' && path.at(-1)?.name === 'link').length,
      renamed: notes.filter(({ code }) => code === 'renamed').map(({ path }) => path.at(-1)?.name),
    }
  }
  // Three key columns have less room each than two, and the notes state the length.
  const [before, after] = [update(), update({ ...target, typeAttributes: keys(2) })]
  expect([before.link, after.link, before.renamed]).toEqual([4, 4, ['\uff21']])
  expect(update({ ...narrow, name: 'B' }).renamed).toEqual([])
  expect(update(narrow).renamed).toEqual(['\uff21'])
})
