import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const source = resolve(import.meta.dirname, '..')
const print = /@media print \{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g

it('no style for the screen uses :has(), which the browser evaluates at every change of the page', () => {
  const files = globSync('**/*.css', { cwd: source })
  expect(files.length).toBeGreaterThan(50)
  const using = files.filter(file => readFileSync(join(source, file), 'utf8').replaceAll(print, '').includes(':has('))
  expect(using).toEqual([])
})
