import { expect, it } from 'vitest'
import { packageName } from './package-name.ts'

it('accepts letters, digits, - and _ in a package name, and rejects names reserved by the instance', () => {
  for (const name of ['a', 'Shop', 'acme-sales_2', '2', 'x'.repeat(100), 'cores', '_'])
    expect(packageName(name)).toBeUndefined()
  for (const name of ['a b', 'a.b', 'a/b', '../a', 'é', 'a\0', 'a\n'])
    expect(packageName(name)).toBe("this must contain only letters, digits, '-' and '_'.")
  expect(packageName('')).toBe('this is a required field')
  expect(packageName('x'.repeat(101))).toBe('this must be 1 to 100 characters long.')
  expect(packageName('core')).toBe('The package name "core" is reserved by the instance.')
  expect(packageName('CDM-Client')).toBe('The package name "CDM-Client" is reserved by the instance.')
})
