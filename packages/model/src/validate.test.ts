import { describe, expect, it } from 'vitest'
import { resolveModel } from './resolved-model.ts'
import { aResolvedModel, aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute } from './testing/builders.ts'
import { namingRules } from './testing/naming-rules.ts'
import type { ExportTarget } from './export-formats.ts'
import { newConfiguration } from './configuration.ts'
import { firstError, newValidator, validate } from './validate.ts'

describe('validate', () => {
  it('finds no problems in a valid manifest', () => {
    const country = anEntity({ name: 'Country' })
    const customer = anEntity({ name: 'Customer', entityAttributes: [aRelationship(country, { position: 1 })] })
    expect(validate(aResolvedModel([country, customer]))).toEqual([])
  })

  it('collects all problems, errors first; the first error is the message', () => {
    const gone = anEntity({ name: 'Gone' })
    const keyless = anEntity({ name: 'Note__1', typeAttributes: [aTypeAttribute()] })
    const broken = anEntity({
      name: 'Order',
      typeAttributes: [aKey({ dataType: 'boolean' })],
      entityAttributes: [aRelationship(gone, { position: 1 })],
    })
    const problems = validate(aResolvedModel([keyless, broken]), { databases: [namingRules.postgresql] })
    expect(problems.map(problem => `${problem.severity} ${problem.code}`)).toEqual([
      'error keyType',
      'error targetGone',
      'warning noKey',
      'warning name',
      'warning reservedWord',
    ])
    expect(firstError(problems)?.code).toBe('keyType')
    expect(firstError(problems.slice(2))).toBeUndefined()
  })

  it('applies only the checks relevant to each export', () => {
    const left = anEntity({
      name: 'Twofold',
      typeAttributes: aList(aKey(), aTypeAttribute(), aTypeAttribute({ name: 'TITLE' })),
    })
    const right = anEntity({ name: 'Twofold', typeAttributes: aList(aKey({ dataType: 'boolean' })) })
    const gone = aRelationship(anEntity({ name: 'Gone' }), { position: 1 })
    const keyless = anEntity({ name: 'Note', typeAttributes: [], entityAttributes: [gone] })
    const resolvedModel = aResolvedModel([left, right, keyless])
    const configuration = newConfiguration('Shop')
    configuration.configurationBuild.apiConfiguration.excludeOperations = ['Nothing.get']
    const codes = (target?: ExportTarget) => validate(resolvedModel, { target, configuration }).map(({ code }) => code)
    const ofTables = ['namesakes', 'repeatedAttribute', 'keyType', 'targetGone']
    expect(codes()).toEqual([...ofTables, 'exclusion', 'noKey'])
    expect(codes('PACKAGE')).toEqual(codes())
    expect(codes('DB_STRUCTURE')).toEqual([...ofTables, 'noKey'])
    expect(codes('ENTITY_GLOOP_MODEL')).toEqual(['namesakes', 'repeatedAttribute', 'noKey'])
    expect(codes('CDM_SCHEMA')).toEqual(['noKey'])
    expect(validate(aResolvedModel([]), { target: 'CDM_SCHEMA' }).map(({ code }) => code)).toEqual(['noEntity'])
  })

  it('one validator can serve different exports in turn', () => {
    const validator = newValidator()
    const resolvedModel = aResolvedModel([anEntity({ name: 'Aa', typeAttributes: [aKey({ dataType: 'double' })] })])
    const count = (target?: ExportTarget) => validator(resolvedModel, { target }).length
    expect([count('CDM_SCHEMA'), count('DB_STRUCTURE'), count(), count('CDM_SCHEMA')]).toEqual([0, 1, 1, 0])
  })

  it('gives problems a path through the sub-manifests', () => {
    const note = anEntity({ name: 'Note', typeAttributes: [] })
    const notes = aManifest({ name: 'Notes', entities: [{ id: note.id, type: 'EXCLUSIVE' }] })
    const root = aManifest({ name: 'Shop', subManifests: [notes.id] })
    const resolvedModel = resolveModel(root, {
      manifests: new Map([[notes.id, notes]]),
      entities: new Map([[note.id, note]]),
    })
    expect(validate(resolvedModel)).toEqual([
      {
        severity: 'warning',
        code: 'noKey',
        message: 'Note has no primary key.',
        path: [
          { kind: 'manifest', id: root.id, uid: root.uid, name: 'Shop' },
          { kind: 'manifest', id: notes.id, uid: notes.uid, name: 'Notes' },
          { kind: 'entity', id: note.id, uid: note.uid, name: 'Note', path: note.path },
        ],
      },
    ])
  })
})
