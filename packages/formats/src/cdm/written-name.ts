import { purposes } from '@cadmus/model/type-attribute'
import { fileStem } from '../export-writer.ts'
import { rootEntity, standardTypes } from './standard.ts'

/**
 * Names of entities and manifests become file names, identifiers and path segments: letters, digits, underscores and
 * hyphens, with single spaces inside. All CDM names comply.
 */
const namePattern = /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u
const maxNameLength = 120

/** Reserved entity names: they would hide the standard definitions for every document that imports them. */
const standardNames: ReadonlySet<string> = new Set([
  ...standardTypes.keys(),
  ...purposes,
  rootEntity,
  ...`attributeGroupSet entityGroupSet entitySet localizedTable listLookupValues listLookupCorrelatedValues listLookupStringValues
  listLookupWellKnownValues reference defaultArtifacts FileInfo meaningOfRelationshipVerbPhrases documentation createdOn modifiedOn
  removedOn occuredOn startedOn endedOn completedOn`.split(/\s+/),
])

export function isStandardName(name: string): boolean {
  return standardNames.has(name)
}

/** The name as written: unchanged if it is a valid file name and path segment. */
export function writtenName(name: string, fallback: string): string {
  if (name.length <= maxNameLength && name === name.normalize() && namePattern.test(name)) return name
  return fileStem(name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, ''), fallback)
}

/** Attribute names are path segments: slashes and invisible characters are replaced. */
export function writtenAttributeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\uFFFD]/gu, '_')
    .slice(0, 1000)
  return plain.trim() === '' ? 'attribute' : plain
}
