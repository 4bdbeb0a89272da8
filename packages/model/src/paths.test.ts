import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import * as fc from 'fast-check'
import {
  customEntityPath,
  customManifestPath,
  folderOf,
  foldName,
  isDefaultPath,
  pathPart,
  renamedPath,
} from './paths.ts'

it('isDefault: the path starts with the predefined prefix, or there is none', holds('E3.11', 'E3.12', 'M3.5'), () => {
  const core = ['predefined/core/Account', 'predefined', '', null, undefined]
  expect(core.map(isDefaultPath)).toEqual([true, true, true, true, true])
  expect(['user-defined/Shop/Customer', 'predefinedX/Account'].map(isDefaultPath)).toEqual([false, false])
})

it('the folder is the path without its last part', holds('E3.61'), () => {
  expect(['a/b/c', 'a', ''].map(folderOf)).toEqual(['a/b', '', ''])
})

it('renaming replaces the last part of a path', holds('E4.20'), () => {
  expect(renamedPath('user-defined/Shop/Customer', 'Client')).toBe('user-defined/Shop/Client')
  expect(renamedPath('Customer', 'Client')).toBe('Client')
})

it('the path of a custom entity contains its manifest and its name', holds('E3.3'), () => {
  expect(customEntityPath('Shop', 'Customer')).toBe('user-defined/Shop/Customer')
  expect(customEntityPath(null, 'Customer')).toBe('user-defined/Customer')
  expect(customManifestPath('Shop')).toBe('user-defined/Shop')
})

it('a slash in a name creates no folder, not even after a rename', () => {
  const path = customEntityPath('A/B', 'C/D')
  expect(path).toBe('user-defined/A%2FB/C%2FD')
  expect([folderOf(path), customManifestPath('A/B')]).toEqual(['user-defined/A%2FB', 'user-defined/A%2FB'])
  expect(renamedPath(path, 'Client')).toBe('user-defined/A%2FB/Client')
  expect(customEntityPath('A', 'B/C')).not.toBe(customEntityPath('A/B', 'C'))
  expect(pathPart('100% of 5%')).toBe('100% of 5%')
})

it('different names give different parts of a path', () => {
  const name = fc.array(fc.constantFrom('%', '2', 'F', '5', '/', 'f', 'a')).map(signs => signs.join(''))
  fc.assert(
    fc.property(name, name, (a, b) => a === b || pathPart(a) !== pathPart(b)),
    { numRuns: 5000 },
  )
})

it('names are folded by trimming and lower case', () => {
  expect(foldName('  Ünïted_1 ')).toBe(foldName('u\u0308NI\u0308TED_1'))
})
