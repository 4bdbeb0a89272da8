import { expect, it } from 'vitest'
import { isTaken, takenNames } from './taken-names.ts'

it('compares names trimmed, case-insensitively and in one normal form', () => {
  const taken = takenNames(['Customer ', 'Größe', 'Cafe\u0301'])
  expect(['customer', ' CUSTOMER', 'GRÖSSE', 'größe', 'caf\u00e9', 'Custom'].map(name => isTaken(name, taken))).toEqual(
    [true, true, false, true, true, false],
  )
})
