import { expect, it } from 'vitest'
import { aResolvedModel, anEntity, referenceTo } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { extendsCycle } from './extends-cycle.ts'

const to = (id: number, name: string) => ({ id, name, path: `user-defined/${name}` })

it('Errors: an extends cycle, reported once', () => {
  const a = anEntity({ name: 'Alpha', id: 8101, extendsEntity: to(8102, 'Beta') })
  const b = anEntity({ name: 'Beta', id: 8102, extendsEntity: to(8101, 'Alpha') })
  const below = anEntity({ name: 'Below', extendsEntity: referenceTo(a) })
  const self = anEntity({ name: 'Self', id: 8103, extendsEntity: to(8103, 'Self') })
  expect(findings(extendsCycle, aResolvedModel([below, a, b, self]))).toEqual([
    ['error', 'extendsCycle', 'Beta already extends Alpha.', 'Shop/Alpha'],
    ['error', 'extendsCycle', 'Self already extends Self.', 'Shop/Self'],
  ])
})

it('long chains and shared parents are not an extends cycle', () => {
  const party = anEntity({ name: 'Party' })
  const person = anEntity({ name: 'Person', extendsEntity: referenceTo(party) })
  const company = anEntity({ name: 'Company', extendsEntity: referenceTo(party) })
  expect(findings(extendsCycle, aResolvedModel([person, company], [party]))).toEqual([])
})
