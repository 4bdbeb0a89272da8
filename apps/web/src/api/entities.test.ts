import { expect, it } from 'vitest'
import { entitySource } from './entities.ts'

it('a picker explains why the entity itself is not offered', () => {
  const { whyNone } = entitySource({ excluded: { id: 7, name: 'Patient', why: 'Not itself.' } })
  expect(['patient', 'PAT', ' tien '].map(search => whyNone?.(search))).toEqual(Array(3).fill('Not itself.'))
  expect(['', ' ', 'Doctor', 'Patients'].map(search => whyNone?.(search))).toEqual(Array(4).fill(undefined))
  expect(entitySource().whyNone?.('patient')).toBeUndefined()
})
