import { exportFormats } from '@cadmus/model/export-formats'
import { importKinds } from '@cadmus/model/import-formats'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { describe, expect, it } from 'vitest'
import { readArchive, writeArchive, type Files } from './archive.ts'
import { exportWriters } from './export-writers.ts'
import { ImportError } from './import-error.ts'
import { importFormatOf, importFormats, type ImportFormat } from './import-formats.ts'
import { mutateBytes, randomFrom } from './testing/mutations.ts'

const author = anEntity({ name: 'Author' })
const attributes = aList(aKey(), aTypeAttribute({ name: 'title', choices: ['a', 'b'], defaultValue: 'a' }))
const relationship = aRelationship(author, { position: 9, foreignKeyTypeAttribute: 'authorId' })
const shop = aResolvedModel([
  author,
  anEntity({ name: 'Book', typeAttributes: attributes, entityAttributes: [relationship] }),
])
const exported = exportFormats.map(({ id }) => {
  const options = { databaseType: 'postgresql', applyAutoIncrement: true, sqlExport: {} } as const
  return exportWriters[id].write({ resolvedModel: shop }, options).files
})

describe.each(importKinds.flatMap(({ wireName }) => importFormats[wireName].map(format => ({ wireName, ...format }))))(
  'FORMAT §1 import of hostile files as $label',
  format => {
    it('is chosen by each of its extensions, in any case', () => {
      for (const end of format.extensions) {
        expect(importFormatOf(format.wireName, new Map([[`folder/x${end.toUpperCase()}`, '']])).label).toBe(
          format.label,
        )
      }
    })

    it('the reader gives a model or an ImportError, whatever the files of its extensions are', () => {
      for (const text of hostileTexts()) {
        for (const end of format.extensions) outcomeOf(format, new Map([[`x${end}`, text]]))
      }
      expect(() => format.read(new Map())).toThrow(ImportError)
      expect(() => format.read(new Map([['readme.txt', 'x']]))).toThrow(ImportError)
    })

    it('the reader gives a model or an ImportError for damaged exports in all formats', () => {
      const random = randomFrom(1)
      const outcomes = exported.flatMap(files =>
        Array.from({ length: 60 }, () => {
          const changed = new Map<string, Uint8Array | string>(files)
          const [path = ''] = [...files.keys()].slice(random(files.size))
          changed.set(path, mutateBytes(new TextEncoder().encode(files.get(path)), random))
          return outcomeOf(format, changed)
        }),
      )
      expect(new Set(outcomes)).toEqual(new Set(['read', 'refused']))
    })

    it('reading stops when the caller cancels', () => {
      const readable = exported.find(files => outcomeOf(format, files) === 'read') ?? new Map()
      const cancelled = () => format.read(readArchive(writeArchive(readable)), { signal: { aborted: true } })
      expect(cancelled).toThrow(new ImportError('cancelled', 'The import was cancelled.'))
    })
  },
)

/** Throws any error that is not an ImportError. The model must be cloneable between threads. */
function outcomeOf(format: ImportFormat, files: Files): 'read' | 'refused' {
  try {
    structuredClone(format.read(files))
    return 'read'
  } catch (error) {
    if (error instanceof ImportError) return 'refused'
    throw error
  }
}

function hostileTexts(): (string | Uint8Array)[] {
  const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000)
  return [
    '',
    '\uFEFF',
    '\0'.repeat(1000),
    'null',
    '[]',
    '{}',
    '{"__proto__":{"polluted":1},"constructor":1}',
    deep('[', ']'),
    deep('{"a":', '}'),
    deep('(', ')'),
    'x'.repeat(1_000_000),
    '<!DOCTYPE x [<!ENTITY a "&a;">]><x>&a;</x>',
    `CREATE TABLE ${'a'.repeat(100_000)} (id int`,
    "'".repeat(9999),
    new Uint8Array([0xff, 0xfe, 0, 0xd8]),
    Uint8Array.from({ length: 4096 }, (_, at) => (at * 97) % 256),
  ]
}
