import type { EntityNode } from '@cadmus/model/entity'
import { databaseTypes } from '@cadmus/model/database-types'
import { ancestorsOf } from '@cadmus/model/inherit'
import { foldName } from '@cadmus/model/paths'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { validate } from '@cadmus/model/validate'
import { namingRules } from '@cadmus/sql/databases'
import { databaseStatements } from '@cadmus/sql/script'
import { describe, expect, it } from 'vitest'
import { readArchive } from './archive.ts'
import type { ImportedModel } from './imported-model.ts'
import { placedModel } from './placed-model.ts'
import { realModel } from './testing/real-models.ts'
import { describeScripts } from './testing/run-scripts.ts'
import { hasSharedCdm, sharedBytes } from './testing/shared-cdm.ts'

const folders = ['example-export', 'customer-insights-journeys', 'core-slice', 'core-applicationCommon-full'] as const
const standard = /^\/(?:foundations|primitives)\.cdm\.json\//

describe.skipIf(!hasSharedCdm)('real CDM folders are imported completely', () => {
  it.each(folders)('%s: every defined entity is imported or reported', name => {
    const model = realModel(name)
    const reported = new Set([
      ...model.entities.map(entity => entity.corpusPath),
      ...unlistedIn(model).map(path => `/${path}`),
    ])
    const defined = definitionsIn(name)
    expect(defined.length).toBeGreaterThanOrEqual(model.entities.length)
    expect(defined.filter(path => !reported.has(path) && !standard.test(path))).toEqual([])
  })

  it.each(folders)(
    '%s: attribute names are unique per entity, and a repeated attribute replaces the earlier one in place',
    name => {
      const repeating = realModel(name).entities.filter(entity => {
        const names = namesIn(entity)
        return new Set(names).size < names.length
      })
      expect(repeating).toEqual([])
    },
  )

  it('core-slice: exactly the two entities that no manifest lists are reported as unlisted', () => {
    expect(unlistedIn(realModel('core-slice'))).toEqual([
      'core/applicationCommon/Address.cdm.json/customerAddressInline',
      'core/operationsCommon/Tables/Common/EMPAShared/Reference/SharedCategory.cdm.json/SharedCategory',
    ])
    expect(unlistedIn(realModel('customer-insights-journeys'))).toEqual([])
    expect(unlistedIn(realModel('example-export'))).toEqual([])
  })

  it.each([
    ['example-export', {}],
    ['customer-insights-journeys', { noKey: 102, reservedWord: 104 }],
    ['core-slice', { alternatives: 77, noKey: 3, reservedWord: 45, targetNotUnique: 1 }],
  ])('%s: validation finds no errors and only the expected warnings', (name, warnings) => {
    const problems = validate(placedModel(realModel(name)), { databases: namingRules(databaseTypes) })
    expect(problems.filter(problem => problem.severity === 'error')).toEqual([])
    expect(counted(problems)).toEqual(warnings)
  })

  it('core-applicationCommon-full, decisions §3: the errors are 41 pairs of unrelated entities with equal names, and 2 names that differ only in case', () => {
    const model = realModel('core-applicationCommon-full')
    const resolvedModel = placedModel(model)
    const errors = validate(resolvedModel).filter(problem => problem.severity === 'error')
    expect(counted(errors)).toEqual({ namesakes: 41, repeatedAttribute: 2 })
    const duplicates = errors.filter(problem => problem.code === 'repeatedAttribute').map(entityIn)
    expect(duplicates.map(id => resolvedModel.byId.get(id)?.name)).toEqual(['LocationEndPoint', 'SlotServiceType'])
    expect(model.report.filter(line => line.message.endsWith('differ only in case.'))).toHaveLength(2)
    const unrelated = errors.filter(problem => problem.code === 'namesakes').map(entityIn)
    const lookup = (id: number): EntityNode | undefined => resolvedModel.byId.get(id)
    for (const entity of unrelated.flatMap(id => lookup(id) ?? [])) {
      const sameName = resolvedModel.entities.filter(
        one => one !== entity && foldName(one.name) === foldName(entity.name),
      )
      const isAbove = (one: EntityNode, other: EntityNode) => ancestorsOf(other, lookup).includes(one)
      expect(sameName.some(one => !isAbove(one, entity) && !isAbove(entity, one))).toBe(true)
    }
  })

  it('core-applicationCommon-full: 24 of its manifests have no errors, alone or with their sub-manifests', () => {
    const model = realModel('core-applicationCommon-full')
    const resolvedModels = model.manifests.map(({ path }) => placedModel(model, path))
    expect(
      resolvedModels.filter(resolvedModel => validate(resolvedModel).every(problem => problem.severity !== 'error')),
    ).toHaveLength(24)
  })

  it('core-slice: MariaDB accepts tables of more than 300 columns with the longest texts stored off-row', () => {
    const { schema, notes } = databaseStatements(placedModel(realModel('core-slice')), 'mysql', {
      applyAutoIncrement: true,
    })
    const widest = Math.max(...schema.tables.map(table => table.columns.length))
    expect(widest).toBeGreaterThan(300)
    expect(notes.filter(note => note.code === 'rowTooLong')).toEqual([])
    expect(notes.filter(note => note.code === 'lengthAsCheck').length).toBeGreaterThan(0)
  })
})

describe.skipIf(!hasSharedCdm)('the scripts of real CDM folders', () => {
  for (const name of ['example-export', 'customer-insights-journeys', 'core-slice']) {
    let placed: ResolvedModel | undefined
    describeScripts(name, () => [(placed ??= placedModel(realModel(name)))])
  }
})

/** Corpus paths of all entities defined in the archive, found without the product's reader. */
function definitionsIn(name: string): string[] {
  const files = readArchive(sharedBytes(`zips/${name}.zip`))
  const decoder = new TextDecoder()
  return [...files.keys()].flatMap(path => {
    const content = files.get(path)
    const text = typeof content === 'string' ? content : decoder.decode(content)
    const json: { definitions?: unknown } = JSON.parse(text)
    if (!Array.isArray(json.definitions)) return []
    return json.definitions.flatMap(({ entityName }) => (entityName === undefined ? [] : [`/${path}/${entityName}`]))
  })
}

function namesIn({ typeAttributes, entityAttributes }: ImportedModel['entities'][number]): string[] {
  return [
    ...typeAttributes.map(attribute => attribute.name),
    ...entityAttributes.map(attribute => attribute.foreignKeyTypeAttribute),
  ]
}

function unlistedIn({ report }: ImportedModel): string[] {
  return report.filter(line => line.message.startsWith('No manifest lists this entity')).map(line => line.path)
}

function counted(problems: readonly { code: string }[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(problems, problem => problem.code)].map(([code, all]) => [code, all.length]),
  )
}

function entityIn({ path }: ReturnType<typeof validate>[number]): number {
  return path.flatMap(step => (step.kind === 'entity' ? [step.id] : [])).at(-1) ?? -1
}
