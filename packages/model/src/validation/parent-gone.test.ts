import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, referenceTo } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { parentGone } from './parent-gone.ts'

it('Warnings: a missing parent, of the entity or of an ancestor', () => {
  const orphan = anEntity({ name: 'Orphan', extendsEntity: { id: -1, name: 'Party', path: 'predefined/Party' } })
  const child = anEntity({ name: 'Child', extendsEntity: referenceTo(orphan) })
  expect(entityFindings(parentGone, aResolvedModel([child], [orphan]))).toEqual([
    ['warning', 'parentGone', 'Orphan extends predefined/Party, which does not exist.', 'Orphan'],
  ])
})
