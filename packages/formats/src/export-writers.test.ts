import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { exportFormats, isOfDatabase } from '@cadmus/model/export-formats'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { firstError, validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import { describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from './archive.ts'
import { exportWriters } from './export-writers.ts'
import { exportableModels } from './testing/exportable-model.ts'

describe.each(exportFormats)('Decisions §10 export as $label', ({ id, wireName }) => {
  const exported = (resolvedModel: ResolvedModel) =>
    exportWriters[id].write({ resolvedModel }, { databaseType: 'mysql', applyAutoIncrement: true, sqlExport: {} })

  it('the same model gives the same bytes, in files whose paths are valid in a zip', () => {
    for (const model of exportableModels(5, 1)) {
      const zip = writeArchive(exported(model).files)
      expect(writeArchive(exported(structuredClone(model)).files)).toEqual(zip)
      const files = readArchive(zip)
      expect([...files.keys()].length).toBeGreaterThan(0)
      for (const path of files.keys()) expect(files.get(path)?.length).toBeGreaterThan(0)
    }
  })

  it('a relationship with several targets is noted, and each note is a line at the end of the preview', () => {
    const [one, two] = [anEntity({ name: 'One' }), anEntity({ name: 'Two' })]
    const relationship = aRelationship(one, {
      position: 9,
      foreignKeyTypeAttribute: 'otherId',
      alternativeTargets: [{ entity: { id: two.id, name: two.name, path: two.path }, attribute: 'id' }],
    })
    const model = aResolvedModel([one, two, anEntity({ name: 'Pointer', entityAttributes: [relationship] })])
    const { notes, preview } = exported(model)
    expect(notes).toBeGreaterThan(0)
    const lines = preview().trimEnd().split('\n').slice(-notes)
    expect(lines).toHaveLength(notes)
    expect(lines.filter(line => /Pointer.*otherId/.test(line))).toHaveLength(1)
  })

  it('the size of the export is proportional to the model', () => {
    const size = (entities: number) => {
      const { files, preview } = exported(chain(entities))
      return [...files.values()].join('').length + preview().length
    }
    const [small, large] = [size(50), size(100)]
    expect(large).toBeGreaterThan(small)
    expect(large).toBeLessThan(2.2 * small)
    expect(large / (100 * 22)).toBeLessThan(2500)
  })

  it('a model accepted by its validation is written without an error', () => {
    const databases = isOfDatabase(wireName) ? namingRules(['mysql']) : []
    const valid = exportableModels(20, 100).filter(
      model => firstError(validate(model, { target: wireName, databases })) === undefined,
    )
    expect(valid.length).toBeGreaterThan(5)
    for (const model of valid) expect(() => exported(model)).not.toThrow()
  })
})

/** Entities of 20 attributes, each of which refers to the one before it. */
function chain(count: number): ResolvedModel {
  const entities = [anEntity({ name: 'Link0' })]
  for (let at = 1; at < count; at++) {
    const previous = entities.at(-1)
    const attributes = Array.from({ length: 20 }, (_, number) => aTypeAttribute({ name: `attribute${number}` }))
    const entityAttributes = previous
      ? [aRelationship(previous, { position: 50, foreignKeyTypeAttribute: 'previousId' })]
      : []
    entities.push(anEntity({ name: `Link${at}`, typeAttributes: aList(aKey(), ...attributes), entityAttributes }))
  }
  return aResolvedModel(entities)
}
