import { expect, it } from 'vitest'
import { customEntityPath, customManifestPath, folderOf, foldName, isDefaultPath, renamedPath } from './paths.ts'

it('E3.11 E3.12 M3.5 isDefault: the path starts with the predefined prefix, or there is none', () => {
  const core = ['predefined/core/Account', 'predefined', '', null, undefined]
  expect(core.map(isDefaultPath)).toEqual([true, true, true, true, true])
  expect(['user-defined/Shop/Customer', 'predefinedX/Account'].map(isDefaultPath)).toEqual([false, false])
})

it('E3.61 the folder is the path without its last part', () => {
  expect(['a/b/c', 'a', ''].map(folderOf)).toEqual(['a/b', '', ''])
})

it('E4.20 renaming replaces the last part', () => {
  expect(renamedPath('user-defined/Shop/Customer', 'Client')).toBe('user-defined/Shop/Client')
  expect(renamedPath('Customer', 'Client')).toBe('Client')
})

it('E3.3 custom paths', () => {
  expect(customEntityPath('Shop', 'Customer')).toBe('user-defined/Shop/Customer')
  expect(customEntityPath(null, 'Customer')).toBe('user-defined/Customer')
  expect(customManifestPath('Shop')).toBe('user-defined/Shop')
})

it('names are folded trimmed and without regard to case', () => {
  expect(foldName('  Ünïted_1 ')).toBe(foldName('u\u0308NI\u0308TED_1'))
})
