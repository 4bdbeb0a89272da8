import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBundleUpToDate } from './thread-code.ts'

let folder = ''
const source = () => join(folder, 'a.ts')

function madeFromSource(): void {
  const { size, mtimeMs } = statSync(source())
  const made = { files: [{ path: 'a.ts', size, changed: mtimeMs }] }
  writeFileSync(join(folder, 'made-from.json'), JSON.stringify(made))
}

beforeEach(() => {
  folder = temporaryFolder('threads')
  writeFileSync(source(), 'one')
  madeFromSource()
})
afterEach(() => removeFolder(folder))

describe('The bundle of thread code', () => {
  it('is ignored if a source changed its size or time or is missing', () => {
    expect(isBundleUpToDate(folder, folder)).toBe(true)
    writeFileSync(source(), 'three')
    expect(isBundleUpToDate(folder, folder)).toBe(false)
    madeFromSource()
    expect(isBundleUpToDate(folder, folder)).toBe(true)
    utimesSync(source(), 1, 1)
    expect(isBundleUpToDate(folder, folder)).toBe(false)
    madeFromSource()
    rmSync(source())
    expect(isBundleUpToDate(folder, folder)).toBe(false)
  })

  it('is ignored if missing or unreadable', () => {
    writeFileSync(join(folder, 'made-from.json'), '{')
    expect(isBundleUpToDate(folder, folder)).toBe(false)
    rmSync(join(folder, 'made-from.json'))
    expect(isBundleUpToDate(folder, folder)).toBe(false)
  })
})
