import { traitNames } from '@cadmus/model/trait-names'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { expect } from 'vitest'
import { readArchive, writeArchive } from '../archive.ts'
import { readCdm } from '../cdm/read.ts'
import { writeCdm } from '../cdm/write.ts'
import type { ModelHistory } from '../export-writer.ts'
import type { ImportedModel } from '../imported-model.ts'
import { contractBreaches } from './contract.ts'
import type { DefinedNames } from './contract-attributes.ts'
import { list, object, text } from './contract-names.ts'
import { comparable } from './equal-models.ts'
import { placedModel } from '../placed-model.ts'
import { hasSharedCdm, sharedJson } from './shared-cdm.ts'

// Test helper: exports a model as a zip and imports it again.

/** Names defined in the standard documents, read from these documents if available. */
export const definedNames: DefinedNames = { traits: new Set(hasSharedCdm ? standardTraits() : traitNames) }

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

/** Exports to zip bytes and imports these. */
export function roundTrip(resolvedModel: ResolvedModel, options: ModelHistory = {}): Exported {
  const { files, notes } = writeCdm(resolvedModel, options)
  return { files, notes, read: readCdm(readArchive(writeArchive(files))) }
}

/** Expects the export to comply with the contract and the import to restore the model. */
export function expectRoundTrip(resolvedModel: ResolvedModel, options: ModelHistory = {}): Exported {
  const exported = roundTrip(resolvedModel, options)
  expect(contractBreaches(exported.files, definedNames)).toEqual([])
  expect(comparable(placedModel(exported.read))).toEqual(comparable(resolvedModel))
  return exported
}

/**
 * Documents that differ from all others regardless of folder, because an entity without a parent may move to another
 * folder.
 */
export function differingDocuments(
  documents: ReadonlyMap<string, string>,
  others: ReadonlyMap<string, string>,
): string[] {
  const texts = new Set([...others.values()].map(comparableText))
  return [...documents].filter(([, content]) => !texts.has(comparableText(content))).map(([path]) => path)
}

/** Ignores the order of lists (a redefined attribute keeps the parent's position) and folders. */
function comparableText(content: string): string {
  return content
    .split('\n')
    .map(line => line.replace(/,$/, '').replace(/"\/?(?:[^"/]+\/)*([^"/]+\.cdm\.json)/, '"$1'))
    .toSorted()
    .join('\n')
}
