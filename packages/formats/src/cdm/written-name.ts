import { purposes } from '@cadmus/model/type-attribute'
import { fileStem } from '../file-stem.ts'
import { rootEntity, standardTypes } from './standard.ts'

/**
 * Names of entities and manifests become files, names and parts of paths: letters, digits, underscores and hyphens, with single
 * blanks between. All of CDM's own keep this.
 */
const namePattern = /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u
const longestName = 120

/** What an entity must not be called: whoever sees it would no longer see the standard definition of that name. */
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

/** The name as a folder can have it: as it is, unless it is none for files or paths. */
export function writtenName(name: string, otherwise: string): string {
  if (name.length <= longestName && name === name.normalize() && namePattern.test(name)) return name
  return fileStem(name.replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, ''), otherwise)
}

/** An attribute's name stands in paths behind its entity's: without slashes, and nothing that cannot be seen. */
export function writtenAttributeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}/\uFFFD]/gu, '_')
    .slice(0, 1000)
  return plain.trim() === '' ? 'attribute' : plain
}
