import { expect, it } from 'vitest'
import { loadScripts } from './read.ts'

it('the script reader ignores macOS metadata files in an archive', () => {
  const beside = new Uint8Array([0, 5, 22, 7, 0x80, 0xff, 0xfe])
  const files = new Map<string, string | Uint8Array>([
    ['shop/a.sql', 'CREATE TABLE a (b int);'],
    ['__MACOSX/shop/._a.sql', beside],
    ['shop/._b.sql', beside],
  ])
  expect(loadScripts(files).paths).toEqual(['shop/a.sql'])
})
