import { limits } from '@cadmus/model/limits'
import { afterEach, expect, it, vi } from 'vitest'
import { readHtmlTable } from './html-table.ts'

afterEach(() => vi.unstubAllGlobals())

it('HTML above the limit of a paste is not parsed', () => {
  const parsed: string[] = []
  class Parser {
    parseFromString(html: string) {
      parsed.push(html.slice(0, 7))
      return { querySelector: () => null }
    }
  }
  vi.stubGlobal('DOMParser', Parser)
  const table = '<table>'
  expect(readHtmlTable(table.padEnd(limits.paste.text + 1))).toBeNull()
  expect(parsed).toEqual([])
  readHtmlTable(table.padEnd(limits.paste.text))
  expect(parsed).toEqual([table])
})
