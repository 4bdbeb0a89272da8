import type { ManifestContent } from '../manifest.ts'
import { addMembers } from './add-members.ts'
import { addSubManifests } from './add-sub-manifests.ts'
import { changeManifest } from './change-manifest.ts'
import { applyAll, type Definition, type Definitions, invertAll } from './definition.ts'
import type { ManifestEdit } from './manifest-edit.ts'
import { removeMembers } from './remove-members.ts'
import { removeSubManifests } from './remove-sub-manifests.ts'

const definitions = {
  changeManifest,
  addMembers,
  removeMembers,
  addSubManifests,
  removeSubManifests,
} satisfies Definitions<ManifestContent, ManifestEdit>

export function applyManifestEdits(content: ManifestContent, edits: readonly ManifestEdit[]): ManifestContent {
  return applyAll(definitionOf, content, edits)
}

/** The inverse of the edits; `content` is the state before them. */
export function invertManifestEdits(content: ManifestContent, edits: readonly ManifestEdit[]): ManifestEdit[] {
  return invertAll(definitionOf, content, edits)
}

function definitionOf({ kind }: ManifestEdit): Definition<ManifestContent, ManifestEdit> {
  return definitions[kind]
}
