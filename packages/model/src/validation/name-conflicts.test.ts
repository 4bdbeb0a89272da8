import { describe, expect, it } from 'vitest'
import { nameConflictsOf } from '../name-conflicts.ts'
import { aResolvedModel, anEntity, referenceTo } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { nameConflicts } from './structure.ts'

const core = anEntity({ name: 'Account', path: 'predefined/core/Account' })
const sales = anEntity({ name: 'account', path: 'predefined/sales/Account', extendsEntity: referenceTo(core) })
const between = anEntity({ name: 'Base', extendsEntity: referenceTo(sales) })
const service = anEntity({ name: 'Account', path: 'predefined/service/Account', extendsEntity: referenceTo(between) })
const other = anEntity({ name: 'ACCOUNT', path: 'user-defined/Account' })

describe('name conflicts', () => {
  it('an entity that extends one of the same name directly or indirectly shares its table', () => {
    const resolvedModel = aResolvedModel([core, service, sales, between])
    expect(findings(nameConflicts, resolvedModel)).toEqual([])
    const { standsFor } = nameConflictsOf(resolvedModel)
    expect([core, sales, service, between].map(entity => standsFor.get(entity.id)?.path)).toEqual([
      'predefined/service/Account',
      'predefined/service/Account',
      'predefined/service/Account',
      between.path,
    ])
  })

  it('Errors: two unrelated entities of the same name, with both paths', () => {
    expect(findings(nameConflicts, aResolvedModel([core, sales, other]))).toEqual([
      [
        'error',
        'namesakes',
        'Two entities are named "ACCOUNT" and neither extends the other: predefined/sales/Account and user-defined/Account.',
        'Shop/ACCOUNT',
      ],
    ])
  })

  it('Errors: two entities of the same name that extend a third of that name', () => {
    const second = anEntity({ name: 'Account', path: 'user-defined/second/Account', extendsEntity: referenceTo(core) })
    expect(findings(nameConflicts, aResolvedModel([core, sales, second]))).toHaveLength(1)
  })

  it('an entity of the same name outside the manifest does not conflict', () => {
    expect(findings(nameConflicts, aResolvedModel([core], [other]))).toEqual([])
  })
})
