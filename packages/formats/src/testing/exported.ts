import { traitNames } from '@cadmus/model/trait-names'
import type { Closure } from '@cadmus/model/closure'
import { expect } from 'vitest'
import { readArchive, writeArchive } from '../archive.ts'
import { readCdm } from '../cdm/read.ts'
import { writeCdm, type WriteOptions } from '../cdm/write.ts'
import type { ImportedModel } from '../imported-model.ts'
import { contractBreaches } from './contract.ts'
import type { Known } from './contract-attributes.ts'
import { list, object, text } from './contract-names.ts'
import { comparable } from './equal-models.ts'
import { placedModel } from './placed-model.ts'
import { hasSharedCdm, sharedJson } from './shared-cdm.ts'

// For tests only: a model goes out as a zip and comes back.

/** The names that the standard documents define, from these themselves where they are there. */
export const knownNames: Known = { traits: new Set(hasSharedCdm ? standardTraits() : traitNames) }

function standardTraits(): string[] {
  const names = 'foundations primitives meanings'.split(' ')
  const kinds = 'calendar concepts demographics formats identity location measurement privacy qualifiers'.split(' ')
  return [...names, ...kinds.map(kind => `meanings.${kind}`)].flatMap(name =>
    list(object(sharedJson(`schemaDocuments/${name}.cdm.json`))['definitions']).flatMap(
      definition => text(object(definition)['traitName']) || [],
    ),
  )
}

export type Exported = { files: Map<string, string>; notes: { path: string; message: string }[]; read: ImportedModel }

/** Through the bytes of a zip, as a person would. */
export function outAndIn(closure: Closure, options: WriteOptions = {}): Exported {
  const { files, notes } = writeCdm(closure, options)
  return { files, notes, read: readCdm(readArchive(writeArchive(files))) }
}

/** It keeps the contract, and comes back as it was. */
export function expectRoundTrip(closure: Closure, options: WriteOptions = {}): Exported {
  const exported = outAndIn(closure, options)
  expect(contractBreaches(exported.files, knownNames)).toEqual([])
  expect(comparable(placedModel(exported.read))).toEqual(comparable(closure))
  return exported
}

/** Which of the documents are not among the others, wherever they stand: what extends nothing in a folder stands elsewhere the next time. */
export function writtenOtherwise(
  documents: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): string[] {
  const texts = new Set([...others.values()].map(comparableText))
  return [...documents].filter(([, content]) => !texts.has(comparableText(content))).map(([path]) => path)
}

/** Without the order of lists (an attribute that is defined anew stands where the parent has it), and without folders. */
function comparableText(content: string): string {
  return content
    .split('\n')
    .map(line => line.replace(/,$/, '').replace(/"\/?(?:[^"/]+\/)*([^"/]+\.cdm\.json)/, '"$1'))
    .toSorted()
    .join('\n')
}
